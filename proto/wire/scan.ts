/** `POST /v1/scan`: a code goes in, a verdict comes out; a refusal is a verdict too, never an error. */
import { type Static, Type } from 'typebox'
import { Colour, Count, Direction, Hlc, Id, Nullable, Shape, Time, Words } from './terms.ts'

export const ScanRequest = Shape('ScanRequest', {
  scan_id: Id,
  // JSON Schema counts characters; the bound of 1 KiB is in bytes, and the handler checks those.
  payload: Type.String({ minLength: 1, maxLength: 1024, description: 'The code as read, at most 1 KiB of UTF-8' }),
  checkpoint: Id,
  device_hlc: Hlc,
  offline_admitted: Type.Boolean({ description: 'The scanner already let this person in, alone' }),
  observed_at: Time,
})
export type ScanRequest = Static<typeof ScanRequest>

export const MAX_SCANS_AT_ONCE = 200

/** `POST /v1/scans`: what a scanner let in alone, in the order of the gate. */
export const ScansRequest = Shape('ScansRequest', {
  scans: Type.Array(
    Shape('AdmittedScan', {
      ...ScanRequest.properties,
      offline_admitted: Type.Literal(true, {
        description: 'Whoever waits for an answer is asked for with POST /v1/scan',
      }),
    }),
    { minItems: 1, maxItems: MAX_SCANS_AT_ONCE },
  ),
})
export type ScansRequest = Static<typeof ScansRequest>

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

/** The earlier use that a refusal rests on. */
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
  walking_seconds: Nullable(Count),
})
export const Window = Shape('Window', { valid_from: Nullable(Time), valid_until: Nullable(Time) })
export const CodeAge = Shape('CodeAge', {
  code_age_seconds: Type.Integer({ description: 'Negative when the code is from the future: that clock is ahead' }),
  phone_clock: Type.Boolean({ description: "The phone's clock is off, by about this much: the ticket may be fine" }),
})
export const Revocation = Shape('Revocation', { revoked_at: Nullable(Time), revoked_reason: Nullable(Type.String()) })
export const Detail = Shape('Detail', {
  detail: Type.String(),
  held: Type.Optional(Type.Literal(true, { description: 'A gate is on hold: nothing is wrong with the ticket' })),
})

export const Evidence = Type.Union([EarlierUse, SendTo, Window, CodeAge, Revocation, Detail, Type.Null()])
export type Evidence = Static<typeof Evidence>

export const Verdict = Shape('Verdict', {
  scan_id: Type.String(),
  verdict: Type.Enum([...VERDICTS]),
  severity: Type.Enum(['admit', 'refuse', 'redirect', 'retry']),
  reason: Type.String({ description: 'One sentence for a person at a gate' }),
  tier_name: Nullable(Type.String()),
  tier_colour: Nullable(Colour),
  seat_label: Nullable(Type.String()),
  occurrence: Nullable(Count),
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
})
export type Verdict = Static<typeof Verdict>

/** One scan of many that will be refused however often it is sent; code and message as an error of `POST /v1/scan` has them. */
export const RefusedScan = Shape('RefusedScan', { scan_id: Type.String(), code: Type.String(), message: Type.String() })
export type RefusedScan = Static<typeof RefusedScan>

export const ScansAnswer = Shape('ScansAnswer', {
  verdicts: Type.Array(Type.Union([Verdict, RefusedScan]), { description: 'One for each scan, in its order' }),
})
export type ScansAnswer = Static<typeof ScansAnswer>

/** What a person decides about a scan that the box has answered: who, and why. */
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
