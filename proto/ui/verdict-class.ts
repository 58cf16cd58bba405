/**
 * The ten verdicts, as nine things that a crew can tell apart at arm's length. Each class has a colour of its own
 * (`--verdict-<class>` in tokens.css), a shape, a word, a sound and a vibration: colour never speaks alone.
 */
import type { VerdictName } from '../wire/scan.ts'

export const VERDICT_CLASSES = [
  'admit',
  'exit',
  'used',
  'elsewhere',
  'not-now',
  'stale',
  'invalid',
  'revoked',
  'supervisor',
] as const
export type VerdictClass = (typeof VERDICT_CLASSES)[number]

/** A held gate is nothing that the ticket did: it is answered as "ask a supervisor", like an unpaid or a blocked one. */
export function verdictClass(verdict: VerdictName): VerdictClass {
  return CLASS[verdict]
}

const CLASS: Record<VerdictName, VerdictClass> = {
  ADMIT: 'admit',
  EXIT: 'exit',
  ALREADY_USED: 'used',
  REDIRECT: 'elsewhere',
  NOT_VALID_NOW: 'not-now',
  STALE_CODE: 'stale',
  REVOKED: 'revoked',
  NOT_PAID: 'supervisor',
  BLOCKED: 'supervisor',
  UNKNOWN: 'invalid',
}

/** Outlines in a box of 48 by 48, drawn as one path with `fill-rule="evenodd"`; all nine differ in silhouette. */
export const VERDICT_SHAPE: Record<VerdictClass, string> = {
  // A tick.
  admit: 'M4 26 L11 19 L19 27 L37 8 L44 15 L19 41 Z',
  // A door with an arrow that leaves it.
  exit: 'M6 5 H26 V12 H13 V36 H26 V43 H6 Z M22 20 H32 V12 L45 24 L32 36 V28 H22 Z',
  // Two rings, one over the other: twice.
  used: 'M18 8 A16 16 0 1 0 18 40 A16 16 0 1 0 18 8 Z M18 14 A10 10 0 1 1 18 34 A10 10 0 1 1 18 14 Z M33 9 A16 16 0 0 1 33 39 L31 33 A10 10 0 0 0 31 15 Z',
  // An arrow.
  elsewhere: 'M3 19 H25 V7 L45 24 L25 41 V29 H3 Z',
  // A clock.
  'not-now':
    'M24 3 A21 21 0 1 0 24 45 A21 21 0 1 0 24 3 Z M24 9 A15 15 0 1 1 24 39 A15 15 0 1 1 24 9 Z M21.5 13 H26.5 V23 L34 30 L30.5 33.5 L21.5 25 Z',
  // An hourglass.
  stale: 'M9 4 H39 V11 L28 24 L39 37 V44 H9 V37 L20 24 L9 11 Z M15 10 L24 20 L33 10 Z',
  // A cross.
  invalid: 'M10 4 L24 18 L38 4 L44 10 L30 24 L44 38 L38 44 L24 30 L10 44 L4 38 L18 24 L4 10 Z',
  // An octagon with a bar.
  revoked: 'M15 3 H33 L45 15 V33 L33 45 H15 L3 33 V15 Z M11 20 H37 V28 H11 Z',
  // A raised triangle with an exclamation mark.
  supervisor: 'M24 3 L46 43 H2 Z M21.5 16 H26.5 V30 H21.5 Z M21.5 33 H26.5 V38 H21.5 Z',
}
