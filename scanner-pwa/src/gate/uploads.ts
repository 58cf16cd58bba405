/** Sends offline admissions to the box, and records what the box makes of them. */
import { refusalSentence } from '@gatehouse/proto/refusals.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { ActiveBox } from '../box/active-box.ts'
import { type Outcome, outcomeOf, outcomesOf, type Settled } from '../box/answers.ts'
import type { BoxClient } from '../box/client.ts'
import type { DeviceClock } from '../box/clock.ts'
import type { Link } from '../box/link.ts'
import type { MirrorStore } from '../mirror/mirror-store.ts'
import type { Refresher } from '../mirror/refresher.ts'
import type { Change, QueueItem } from '../store/database.ts'
import type { Records } from '../store/records.ts'
import type { ScanRecord } from './model.ts'
import type { OwnPassages } from './own-passages.ts'
import { useOf } from './scan-attempt.ts'

export interface UploadsDeps {
  active: ActiveBox
  box: BoxClient
  clock: DeviceClock
  link: Link
  mirrors: MirrorStore
  own: OwnPassages
  records: Records
  refresher: Refresher
}

/** The scan as this box takes it: one that has not asked may not know answers, and would refuse the admission with them. */
export function scanFor({ scan, asker }: QueueItem, origin: string): ScanRequest {
  if (asker === origin) return scan
  const { answers, asked_by, ...bare } = scan
  return bare
}

export class Uploads {
  readonly #deps: UploadsDeps
  /** Origin of the box that the last batch was sent to. */
  #sentTo: string

  constructor(deps: UploadsDeps) {
    this.#deps = deps
    this.#sentTo = deps.active.origin.peek()
  }

  /** @returns what became of the items, in their order; of the first at least. Items without an outcome are sent again. */
  async send(items: readonly QueueItem[], signal: AbortSignal): Promise<Outcome[]> {
    const { active, box, link } = this.#deps
    if (!link.isReachable) return [{ outcome: 'later' }]
    this.#sentTo = active.origin.peek()
    try {
      const scans = items.map((item) => ({ ...scanFor(item, this.#sentTo), offline_admitted: true as const }))
      const params = { query: { waits: 'each' } } as const
      const outcomes = outcomesOf(await box.client.POST('/v1/scans', { params, body: { scans }, signal }))
      if (outcomes) return await worded(outcomes)
      // The box cannot read one of them, which must not keep back the others.
      const [first] = scans
      return first ? await worded([outcomeOf(await box.client.POST('/v1/scan', { body: first, signal }))]) : []
    } catch {
      return [{ outcome: 'later' }]
    }
  }

  /** @returns what to write in the transaction that takes the item off the queue */
  settle(item: QueueItem, settled: Settled): Change[] {
    return settled.outcome === 'taken' ? this.#taken(item, settled.verdict) : this.#refused(item, settled.message)
  }

  #taken({ scan, record }: QueueItem, verdict: Verdict): Change[] {
    const { records, own, clock, mirrors, refresher } = this.#deps
    clock.hlc.receive(verdict.hlc)
    const sent: ScanRecord = { ...(records.find(scan.scan_id) ?? record), sent: true, afterwards: verdict }
    const changes = records.put(sent)
    const passage = own.confirm(scan.scan_id, verdict.hlc, this.#sentTo)
    if (passage) {
      mirrors.apply({ kind: 'use', data: useOf(passage, verdict.occurrence) })
      changes.push({ store: 'own', key: scan.scan_id, value: passage })
      refresher.refreshSoon()
    }
    const agrees = (verdict.verdict === 'ADMIT' || verdict.verdict === 'EXIT') && verdict.flag === undefined
    return agrees ? changes : [...changes, ...records.file('doubles', sent)]
  }

  /** The box refuses it however often it is sent: it stays on this device, where a person sees it. */
  #refused({ scan, record }: QueueItem, message: string): Change[] {
    const { records } = this.#deps
    const refused: ScanRecord = { ...(records.find(scan.scan_id) ?? record), refusal: message }
    return [...records.put(refused), ...records.file('aside', refused)]
  }
}

/** A refusal stays on this phone as it is: in its language. */
function worded(outcomes: readonly Outcome[]): Promise<Outcome[]> {
  return Promise.all(
    outcomes.map(async (one) => (one.outcome === 'refused' ? { ...one, message: await refusalSentence(one) } : one)),
  )
}
