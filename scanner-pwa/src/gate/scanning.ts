/**
 * A scan: the box is asked first, and given a moment; without it the scanner decides alone. What was shown stands, whatever
 * comes later: it is kept beside it.
 */

import { toBase64 } from '@gatehouse/proto/base64.ts'
import { codeHash, parseCode } from '@gatehouse/proto/code.ts'
import type { Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import { verdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { Signal } from '@preact/signals'
import { ScannerError, type ScanRecord } from '../model.ts'
import { gateWords as words } from '../words/en-gate.ts'
import { type AloneAnswer, answerAlone, zoneOf } from './alone.ts'
import { type Asked, askedOf, outcomeOf, outcomesOf } from './answers.ts'
import type { BoxClient } from './box-client.ts'
import type { DeviceClock } from './clock.ts'
import { type Change, type Database, keep, type QueueItem, write } from './database.ts'
import type { Deps } from './deps.ts'
import type { Follower } from './follower.ts'
import type { Link } from './link.ts'
import type { UnheardBox } from './mirror.ts'
import type { OwnPassage, OwnPassages } from './own-passages.ts'
import type { Place } from './places.ts'
import type { Queue, QueueDeps } from './queue.ts'
import type { Records } from './records.ts'

/** The box takes no more, and no ticket is that long. */
const MAX_PAYLOAD_BYTES = 1024
/** An answer that takes longer is not waited for in the background either. */
const GIVE_UP_MS = 30_000

export interface ScanningDeps {
  db: Database
  deps: Pick<Deps, 'uuid' | 'sleep' | 'monotonic'>
  box: BoxClient
  clock: DeviceClock
  link: Link
  /** Origin of the box that is asked now. */
  at: () => string
  /** Its name where it is not this scanner's own, and whom it does not hear. */
  boxes: () => { away: string | null; unheard: readonly UnheardBox[] }
  records: Records
  own: OwnPassages
  follower: Follower
  eventTag: Uint8Array
  ed25519: Ed25519Verifier
  placeOf: (checkpoint: string) => Place | undefined
  supervisorName: () => string | null
  ended: Signal<string | null>
  /** Somebody was let in or out here with the box's word. */
  onOwnScan: () => void
}

export class Scanning {
  readonly #deps: ScanningDeps
  #queue: Queue | undefined

  constructor(deps: ScanningDeps) {
    this.#deps = deps
  }

  /** Where admissions made alone go; it sends them by `uploading`. */
  set queue(queue: Queue) {
    this.#queue = queue
  }

  /** Admissions whose record did not reach the list before the page went away. */
  async restore(): Promise<void> {
    const { db, records } = this.#deps
    // The list has fifty, the queue may have thousands: only what is newer than all of the list can be missing from it.
    const newest = records.recent.value[0]?.at ?? 0
    const missing = (await db.getAll('queue')).filter(({ record }) => record.at > newest)
    for (const { record } of missing) await write(db, records.put(record))
  }

  /** Always answers; never throws for what a code may hold. */
  async scan(payload: string, checkpoint: Checkpoint): Promise<ScanRecord> {
    const { clock, link, deps, ended } = this.#deps
    const at = Math.round(clock.now())
    const scan: ScanRequest = {
      scan_id: deps.uuid(),
      payload,
      checkpoint: checkpoint.id,
      device_hlc: format(clock.hlc.now()),
      offline_admitted: false,
      observed_at: new Date(at).toISOString(),
    }
    const shown = { scan, at, checkpoint }
    if (ended.value !== null) return this.#failed(shown, ended.value)
    if (!isSendable(payload)) return this.#record(shown, this.#unknown(shown), { alone: false })
    if (!link.isReachable) {
      link.look()
      return this.#alone(shown, undefined)
    }
    const by = this.#deps.at()
    const answer = this.#ask(scan)
    const inTime = await this.#within(link.deadlineMs(), answer)
    if (inTime === 'too-late') {
      link.lost()
      return this.#alone(shown, answer)
    }
    if (inTime.asked === 'no-answer') return this.#alone(shown, undefined)
    if (inTime.asked === 'verdict') return this.#answered(shown, inTime.verdict, by)
    if (ended.value !== null) return this.#failed(shown, ended.value)
    // A code that the box cannot read is no ticket; everything else is about this scanner, and a person has to look.
    if (inTime.code === 'bad_request') return this.#record(shown, this.#unknown(shown), { alone: false })
    return this.#failed(shown, inTime.message)
  }

  /** How the queue sends, and what it does with the answers. */
  get uploading(): Pick<QueueDeps, 'send' | 'settle'> {
    const { box, link, at } = this.#deps
    let to = at()
    return {
      async send(items, signal) {
        if (!link.isReachable) return [{ outcome: 'later' }]
        to = at()
        try {
          const scans = items.map(({ scan }) => ({ ...scan, offline_admitted: true as const }))
          const outcomes = outcomesOf(await box.client.POST('/v1/scans', { body: { scans }, signal }))
          if (outcomes) return outcomes
          // One of them is not what the box can read: it must not keep the others.
          const [first] = scans
          return first ? [outcomeOf(await box.client.POST('/v1/scan', { body: first, signal }))] : []
        } catch {
          return [{ outcome: 'later' }]
        }
      },
      settle: (item, outcome) =>
        outcome.outcome === 'taken' ? this.#sent(item, outcome.verdict, to) : this.#refused(item, outcome.message),
    }
  }

  /** @throws ScannerError when the box refuses or cannot be reached */
  async override(kind: 'admit' | 'undo', scanId: string, reason: string): Promise<ScanRecord> {
    const { box, records, db, own, supervisorName } = this.#deps
    const record = records.find(scanId)
    if (!record) throw new ScannerError(words.noCode)
    if (this.#queue?.has(scanId)) throw new ScannerError(words.overrides.unsent)
    const actor = supervisorName()
    if (actor === null) throw new ScannerError(words.overrides.who)
    const options = { params: { path: { scan_id: scanId } }, body: { actor, reason: reason.trim() || '-' } }
    const changed = await this.#overridden(kind, record, options, box)
    if (kind === 'undo') own.remove(scanId)
    const gone: Change[] = kind === 'undo' ? [{ store: 'own', key: scanId, value: undefined }] : []
    await write(db, [...records.put(changed), ...gone])
    return changed
  }

  async #overridden(
    kind: 'admit' | 'undo',
    record: ScanRecord,
    options: { params: { path: { scan_id: string } }; body: { actor: string; reason: string } },
    { client }: BoxClient,
  ): Promise<ScanRecord> {
    try {
      if (kind === 'undo') {
        const { data, error } = await client.POST('/v1/scan/{scan_id}/undo', options)
        if (!data) throw new ScannerError(error.message)
        return { ...record, undone: true }
      }
      const { data, error } = await client.POST('/v1/scan/{scan_id}/admit', options)
      if (!data) throw new ScannerError(error.message)
      return { ...record, verdict: data, class: verdictClass(data.verdict), supervised: true }
    } catch (cause) {
      if (cause instanceof ScannerError) throw cause
      throw new ScannerError(words.overrides.unreachable, { cause })
    }
  }

  async #ask(scan: ScanRequest): Promise<Asked> {
    const { box, link, deps } = this.#deps
    const start = deps.monotonic()
    try {
      const answer = await box.client.POST('/v1/scan', { body: scan, signal: AbortSignal.timeout(GIVE_UP_MS) })
      link.heard(deps.monotonic() - start)
      return askedOf(answer)
    } catch {
      return { asked: 'no-answer' }
    }
  }

  async #within(ms: number, answer: Promise<Asked>): Promise<Asked | 'too-late'> {
    const waiting = new AbortController()
    const late = this.#deps.deps.sleep(ms, waiting.signal).then(() => 'too-late' as const)
    try {
      return await Promise.race([answer, late])
    } finally {
      waiting.abort()
    }
  }

  #answered(shown: Shown, verdict: Verdict, by: string): Promise<ScanRecord> {
    const { clock, follower } = this.#deps
    clock.hlc.hear(verdict.hlc)
    const { mirror } = follower
    if ((verdict.verdict === 'ADMIT' || verdict.verdict === 'EXIT') && mirror.value) {
      // Not before the answer: the person is waiting, and the mirror is for later.
      void this.#remember(shown, verdict, mirror.value.salt, by)
    }
    const others = this.#deps.boxes()
    const unheard = verdict.confidence === 'provisional' ? others.unheard : []
    return this.#record(shown, verdict, {
      alone: false,
      ...(others.away !== null && { box: others.away }),
      ...(unheard.length > 0 && {
        unheard: unheard.map(({ name, since }) => ({ name, ms: since && shown.at - since })),
      }),
    })
  }

  async #remember({ scan, checkpoint, at }: Shown, verdict: Verdict, salt: Uint8Array, by: string): Promise<void> {
    const hash = await codeHash(salt, parseCode(scan.payload)?.publicKey ?? scan.payload)
    const { own, db, onOwnScan } = this.#deps
    const passage = ownPassage({ scan, checkpoint, at }, hash, { hlc: verdict.hlc, confirmed: true, by })
    own.put(passage)
    this.#noteUse(passage, verdict.occurrence ?? 0)
    onOwnScan()
    await write(db, [{ store: 'own', key: scan.scan_id, value: passage }]).catch(() => {})
  }

  async #alone(shown: Shown, pending: Promise<Asked> | undefined): Promise<ScanRecord> {
    const { clock, link, follower, own, eventTag, ed25519, placeOf } = this.#deps
    const { scan, at, checkpoint } = shown
    const answer = await answerAlone(
      { scanId: scan.scan_id, payload: scan.payload, at, checkpoint },
      { clock, own, eventTag, ed25519, placeOf, mirror: follower.mirror.value },
    )
    const unheardMs = link.unheardMs()
    const extra = { alone: true, ...(unheardMs !== undefined && { unheardMs }) }
    const passes = answer.verdict.verdict === 'ADMIT' || answer.verdict.verdict === 'EXIT'
    const record = passes
      ? await this.#admitAlone(shown, answer, extra)
      : await this.#record(shown, answer.verdict, extra)
    void pending?.then((late) => this.#tooLate(record.scanId, late)).catch(() => {})
    return record
  }

  /** Not a word to the screen before it is on the disk: who is inside must not depend on a battery. */
  async #admitAlone(shown: Shown, { verdict, codeHash: hash }: AloneAnswer, extra: Extra): Promise<ScanRecord> {
    const { db, own, records, clock } = this.#deps
    const { scan } = shown
    if (!hash || !this.#queue) throw new Error('an admission without a code')
    const record: ScanRecord = { ...this.#newRecord(shown, verdict, extra), sent: false }
    const passage = ownPassage(shown, hash, { hlc: verdict.hlc, confirmed: false })
    // In memory first: the same ticket may be held out again before the disk has answered.
    own.put(passage)
    try {
      await this.#queue.add({ scan: { ...scan, offline_admitted: true }, record }, [
        { store: 'own', key: scan.scan_id, value: passage },
        keep('hlc', format(clock.hlc.now())),
      ])
    } catch {
      own.remove(scan.scan_id)
      return this.#failed(shown, words.alone.diskFull)
    }
    await write(db, records.put(record)).catch(() => {})
    void this.#queue.drain()
    return record
  }

  /** The box's answer to a scan that was decided alone meanwhile. */
  async #tooLate(scanId: string, late: Asked): Promise<void> {
    const { records, db } = this.#deps
    const record = records.find(scanId)
    if (late.asked !== 'verdict' || !record) return
    this.#deps.clock.hlc.hear(late.verdict.hlc)
    await write(db, records.put({ ...record, afterwards: late.verdict }))
    const letIn = late.verdict.verdict === 'ADMIT' && late.verdict.direction === 'in'
    // The box has counted somebody in whom this screen sent away: the right goes back to the ticket.
    if (letIn && record.class !== 'admit') await this.#takeBack(scanId)
  }

  async #takeBack(scanId: string): Promise<void> {
    const { box, supervisorName, records, db } = this.#deps
    const body = { actor: supervisorName() ?? words.overrides.scanner, reason: words.overrides.tooLate }
    const { data } = await box.client.POST('/v1/scan/{scan_id}/undo', { params: { path: { scan_id: scanId } }, body })
    const record = records.find(scanId)
    if (data && record) await write(db, records.put({ ...record, undone: true }))
  }

  /** The box has it. @param by its origin */
  #sent({ scan, record }: QueueItem, verdict: Verdict, by: string): Change[] {
    const { records, own, clock } = this.#deps
    clock.hlc.hear(verdict.hlc)
    const shown = records.find(scan.scan_id) ?? record
    const sent: ScanRecord = { ...shown, sent: true, afterwards: verdict }
    const changes = records.put(sent)
    own.confirm(scan.scan_id, verdict.hlc, by)
    const passage = own.get(scan.scan_id)
    if (passage) {
      this.#noteUse(passage, verdict.occurrence ?? 0)
      changes.push({ store: 'own', key: scan.scan_id, value: passage })
      this.#deps.onOwnScan()
    }
    const stands = (verdict.verdict === 'ADMIT' || verdict.verdict === 'EXIT') && verdict.flag === undefined
    return stands ? changes : [...changes, ...records.file('doubles', sent)]
  }

  /** The box will not take it, however often: it stays here where a person sees it. */
  #refused({ scan, record }: QueueItem, message: string): Change[] {
    const { records } = this.#deps
    const refused: ScanRecord = { ...(records.find(scan.scan_id) ?? record), refusal: message }
    return [...records.put(refused), ...records.file('aside', refused)]
  }

  #noteUse({ codeHash: hash, zone, direction, use }: OwnPassage, occurrence: number): void {
    const data = {
      code_hashes: [toBase64(hash)],
      zone,
      direction,
      checkpoint: use.checkpoint,
      hlc: use.hlc,
      occurrence,
    }
    this.#deps.follower.hear({ kind: 'use', data })
  }

  #unknown({ scan, checkpoint }: Shown): Verdict {
    return this.#verdict({ scan, checkpoint }, { verdict: 'UNKNOWN', reason: words.noCode, evidence: null })
  }

  #failed(shown: Shown, message: string): Promise<ScanRecord> {
    const verdict = this.#verdict(shown, { verdict: 'BLOCKED', reason: message, evidence: { detail: message } })
    return this.#record(shown, verdict, { alone: false, failed: true })
  }

  #verdict(
    { scan, checkpoint }: Pick<Shown, 'scan' | 'checkpoint'>,
    said: Pick<Verdict, 'verdict' | 'reason' | 'evidence'>,
  ): Verdict {
    return {
      ...{ scan_id: scan.scan_id, ...said, severity: 'refuse', direction: checkpoint.direction },
      ...{ tier_name: null, tier_colour: null, seat_label: null, occurrence: null },
      ...{ hlc: format(this.#deps.clock.hlc.now()), confidence: 'provisional' },
    }
  }

  async #record(shown: Shown, verdict: Verdict, extra: Extra): Promise<ScanRecord> {
    const { records, db } = this.#deps
    const record = this.#newRecord(shown, verdict, extra)
    // The list is for looking back: a disk that is full keeps nobody waiting at the gate.
    void write(db, records.put(record)).catch(() => {})
    return record
  }

  #newRecord({ scan, at, checkpoint }: Shown, verdict: Verdict, extra: Extra): ScanRecord {
    const operator = this.#deps.supervisorName()
    const { scan_id: scanId } = scan
    return { scanId, at, checkpoint: checkpoint.id, class: verdictClass(verdict.verdict), verdict, operator, ...extra }
  }
}

type Extra = Pick<ScanRecord, 'alone' | 'unheardMs' | 'failed' | 'box' | 'unheard'>

interface Shown {
  scan: ScanRequest
  /** Unix ms. */
  at: number
  checkpoint: Checkpoint
}

function ownPassage(
  { scan, checkpoint, at }: Shown,
  hash: Uint8Array,
  { hlc, ...has }: { hlc: string; confirmed: boolean; by?: string },
): OwnPassage {
  const { direction, id } = checkpoint
  const use = { checkpoint: id, at, hlc, occurrence: 0 }
  return { scanId: scan.scan_id, codeHash: hash, zone: zoneOf(checkpoint), direction, use, ...has }
}

/** What the box would refuse to read, and no printer ever printed. */
function isSendable(payload: string): boolean {
  return payload !== '' && payload.isWellFormed() && new TextEncoder().encode(payload).length <= MAX_PAYLOAD_BYTES
}
