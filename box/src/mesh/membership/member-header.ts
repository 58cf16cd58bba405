/**
 * A header by which a member says who it is before its request is read: a stranger behind the same address must not use up the
 * rate of a box. It carries no right, and nothing else is decided by it. A box of version 0.1 sends none. Pure.
 */
import type { KeyObject } from 'node:crypto'
import { isSigned, signStatement } from '../statement.ts'

export const MEMBER_HEADER = 'gatehouse-member'

/** The clocks of two boxes may be this far apart, ms: a header is only of use to the box that it was sent to. */
const GOOD_MS = 300_000
const FORM = /^([a-z0-9][a-z0-9-]{0,62}) (\d{1,15}) ([A-Za-z0-9+/]{86}==)$/

interface Asking {
  /** The event's id. */
  event: string
  /** Id of the box that is asked. */
  to: string
}

/**
 * @param asking `by` is the id of the member, `at` unix ms
 * @param key Ed25519, private: its log key
 */
export function memberHeader({ event, to, by, at }: Asking & { by: string; at: number }, key: KeyObject): string {
  return `${by} ${at} ${signStatement('list request', { event, to, by, at }, key)}`
}

/**
 * @param header from anybody
 * @param keyOf public log keys of the members
 * @returns the id of the member that has signed it a moment ago, for this box; undefined where nobody has
 */
export function memberOf(
  header: string | readonly string[] | undefined,
  { event, to, now, keyOf }: Asking & { now: number; keyOf: (id: string) => KeyObject | undefined },
): string | undefined {
  const [, by, sent, signature] = (typeof header === 'string' ? FORM.exec(header) : null) ?? []
  const at = Number(sent)
  const key = by === undefined ? undefined : keyOf(by)
  if (!key || Math.abs(now - at) > GOOD_MS) return undefined
  return isSigned('list request', { event, to, by, at }, signature, key) ? by : undefined
}
