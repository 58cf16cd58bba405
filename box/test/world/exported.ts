/** An export of a small event with one of everything in it: some fifty entries, eight seals, made by the box's own code. */
import assert from 'node:assert/strict'
import { recordEvent } from '../../src/event/recorded.ts'
import type { EntryKind, NewEntry } from '../../src/ledger/entries.ts'
import { createLogger } from '../../src/log.ts'
import { exportChunks, reportUpTo } from '../../src/seal/export/export.ts'
import type { Signer } from '../../src/seal/note.ts'
import type { Report } from '../../src/seal/report/shape.ts'
import { Sealer } from '../../src/seal/sealer.ts'
import { Desk } from './desk.ts'
import { UncheckedEntries } from './unchecked-entries.ts'

const DOORS = Date.parse('2026-07-17T18:50:00+01:00')

export interface Exported {
  file: Buffer
  signer: Signer
  /** The box's verifier key. */
  key: string
  /** Every seal's note, oldest first. */
  notes: string[]
  entries: number
}

/** Seals a desk's journal as its box does. */
export function sealerOf(desk: Desk): Sealer {
  const { ledger, keys } = desk.deps
  const { origin, logKey: signingKey } = keys
  return new Sealer({ ledger, origin, signingKey, logger: createLogger('silent'), now: () => desk.now })
}

/** Seals a desk's journal and exports it up to that seal. */
export async function exportOf(desk: Desk, sealer = sealerOf(desk)) {
  const { ledger, keys } = desk.deps
  const { size } = (await sealer.seal()) ?? assert.fail('there is nothing to seal')
  const cover = { origin: keys.origin, signingKey: keys.logKey, software: 'gatehouse/0.0.0', madeAt: desk.now, size }
  return { file: Buffer.concat([...exportChunks(ledger.db, cover)]), cover }
}

export type NewFact = [kind: EntryKind, fields: object]

/** The export of a journal with these facts in it, and the box's own report over them. */
export async function exportedFacts(facts: readonly NewFact[]): Promise<{ file: Buffer; key: string; report: Report }> {
  using desk = await Desk.open({ now: DOORS })
  const { ledger, identity, keys } = desk.deps
  const sealer = sealerOf(desk)
  await recordEvent(desk.event, identity.boxId, ledger)
  using entries = new UncheckedEntries(desk)
  for (const [i, [kind, fields]] of facts.entries()) {
    desk.now += 60_000
    entries.append(kind, kind === 'event' ? { box: identity.boxId, ...fields } : fields)
    if (i % 7 === 3) await sealer.seal()
  }
  const { file, cover } = await exportOf(desk, sealer)
  return { file, key: keys.logVerifierKey, report: reportUpTo(ledger.db, cover) }
}

export async function exportedEvent(): Promise<Exported> {
  using desk = await Desk.open({ now: DOORS })
  const { ledger, identity, keys } = desk.deps
  const sealer = sealerOf(desk)
  const say = <K extends EntryKind>(kind: K, fields: NewEntry<K>) => ledger.commit(() => ledger.append(kind, fields))
  const iso = () => new Date(desk.now).toISOString()
  const later = (minutes: number) => {
    desk.now += minutes * 60_000
  }

  await recordEvent(desk.event, identity.boxId, ledger)
  await desk.import([
    'T-1,once,valid,,',
    'T-2,once,valid,,',
    'F-1,reentry,valid,,',
    'V-1,vip,valid,,',
    'B-1,once,blocked,,',
  ])
  await say('enrolment', { certificate: 'c'.repeat(64), checkpoints: ['a-in'], device: 'd', supervisor: false })
  await sealer.seal()
  await desk.scan('T-1')
  await desk.scan('T-1')
  await desk.scan('F-1')
  await desk.scan('B-1')
  await desk.scan('nobody knows this “code” \u{1f3ab}')
  later(12)
  await desk.scan('F-1', { checkpoint: 'a-out' })
  await desk.scan('F-1', { checkpoint: 'b-in' })
  await desk.scan('V-1')
  await desk.scan('V-1', { checkpoint: 'b-in' })
  await desk.scan('V-1', { checkpoint: 'v-in' })
  await sealer.seal()
  await say('mode', { actor: 'Rui', address: '10.0.0.7', mode: 'DEGRADED', reason: 'cable "7" is out\n' })
  const alone = new Date(desk.now - 20 * 60_000).toISOString()
  await desk.scan('T-1', { checkpoint: 'b-in', offline_admitted: true, observed_at: alone }, 'e')
  await desk.scan('a forged one', { offline_admitted: true, observed_at: alone }, 'e')
  await sealer.seal()
  later(70)
  await say('mode', { actor: 'Rui', address: '10.0.0.7', mode: 'STRICT', reason: 'mended' })
  const [flag] = ledger
    .read(0, 100)
    .flatMap(({ kind, bytes }) => (kind === 'flag' ? [JSON.parse(bytes.toString())] : []))
  // As before there were several boxes: without the scans that its author had seen.
  const resolved = { actor: 'Ana', address: '::1', flag: flag?.flag ?? '', resolution: 'two_people' }
  using earlier = new UncheckedEntries(desk)
  earlier.append('flag_resolved', resolved)
  const incident: NewEntry<'incident'> = {
    at: iso(),
    checkpoint: 'a-in',
    device: 'd',
    gate: 'a',
    incident: 'i-1',
    incident_kind: 'crush',
    note_hash: null,
    observed_at: iso(),
    occupancy: 4,
    queue: null,
    queue_rate_per_min: 12.4,
    zone: 'arena',
  }
  await say('incident', incident)
  const act = (
    more: Pick<NewEntry<'incident_action'>, 'action' | 'from' | 'to' | 'version'>,
    reason: string | null = null,
  ) =>
    say('incident_action', {
      actor: 'Ana',
      address: '::1',
      assignee: more.action === 'assign' ? 'Team 4' : null,
      at: iso(),
      incident: 'i-1',
      reason,
      ...more,
    })
  later(1)
  await act({ action: 'acknowledge', from: 'open', to: 'acknowledged', version: 2 })
  await act({ action: 'assign', from: 'acknowledged', to: 'assigned', version: 3 })
  later(9)
  await act({ action: 'resolve', from: 'assigned', to: 'resolved', version: 4 }, 'pressure is off')
  await say('incident', { ...incident, at: iso(), incident: 'i-2', incident_kind: 'medical', zone: null })
  const hold = { actor: 'Ana', address: '::1', gate: 'a', at: iso() }
  await say('hold', { ...hold, expires_at: null, hold: 'h-1', reason: 'crush', replaces: null })
  await say('hold', { ...hold, expires_at: iso(), hold: 'h-2', reason: 'still', replaces: 'h-1' })
  await say('hold_released', { ...hold, hold: 'h-2', reason: null })
  await sealer.seal()
  await say('supervisor_admit', {
    actor: 'Zé',
    at: iso(),
    checkpoint: 'a-in',
    code: null,
    confidence: 'confirmed',
    device: 'd',
    direction: 'in',
    occurrence: 1,
    reason: 'blocked by mistake',
    scan_id: 's-9',
    slot: 'arena',
    surplus: 0,
    ticket: 'b1',
    tier: 'once',
    verdict: 'BLOCKED',
  })
  await say('undo', {
    actor: 'Zé',
    at: iso(),
    checkpoint: 'a-in',
    device: 'd',
    direction: 'in',
    occurrence: 0,
    reason: 'it was not',
    scan_id: 's-9',
    slot: 'arena',
    surplus: 0,
    supervised: true,
    ticket: 'b1',
    tier: 'once',
    undone: 1,
  })
  await say('device_revoked', { actor: 'Rui', address: '::1', device: 'd', reason: 'lost' })
  await sealer.seal()
  while (ledger.size < 50) {
    later(3)
    await desk.scan('T-2', { checkpoint: ledger.size % 2 ? 'a-out' : 'b-in' })
  }
  const { file, cover } = await exportOf(desk, sealer)
  return {
    file,
    signer: { name: keys.origin, key: keys.logKey },
    key: keys.logVerifierKey,
    notes: sealer.seals().map(({ note }) => note),
    entries: cover.size,
  }
}
