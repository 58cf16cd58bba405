/** `POST /v1/scan`: takes a code and answers with a verdict. A refusal is a verdict as well, and not an error. */
import { type Static, Type } from 'typebox'
import { MOST_IN_GROUP } from '../group.ts'
import { KNOWN_DETAILS } from '../known-details.ts'
import { Colour, Count, Direction, Hlc, Id, Nullable, Shape, Time, Words } from './terms.ts'
import { QUESTION_KINDS } from './ticket-details.ts'

/** Questions that one scan answers. A shop has a handful. */
export const MOST_ANSWERS = 50

/** Answers of a person at the gate to the questions of a verdict. */
export const GivenAnswers = Type.Array(
  Shape('GivenAnswer', {
    question: Type.String({ minLength: 1, maxLength: 128, description: 'Id of the question' }),
    answer: Type.String({
      maxLength: 1000,
      description:
        'As text: `true` or `false`; the id of an option, several joined by commas; 2026-11-22; 19:05; 2026-11-22T19:05; an ISO 3166 country',
    }),
  }),
  { maxItems: MOST_ANSWERS },
)
export type GivenAnswers = Static<typeof GivenAnswers>

export const ScanRequest = Shape('ScanRequest', {
  scan_id: Id,
  // JSON Schema counts characters; the bound of 1 KiB is in bytes, and the handler checks those.
  payload: Type.String({ minLength: 1, maxLength: 1024, description: 'The code as read, at most 1 KiB of UTF-8' }),
  checkpoint: Id,
  device_hlc: Hlc,
  offline_admitted: Type.Boolean({ description: 'The scanner already let this person in, alone' }),
  observed_at: Time,
  answers: Type.Optional(GivenAnswers),
  signed_on: Type.Optional(
    Type.Unsafe<string>({
      ...Id,
      description:
        'Only for what the scanner admitted alone: the sign-on there under which it did. The box knows whose it is, and takes none of another scanner',
    }),
  ),
  asked_by: Type.Optional(
    Type.Unsafe<string>({
      ...Id,
      description:
        'The scan of the same code here whose verdict asked the questions: a rotating code counts as fresh if it was fresh then, for 15 minutes',
    }),
  ),
})
export type ScanRequest = Static<typeof ScanRequest>

export const MAX_SCANS_AT_ONCE = 200

/** `POST /v1/scans`: the scans that a scanner has admitted offline, in their order at the gate. */
export const ScansRequest = Shape('ScansRequest', {
  scans: Type.Array(
    Shape('AdmittedScan', {
      ...ScanRequest.properties,
      offline_admitted: Type.Literal(true, {
        description: 'A person who waits for an answer is asked about with POST /v1/scan',
      }),
    }),
    { minItems: 1, maxItems: MAX_SCANS_AT_ONCE },
  ),
})
export type ScansRequest = Static<typeof ScansRequest>

/** A client of version 0.1 does not send it, and takes every `RefusedScan` for final. */
export const ScansQuery = Shape('ScansQuery', {
  waits: Type.Optional(
    Type.Literal('each', {
      description:
        'A scan whose ticket has to wait is answered in its place, with `rate_limited`. When absent, the whole upload is.',
    }),
  ),
})
export type ScansQuery = Static<typeof ScansQuery>

export const VERDICTS = [
  'ADMIT',
  'EXIT',
  'ALREADY_USED',
  'REDIRECT',
  'NOT_VALID_NOW',
  'STALE_CODE',
  'REVOKED',
  'NOT_PAID',
  'BLOCKED',
  'UNKNOWN',
] as const
export type VerdictName = (typeof VERDICTS)[number]

/** The earlier use that is the reason of a refusal. */
export const EarlierUse = Shape('EarlierUse', {
  checkpoint: Type.String(),
  checkpoint_name: Type.String(),
  gate_name: Type.String(),
  used_at: Time,
  seconds_ago: Count,
  hlc: Hlc,
  occurrence: Count,
})
export const SendTo = Shape('SendTo', {
  checkpoint: Type.String(),
  checkpoint_name: Type.String(),
  gate_name: Type.String(),
  walking_seconds: Nullable(Count, 'where the event has no map, or no way on it'),
})
export const Window = Shape('Window', {
  valid_from: Nullable(Time, 'where it has no beginning'),
  valid_until: Nullable(Time, 'where it has no end'),
  of: Type.Optional(Type.Enum(['ticket', 'gate'], { description: 'Their owner; an older box does not say' })),
  time_zone: Type.Optional(Type.String({ maxLength: 64, description: 'IANA zone of the event, to show them in' })),
})
export const CodeAge = Shape('CodeAge', {
  code_age_seconds: Type.Integer({ description: 'Negative when the code is from the future: that clock is ahead' }),
  phone_clock: Type.Boolean({ description: "The phone's clock is off, by about this much: the ticket may be fine" }),
})
const Code = Type.Optional(
  Type.Enum([...KNOWN_DETAILS], {
    description:
      'What the text says, for a client that speaks another language; absent where a shop or a person worded it',
  }),
)
export const Revocation = Shape('Revocation', {
  revoked_at: Nullable(Time, 'where the box was not told when'),
  revoked_reason: Nullable(Type.String(), 'where nobody gave one'),
  code: Code,
})
export const Detail = Shape('Detail', {
  detail: Type.String(),
  code: Code,
  held: Type.Optional(Type.Literal(true, { description: 'A gate is on hold: nothing is wrong with the ticket' })),
})

export const Evidence = Type.Union([EarlierUse, SendTo, Window, CodeAge, Revocation, Detail, Type.Null()], {
  description: 'null for ADMIT, EXIT and UNKNOWN',
})
export type Evidence = Static<typeof Evidence>

/** A question that the ticket's shop wants asked at the door. */
export const AskedQuestion = Shape('AskedQuestion', {
  id: Type.String(),
  text: Type.String(),
  kind: Type.Enum([...QUESTION_KINDS]),
  required: Type.Boolean({ description: 'Nobody is admitted before it is answered, unless its kind is not_askable' }),
  options: Type.Optional(Type.Array(Shape('QuestionOption', { id: Type.String(), text: Type.String() }))),
  depends_on: Type.Optional(
    Shape(
      'DependsOn',
      { question: Type.String(), values: Type.Array(Type.String()) },
      'Ask it only where that question of this list gets one of these answers',
    ),
  ),
  problem: Type.Optional(Type.String({ description: 'The reason why the answer that was sent is none' })),
})
export type AskedQuestion = Static<typeof AskedQuestion>

/** Number of the order's tickets that are inside. Add-ons are not counted. */
export const OrderState = Shape('OrderState', {
  code: Type.String({ description: "The order's code in the shop" }),
  inside: Count,
  of: Count,
  more: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'So many others may enter here now: `POST /v1/scan/{scan_id}/group` admits them',
    }),
  ),
  own_scan: Type.Optional(
    Type.Integer({ minimum: 1, description: 'So many others need their own code scanned, which says why' }),
  ),
})
export type OrderState = Static<typeof OrderState>

/** Fields of a ticket beside its tier, where its shop has given them. An older client ignores these. */
const ofDetails = {
  holder: Type.Optional(
    Type.String({ description: 'Name, only where the event file lets scanners see it; never in the manifest' }),
  ),
  note: Type.Optional(
    Type.String({ description: 'For the door, only where the event file lets scanners see it; never in the manifest' }),
  ),
  product: Type.Optional(Type.String({ description: 'Product and variation that were bought' })),
  attention: Type.Optional(
    Shape(
      'Attention',
      { text: Type.Optional(Type.String()) },
      'A person has to look before the next one: the shop asks for it',
    ),
  ),
  addons: Type.Optional(Type.Array(Type.String(), { description: 'Add-ons of this ticket, by name' })),
  order: Type.Optional(OrderState),
  questions: Type.Optional(
    Type.Array(AskedQuestion, {
      description:
        'With BLOCKED: answer the required ones, and send the code again with `answers` and `asked_by`. With ADMIT: those that may be asked, and are answered by `POST /v1/scan/{scan_id}/answers`',
    }),
  ),
  answered: Type.Optional(Type.Integer({ minimum: 1, description: 'So many of the answers were stored' })),
}

const OF_A_TICKET = 'where no ticket was found'

export const Verdict = Shape('Verdict', {
  scan_id: Type.String(),
  verdict: Type.Enum([...VERDICTS]),
  severity: Type.Enum(['admit', 'refuse', 'redirect', 'retry']),
  reason: Type.String({ description: 'One sentence for a person at a gate' }),
  tier_name: Nullable(Type.String(), OF_A_TICKET),
  tier_colour: Nullable(Colour, `${OF_A_TICKET}, or its tier has left the event`),
  seat_label: Nullable(Type.String(), `${OF_A_TICKET}, or it has no seat`),
  occurrence: Nullable(Count, OF_A_TICKET),
  hlc: Hlc,
  direction: Direction,
  confidence: Type.Enum(['confirmed', 'provisional'], {
    description: 'confirmed: no other gate can have admitted this ticket; provisional: another may have, unheard',
  }),
  evidence: Evidence,
  flag: Type.Optional(
    Type.String({ description: 'A person is inside whom this verdict would have refused: the case opened for it' }),
  ),
  supervised: Type.Optional(Type.Literal(true, { description: 'Refused by the box, and admitted by a supervisor' })),
  supervision: Type.Optional(
    Shape(
      'Supervision',
      { actor: Type.String(), reason: Type.String() },
      'The supervisor and the reason, with `supervised`',
    ),
  ),
  ...ofDetails,
})
export type Verdict = Static<typeof Verdict>

/**
 * A scan of several that has no verdict; code and message as in an error of `POST /v1/scan`. It will always be refused, unless the
 * code is `rate_limited`: it was not recorded then, and is sent again.
 */
export const RefusedScan = Shape('RefusedScan', {
  scan_id: Type.String(),
  code: Type.String(),
  message: Type.String(),
  reason: Type.Optional(Type.String()),
  retry_after_seconds: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Only with `rate_limited`: send this scan again after so long' }),
  ),
})
export type RefusedScan = Static<typeof RefusedScan>

export const ScansAnswer = Shape('ScansAnswer', {
  verdicts: Type.Array(Type.Union([Verdict, RefusedScan]), { description: 'One for each scan, in its order' }),
})
export type ScansAnswer = Static<typeof ScansAnswer>

/** A person's decision about a scan that the box has answered: who decided, and why. */
export const OverrideRequest = Shape('OverrideRequest', { actor: Words, reason: Words })
export type OverrideRequest = Static<typeof OverrideRequest>

export const Undone = Shape('Undone', {
  scan_id: Type.String(),
  undone: Type.Literal(true),
  undone_at: Time,
  occurrence: Type.Unsafe<number>({ ...Count, description: 'Admissions that the ticket has left' }),
  hlc: Hlc,
})
export type Undone = Static<typeof Undone>

/**
 * `POST /v1/scan/{scan_id}/group`: admits others of the order whose ticket that scan admitted. Each is a scan of its own, under an id
 * that the device has made up.
 */
export const GroupRequest = Shape('GroupRequest', {
  scan_ids: Type.Array(Id, { minItems: 1, maxItems: MOST_IN_GROUP, uniqueItems: true }),
  device_hlc: Hlc,
  observed_at: Time,
})
export type GroupRequest = Static<typeof GroupRequest>

export const GroupAnswer = Shape('GroupAnswer', {
  verdicts: Type.Array(Verdict, {
    description: 'One for each ticket that may have entered: fewer than ids where the order has no more',
  }),
})
export type GroupAnswer = Static<typeof GroupAnswer>

/** `POST /v1/scan/{scan_id}/answers`: answers that are given after the admission. */
export const AnswersRequest = Shape('AnswersRequest', { answers: GivenAnswers })
export type AnswersRequest = Static<typeof AnswersRequest>

export const AnswersTaken = Shape('AnswersTaken', {
  scan_id: Type.String(),
  answered: Type.Integer({ minimum: 0, description: 'Questions of this ticket that have an answer of this scan' }),
  questions: Type.Array(AskedQuestion, { description: 'Those whose answer was none, each with its problem' }),
})
export type AnswersTaken = Static<typeof AnswersTaken>
