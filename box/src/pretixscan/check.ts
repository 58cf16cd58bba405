/** A question of an app about a code: identified, answered by the same `redeem` as every scan, and told apart from a repeated one. */
import type { KeyObject } from 'node:crypto'
import { format } from '@gatehouse/proto/hlc.ts'
import type { GivenAnswers, ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Device } from '../ca/roster.ts'
import { iso } from '../clock/iso.ts'
import type { Checkpoint } from '../event/event.ts'
import type { RedeemDeps } from '../scan/redeem.ts'
import { redeemWithinLimit } from '../scan/upload-route.ts'
import { printedCodeOf } from '../tickets/current.ts'
import { readSignedCode } from '../tickets/pretix-sig1.ts'
import type { Handles } from './handles.ts'
import { answersFrom, numbersOf } from './questions.ts'
import type { Repeats } from './repeat.ts'
import { askedTwice, isAsking } from './result.ts'

export interface CheckDeps extends RedeemDeps {
  repeats: Repeats
  handles: Handles
  /** The shop's keys, by which a code that is new here is told from one that is none. */
  signers: readonly KeyObject[]
  /** Unix ms. */
  now: () => number
}

export interface AskedCode {
  /** As the app has read it. */
  ticket: string
  checkpoint: Checkpoint
  /** By the app's number of the question. */
  answers: readonly (readonly [number, string])[]
  nonce?: string | null | undefined
  /** For somebody whom the app let in without the box: when. */
  admittedAt?: number | undefined
}

/** The reply that carries the answer. */
export interface AnswerTo {
  raw: {
    readonly destroyed: boolean
    readonly writableFinished: boolean
    once(event: 'close', listener: () => void): unknown
  }
}

export interface Checked {
  verdict: Verdict
  /** Said in place of the verdict's own sentence. */
  explanation?: string
  order?: { code: string; position: number | null }
  /** The shop's words about a ticket that was admitted; they are in the verdict's sentence, too. */
  said?: string
}

/** A person scans a ticket twice within this, seconds, when the first answer did not come. */
const TWICE_WITHIN = 60

/**
 * @param reply of the question: its end says whether the answer may have been read
 * @throws GatehouseError as `redeem`
 */
export async function checkCode(asked: AskedCode, device: Device, reply: AnswerTo, deps: CheckDeps): Promise<Checked> {
  const { checkpoint, nonce, admittedAt } = asked
  const payload = payloadOf(asked.ticket, device, deps)
  const question = { device: device.id, checkpoint: checkpoint.id, payload, nonce }
  const before = asked.answers.length > 0 ? deps.repeats.asked(question) : undefined
  const answers = answersFrom(asked.answers, before)
  const { scanId, lose } = deps.repeats.begin({ ...question, answers: JSON.stringify(answers) })
  onLost(reply, lose)
  const scan = scanOf({ scanId, payload, checkpoint, answers, askedBy: before?.scanId, admittedAt }, deps)
  const verdict = JSON.parse(await redeemWithinLimit(scan, device, deps)) as Verdict
  if (isAsking(verdict)) deps.repeats.ask(question, numbersOf(scanId, verdict.questions ?? []))
  if (verdict.verdict === 'ADMIT') deps.repeats.admit(question)
  const explanation = deps.repeats.hasAdmitted(question) ? twiceOf(verdict) : signedOf(verdict, payload, deps)
  return { verdict, ...(explanation !== undefined && { explanation }), ...ofTicket(verdict, payload, deps) }
}

/** The order of the ticket whose code it was, and what its shop says of it. Not for a code that opens nothing: it may be a photograph. */
function ofTicket(verdict: Verdict, payload: string, { tickets, codes }: CheckDeps): Pick<Checked, 'order' | 'said'> {
  const ticket = isOfTicket(verdict) ? tickets.openedBy(codes.read(payload)) : undefined
  if (!ticket) return {}
  const { orderCode: code, position, statusDetail: said } = ticket
  const isSaid = verdict.verdict === 'ADMIT' && said !== null && verdict.reason.includes(said)
  return { ...(code !== null && { order: { code, position } }), ...(isSaid && { said }) }
}

function isOfTicket(verdict: Verdict): boolean {
  return OF_THE_TICKET.has(verdict.verdict) || isAsking(verdict)
}

const OF_THE_TICKET: ReadonlySet<Verdict['verdict']> = new Set([
  'ADMIT',
  'EXIT',
  'ALREADY_USED',
  'REDIRECT',
  'NOT_VALID_NOW',
  'NOT_PAID',
])

/** An answer that was not handed to the network as a whole, when its connection closed, was read by nobody. */
function onLost({ raw }: AnswerTo, lose: () => void): void {
  if (raw.destroyed) lose()
  else raw.once('close', () => raw.writableFinished || lose())
}

interface Scanned {
  scanId: string
  payload: string
  checkpoint: Checkpoint
  answers: GivenAnswers
  askedBy: string | undefined
  admittedAt: number | undefined
}

function scanOf(scanned: Scanned, { now }: Pick<CheckDeps, 'now'>): ScanRequest {
  const { scanId, payload, checkpoint, answers, askedBy, admittedAt } = scanned
  const at = now()
  return {
    scan_id: scanId,
    payload,
    checkpoint: checkpoint.id,
    // These apps tell nothing of their clocks: the box's own stands for them.
    device_hlc: format({ ms: at, count: 0 }),
    offline_admitted: admittedAt !== undefined,
    observed_at: iso(admittedAt ?? at),
    ...(answers.length > 0 && { answers }),
    ...(askedBy !== undefined && { asked_by: askedBy }),
  }
}

/**
 * The code without what a scanner's hardware puts into it. A ticket that a search has found counts as if its printed code were shown:
 * one that only its phone opens is refused, and the box says so.
 */
function payloadOf(text: string, device: Device, { handles, tickets }: Pick<CheckDeps, 'handles' | 'tickets'>): string {
  const ref = handles.refOf(device.id, text)
  const ticket = ref ? tickets.byRef(ref) : undefined
  return (ticket ? printedCodeOf(ticket) : bare(text)) || 'empty'
}

function bare(text: string): string {
  return text.replace(/\\0000(?:01|03|26|27)/g, '').replace(/\p{Cc}/gu, '')
}

const SIGNED =
  'The shop has signed this code, and this box does not have the ticket: it is newer than the last import, or was cancelled. Send to the ticket desk.'

/** A signature admits nobody: a cancelled order has a fresh code with a good one. */
function signedOf({ verdict }: Verdict, payload: string, { signers }: CheckDeps): string | undefined {
  if (verdict !== 'UNKNOWN' || signers.length === 0) return undefined
  return readSignedCode(payload, signers) ? SIGNED : undefined
}

/** Words for the person at the gate where this device's first answer may have been lost after it was sent. */
function twiceOf({ verdict, evidence }: Verdict): string | undefined {
  if (verdict !== 'ALREADY_USED' || !evidence || !('seconds_ago' in evidence)) return undefined
  return evidence.seconds_ago <= TWICE_WITHIN ? askedTwice(evidence.seconds_ago) : undefined
}
