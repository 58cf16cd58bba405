/** Answers the questions of a verdict, and admits the others of its order. Only a box can do either. */

import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { MOST_IN_GROUP } from '@gatehouse/proto/group.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import type { Answers } from '@gatehouse/proto/questions.ts'
import { verdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { GivenAnswers, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { ReadonlySignal } from '@preact/signals'
import type { ActiveBox } from '../box/active-box.ts'
import type { BoxClient } from '../box/client.ts'
import type { DeviceClock } from '../box/clock.ts'
import { refused } from '../box/refused.ts'
import { type Database, writeLater } from '../store/database.ts'
import type { Records } from '../store/records.ts'
import { gateWords as words } from '../words/core.ts'
import { ScannerError, type ScanRecord } from './model.ts'
import type { Scanning } from './scanning.ts'
import { isAsking, type Tray } from './tray.ts'

export interface DetailsDeps {
  active: ActiveBox
  away: ReadonlySignal<string | null>
  box: BoxClient
  clock: DeviceClock
  db: Database
  records: Records
  scanning: Scanning
  tray: Tray
  uuid: () => string
}

/** Ids of group scans whose answer has not come, by the scan that admitted: sent again, they admit nobody twice. */
type Pending = Map<string, { at: number; scanIds: readonly string[] }>

export class Details {
  readonly #deps: DetailsDeps
  readonly #pending: Pending = new Map()

  constructor(deps: DetailsDeps) {
    this.#deps = deps
  }

  /**
   * Sends answers: with the scan again where the person waits, or after the admission.
   * @returns the new scan; null where the box took answers of somebody who is in
   * @throws ScannerError where they were not taken: they stay in the tray
   */
  async answer(scanId: string, answers: Answers): Promise<ScanRecord | null> {
    const { tray } = this.#deps
    tray.draft(scanId, answers)
    const item = tray.find(scanId)
    if (!item) throw new ScannerError(words.details.gone)
    const given = givenOf(answers)
    return item.waits ? this.#again(scanId, given) : this.#afterwards(scanId, given)
  }

  async #again(scanId: string, answers: GivenAnswers): Promise<ScanRecord> {
    const { scanning, tray, active } = this.#deps
    const asked = tray.asked(scanId)
    if (!asked) throw new ScannerError(words.details.gone)
    // Only the box that has asked knows these fields: any other one may be older, and asks for itself if it is not.
    const fields = asked.by === active.origin.peek() ? { answers, asked_by: scanId } : undefined
    const record = await scanning.scan(asked.payload, asked.checkpoint, { before: scanId, ...(fields && { fields }) })
    if (record.failed) throw new ScannerError(record.verdict.reason)
    const isAskedElsewhere = !fields && isAsking(record.verdict)
    return isAskedElsewhere ? this.#again(record.scanId, answers) : record
  }

  async #afterwards(scanId: string, answers: GivenAnswers): Promise<null> {
    const { tray } = this.#deps
    const params = { path: { scan_id: scanId } }
    const client = this.#clientFor(scanId)
    const { data, error } = await reach(client.POST('/v1/scan/{scan_id}/answers', { params, body: { answers } }))
    if (!data) throw await refused(error)
    tray.answered(scanId, data.questions)
    const [wrong] = data.questions
    if (wrong) throw new ScannerError(words.details.wrong(wrong.text, wrong.problem))
    return null
  }

  /**
   * Admits others of the order whose ticket this scan admitted.
   * @returns their scans, as many as the box has admitted or refused @throws ScannerError where none was
   */
  async admitMore(scanId: string, count: number, checkpoint: Checkpoint): Promise<readonly ScanRecord[]> {
    const { clock, uuid, records } = this.#deps
    const leader = records.find(scanId)
    if (!leader) throw new ScannerError(words.details.gone)
    const pending = this.#pending.get(scanId) ?? { at: Math.round(clock.now()), scanIds: ids(count, uuid) }
    this.#pending.set(scanId, pending)
    const { at, scanIds } = pending
    const body = {
      scan_ids: [...scanIds],
      device_hlc: format(clock.hlc.now()),
      observed_at: new Date(at).toISOString(),
    }
    const params = { path: { scan_id: scanId } }
    const { data, error, response } = await reach(
      this.#clientFor(scanId).POST('/v1/scan/{scan_id}/group', { params, body }),
    )
    // An answer that was lost, or a box that failed, may have admitted them: the same ids ask again.
    if (response.status < 500) this.#pending.delete(scanId)
    if (!data) throw await refused(error)
    if (data.verdicts.length === 0) throw new ScannerError(words.details.nobody)
    return data.verdicts.map((verdict) => this.#record(verdict, { at, checkpoint, leader }))
  }

  /** A scan of a rehearsal is known there alone. */
  #clientFor(scanId: string): GatehouseClient {
    const { box, records } = this.#deps
    return records.find(scanId)?.rehearsal ? box.rehearsing : box.client
  }

  #record(
    verdict: Verdict,
    { at, checkpoint, leader: { rehearsal } }: { at: number; checkpoint: Checkpoint; leader: ScanRecord },
  ): ScanRecord {
    const { records, db, away, clock, tray } = this.#deps
    clock.hlc.receive(verdict.hlc)
    const box = away.peek()
    const record: ScanRecord = {
      scanId: verdict.scan_id,
      at,
      checkpoint: checkpoint.id,
      class: verdictClass(verdict.verdict),
      verdict,
      alone: false,
      operator: records.shift.peek().operator,
      ...(box !== null && { box }),
      ...(rehearsal && { rehearsal }),
    }
    writeLater(db, records.put(record))
    tray.take(record, undefined)
    return record
  }
}

function ids(count: number, uuid: () => string): string[] {
  return Array.from({ length: Math.min(Math.max(1, count), MOST_IN_GROUP) }, uuid)
}

function givenOf(answers: Answers): GivenAnswers {
  return Object.entries(answers).flatMap(([question, answer]) => (answer === '' ? [] : [{ question, answer }]))
}

async function reach<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw new ScannerError(words.details.unreachable, { cause })
  }
}
