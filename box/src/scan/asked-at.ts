/** Time at which a code was first shown that comes again with the answers to the questions of its first scan. */
import { OVERRIDE_MS } from '../cases/overrides.ts'
import { passageFact } from '../cases/passage-fact.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Scans } from '../rights/scans.ts'
import { isSameScan, type ShownScan } from './shown.ts'

/**
 * A rotating code is out of date when its questions are answered. It counts as of the scan that asked them, if that scan was of the
 * same code, by the same device, at the same checkpoint, not long ago, and did ask.
 * @param at unix ms of this scan
 * @returns unix ms; undefined where the scan counts as of its own time
 */
export function askedAt(
  shown: ShownScan,
  at: number,
  { ledger, scans }: { ledger: Pick<Ledger, 'db'>; scans: Pick<Scans, 'find'> },
): number | undefined {
  const { asked_by: scanId } = shown.scan
  const asked = scanId === undefined ? undefined : scans.find(scanId)
  if (!asked || scanId === undefined || !hasAsked(asked.response)) return undefined
  const fact = passageFact(ledger.db, { entry: asked.entry, scanId, kind: 'scan' })
  if (!fact || !isSameScan(shown, asked.digest, () => fact.fields.observed_at)) return undefined
  const then = Date.parse(fact.fields.at)
  return at - then <= OVERRIDE_MS ? then : undefined
}

function hasAsked(response: string): boolean {
  const { verdict, questions } = JSON.parse(response) as { verdict?: unknown; questions?: unknown }
  return verdict === 'BLOCKED' && Array.isArray(questions)
}
