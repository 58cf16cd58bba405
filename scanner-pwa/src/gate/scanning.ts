/**
 * A scan: the box is asked first and given a moment; without its answer the scanner decides offline. The screen keeps what it
 * has shown, whatever comes later: a late answer is stored beside it.
 */

import { codeHash, parseCode } from '@gatehouse/proto/code.ts'
import type { Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import { bareCode } from '@gatehouse/proto/payload.ts'
import { refusalSentence } from '@gatehouse/proto/refusals.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { ReadonlySignal, Signal } from '@preact/signals'
import type { ActiveBox } from '../box/active-box.ts'
import { type ScanAnswer, scanAnswerOf } from '../box/answers.ts'
import type { BoxClient } from '../box/client.ts'
import type { DeviceClock } from '../box/clock.ts'
import type { Ended } from '../box/ended.ts'
import type { Link } from '../box/link.ts'
import type { MirrorStore } from '../mirror/mirror-store.ts'
import type { Refresher } from '../mirror/refresher.ts'
import { type Database, keep, write, writeLater } from '../store/database.ts'
import type { Records } from '../store/records.ts'
import { gateWords as words } from '../words/core.ts'
import type { ScanRecord } from './model.ts'
import { answerOffline, type OfflineAnswer } from './offline.ts'
import type { OwnPassages } from './own-passages.ts'
import type { Places } from './places.ts'
import type { Queue } from './queue.ts'
import type { Rehearsal } from './rehearsal.ts'
import {
  type Again,
  isDescribed,
  isSendable,
  passageOf,
  type RecordedHow,
  recordOf,
  refusalOf,
  type ScanAttempt,
  useOf,
} from './scan-attempt.ts'
import type { SignOn } from './sign-on.ts'
import type { Tray } from './tray.ts'

/** A later answer is of no use, not even for the record. */
const GIVE_UP_MS = 30_000
/** As long as the box lets a code wait for its answers. */
const ANSWERED_WITHIN_MS = 15 * 60_000

export interface ScanningDeps {
  db: Database
  active: ActiveBox
  box: BoxClient
  clock: DeviceClock
  /** A box has said more of tickets than their tier. */
  described: Signal<boolean>
  ended: Ended
  link: Link
  mirrors: MirrorStore
  own: OwnPassages
  places: Places
  queue: Queue
  records: Records
  refresher: Refresher
  signOn: Pick<SignOn, 'current' | 'lost' | 'touched'>
  rehearsal: Rehearsal
  tray: Tray
  /** Name of the active box; null at home. */
  away: ReadonlySignal<string | null>
  /** 8 bytes, `eventTag(event id)`. */
  eventTag: Uint8Array
  ed25519: Ed25519Verifier
  uuid: () => string
  monotonic: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export class Scanning {
  readonly #deps: ScanningDeps

  constructor(deps: ScanningDeps) {
    this.#deps = deps
  }

  /** Always answers; never throws for what a code may contain. */
  async scan(read: string, checkpoint: Checkpoint, again?: Again): Promise<ScanRecord> {
    const payload = bareCode(read)
    const { clock, link, uuid, ended, active, rehearsal, signOn } = this.#deps
    signOn.touched()
    const signedOn = signOn.current.peek()?.session
    const at = Math.round(clock.now())
    const scan: ScanRequest = {
      scan_id: uuid(),
      payload,
      checkpoint: checkpoint.id,
      device_hlc: format(clock.hlc.now()),
      offline_admitted: false,
      observed_at: new Date(at).toISOString(),
      ...again?.fields,
    }
    const attempt: ScanAttempt = {
      ...{ scan, at, checkpoint },
      ...(again && { again }),
      ...(signedOn && { signedOn }),
      ...(rehearsal.isOn && { rehearsal: true }),
    }
    const endedBefore = ended.reason.peek()
    if (endedBefore !== null) return this.#failed(attempt, endedBefore)
    if (!isSendable(payload)) return this.#unknown(attempt)
    if (!link.isReachable) {
      link.look()
      return this.#offline(attempt)
    }
    const by = active.origin.peek()
    const pending = this.#ask(attempt)
    const inTime = await this.#within(link.deadlineMs(), pending)
    if (inTime === 'too-late') {
      link.lost()
      const record = await this.#offline(attempt)
      if (!attempt.rehearsal) void pending.then((late) => this.#answeredLate(record.scanId, late)).catch(() => {})
      return record
    }
    switch (inTime.answer) {
      case 'none':
        return this.#offline(attempt)
      case 'verdict':
        return this.#answered(attempt, inTime.verdict, by)
      case 'refused': {
        const endedNow = ended.reason.peek()
        if (endedNow !== null) return this.#failed(attempt, endedNow)
        if (inTime.code === 'sign_on_needed') signOn.lost()
        // The rehearsal is over, and this code was not tried at all: scanned again, it counts.
        if (attempt.rehearsal && inTime.code === 'conflict') rehearsal.over()
        // A code that the box cannot read is not a ticket. Any other refusal is about this scanner, and a person has to look.
        return inTime.code === 'bad_request' && !again
          ? this.#unknown(attempt)
          : this.#failed(attempt, await refusalSentence(inTime))
      }
    }
  }

  async #ask({ scan, rehearsal }: ScanAttempt): Promise<ScanAnswer> {
    const { box, link, monotonic } = this.#deps
    const start = monotonic()
    try {
      const client = rehearsal ? box.rehearsing : box.client
      const answer = await client.POST('/v1/scan', { body: scan, signal: AbortSignal.timeout(GIVE_UP_MS) })
      link.answered(monotonic() - start)
      return scanAnswerOf(answer)
    } catch {
      return { answer: 'none' }
    }
  }

  async #within(ms: number, answer: Promise<ScanAnswer>): Promise<ScanAnswer | 'too-late'> {
    const waiting = new AbortController()
    const late = this.#deps.sleep(ms, waiting.signal).then(() => 'too-late' as const)
    try {
      return await Promise.race([answer, late])
    } finally {
      waiting.abort()
    }
  }

  /** The box has answered in time. @param by origin of that box */
  #answered(attempt: ScanAttempt, verdict: Verdict, by: string): ScanRecord {
    const { clock, mirrors, away } = this.#deps
    clock.hlc.receive(verdict.hlc)
    const mirror = mirrors.mirror.peek()
    if (mirror && passes(verdict)) {
      // In the background: the person is waiting, and the mirror is for later.
      void this.#remember(attempt, verdict, mirror.salt, by)
    }
    const box = away.peek()
    const silent = verdict.confidence === 'provisional' ? (mirror?.silentBoxes ?? []) : []
    const record = this.#record(attempt, verdict, {
      alone: false,
      ...(box !== null && { box }),
      ...(silent.length > 0 && {
        unheard: silent.map(({ name, since }) => ({ name, ms: since && attempt.at - since })),
      }),
    })
    this.#tellMore(attempt, record, by)
    return record
  }

  /** Of a verdict of a box: what it leaves to be looked at or to be answered. */
  #tellMore({ scan, checkpoint, again }: ScanAttempt, record: ScanRecord, by: string): void {
    const { tray, described, db } = this.#deps
    // A code that is shown once more is asked about once more.
    if (record.verdict.severity === 'retry') return
    tray.take(record, { payload: scan.payload, checkpoint, by }, again?.before)
    if (described.peek() || !isDescribed(record.verdict)) return
    described.value = true
    writeLater(db, [keep('described', true)])
  }

  async #remember(attempt: ScanAttempt, verdict: Verdict, salt: Uint8Array, by: string): Promise<void> {
    const { payload } = attempt.scan
    const hash = await codeHash(salt, parseCode(payload)?.publicKey ?? payload)
    const { own, db, mirrors, refresher, rehearsal } = this.#deps
    const passage = passageOf(attempt, hash, { hlc: verdict.hlc, confirmed: true, by })
    if (attempt.rehearsal) return rehearsal.own.put(passage)
    own.put(passage)
    mirrors.apply({ kind: 'use', data: useOf(passage, verdict.occurrence) })
    refresher.refreshSoon()
    writeLater(db, [{ store: 'own', key: passage.scanId, value: passage }])
  }

  async #offline(attempt: ScanAttempt): Promise<ScanRecord> {
    const { link, mirrors, described, own, rehearsal } = this.#deps
    const { scan, at, checkpoint } = attempt
    const answer = await answerOffline(
      { scanId: scan.scan_id, payload: scan.payload, at, codeAt: this.#codeAt(attempt), checkpoint },
      { ...this.#deps, mirror: mirrors.mirror.peek(), own: attempt.rehearsal ? rehearsal.own : own },
    )
    const unheardMs = link.silentMs()
    const how = { alone: true, ...(unheardMs !== undefined && { unheardMs }), ...(described.peek() && { blind: true }) }
    if (!passes(answer.verdict)) return this.#record(attempt, answer.verdict, how)
    if (attempt.rehearsal) return this.#rehearseOffline(attempt, answer, how)
    return this.#admitOffline(attempt, answer, how)
  }

  /** A code that comes again with answers counts as it did when they were asked for, as the box has it. */
  #codeAt({ at, again }: ScanAttempt): number {
    const asked = again?.fields && this.#deps.tray.find(again.before)?.at
    return asked !== undefined && at - asked <= ANSWERED_WITHIN_MS ? asked : at
  }

  /** Nobody comes in by it: nothing is queued, and nothing has to outlive the page. */
  #rehearseOffline(attempt: ScanAttempt, { verdict, codeHash: hash }: OfflineAnswer, how: RecordedHow): ScanRecord {
    if (hash) this.#deps.rehearsal.own.put(passageOf(attempt, hash, { hlc: verdict.hlc, confirmed: false }))
    return this.#record(attempt, verdict, how)
  }

  /** Nothing is shown before the admission is on the disk: who is inside must not depend on a battery. */
  async #admitOffline(
    attempt: ScanAttempt,
    { verdict, codeHash: hash }: OfflineAnswer,
    how: RecordedHow,
  ): Promise<ScanRecord> {
    const { db, own, records, clock, queue, tray } = this.#deps
    const { scan, again, signedOn } = attempt
    const asker = again?.fields && tray.asked(again.before)?.by
    if (!hash) throw new Error('an admission without a code')
    const record = this.#newRecord(attempt, verdict, { ...how, sent: false })
    const passage = passageOf(attempt, hash, { hlc: verdict.hlc, confirmed: false })
    // In memory first: the same ticket may be held out again before the disk has answered.
    own.put(passage)
    try {
      const sent = { ...scan, offline_admitted: true, ...(signedOn && { signed_on: signedOn }) }
      await queue.add({ scan: sent, record, ...(asker !== undefined && { asker }) }, [
        { store: 'own', key: scan.scan_id, value: passage },
        keep('hlc', format(clock.hlc.now())),
      ])
    } catch {
      own.remove(scan.scan_id)
      return this.#failed(attempt, words.offline.diskFull)
    }
    if (again) tray.remove(again.before)
    await write(db, records.put(record)).catch(() => {})
    void queue.drain()
    return record
  }

  /** The box has answered a scan that was decided offline meanwhile. */
  async #answeredLate(scanId: string, late: ScanAnswer): Promise<void> {
    const { records, db, clock, tray } = this.#deps
    const record = records.find(scanId)
    if (late.answer !== 'verdict' || !record) return
    clock.hlc.receive(late.verdict.hlc)
    await write(db, records.put({ ...record, afterwards: late.verdict }))
    // Let in alone meanwhile: what the box wants asked or seen is no condition any more.
    if (record.class === 'admit') tray.take({ ...record, verdict: { ...late.verdict, verdict: 'ADMIT' } }, undefined)
    const letIn = late.verdict.verdict === 'ADMIT' && late.verdict.direction === 'in'
    // The box has counted somebody in whom this screen has sent away: the right goes back to the ticket.
    if (letIn && record.class !== 'admit') await this.#takeBack(scanId)
  }

  async #takeBack(scanId: string): Promise<void> {
    const { box, records, db } = this.#deps
    const actor = records.shift.peek().operator ?? words.overrides.scanner
    const body = { actor, reason: words.overrides.tooLate }
    const { data } = await box.client.POST('/v1/scan/{scan_id}/undo', { params: { path: { scan_id: scanId } }, body })
    const record = records.find(scanId)
    if (data && record) await write(db, records.put({ ...record, undone: true }))
  }

  #unknown(attempt: ScanAttempt): ScanRecord {
    const verdict = this.#refusal(attempt, { verdict: 'UNKNOWN', reason: words.noCode, evidence: null })
    return this.#record(attempt, verdict, { alone: false })
  }

  #failed(attempt: ScanAttempt, message: string): ScanRecord {
    const verdict = this.#refusal(attempt, { verdict: 'BLOCKED', reason: message, evidence: { detail: message } })
    return this.#record(attempt, verdict, { alone: false, failed: true })
  }

  #refusal(attempt: ScanAttempt, refusal: Parameters<typeof refusalOf>[1]): Verdict {
    return refusalOf(attempt, refusal, format(this.#deps.clock.hlc.now()))
  }

  #record(attempt: ScanAttempt, verdict: Verdict, how: RecordedHow): ScanRecord {
    const { records, db } = this.#deps
    const record = this.#newRecord(attempt, verdict, how)
    // The list is for looking back: a disk that is full must keep nobody waiting at the gate.
    writeLater(db, records.put(record))
    return record
  }

  #newRecord(attempt: ScanAttempt, verdict: Verdict, how: RecordedHow): ScanRecord {
    return recordOf(attempt, verdict, this.#deps.records.shift.peek().operator, how)
  }
}

function passes({ verdict }: Verdict): boolean {
  return verdict === 'ADMIT' || verdict === 'EXIT'
}
