/**
 * Looks in pretix for what a call may have done already, where its nonce cannot tell: pretix knows a repeated nonce at one list and for one
 * device, and takes an annulment once. A check-in of the same ticket, type and time to the millisecond is the same passage.
 */
import type { Call } from './call.ts'
import type { Next } from './next-step.ts'
import type { ShopSide, TheirCheckin } from './shop-side.ts'

type Stop = Extract<Next, { next: 'wait' | 'pause' }>

export interface LookDeps {
  shop: ShopSide
  /** When somebody went in by a scan, or by a supervisor's decision about it, unix ms. */
  admittedAt: (scan: string, decided: boolean) => number | undefined
}

/** @returns whether pretix has this passage; undefined where it cannot be asked for */
export async function hasPassage(
  call: Extract<Call, { do: 'redeem' | 'annul' }>,
  { shop, admittedAt }: LookDeps,
): Promise<boolean | Stop | undefined> {
  const [type, at] =
    call.do === 'redeem' ? [call.type, Date.parse(call.at)] : ['entry', admittedAt(call.scan, call.decided)]
  const theirs = at === undefined ? undefined : await shop.checkinsOf(call.ticket)
  if (theirs === undefined || 'next' in theirs) return theirs
  return theirs.some((one) => one.type === type && one.at === at)
}

/** @returns whether pretix has the exit that is sent in place of an annulment; undefined where it cannot be asked for */
export async function hasSentOut(
  call: Extract<Call, { do: 'annul' }>,
  { shop }: Pick<LookDeps, 'shop'>,
): Promise<boolean | Stop | undefined> {
  const theirs = await shop.checkinsOf(call.ticket)
  if (theirs === undefined || 'next' in theirs) return theirs
  return theirs.some(({ type, at }) => type === 'exit' && at === Date.parse(call.at))
}

/**
 * Answers go with the nonce of a passage that pretix has, which makes no second check-in where pretix knows it: at its own list, and for its
 * own device or as the last one there.
 * @returns the list to send them to; null where they would be a second check-in
 */
export async function listForAnswers(
  call: Extract<Call, { do: 'answer' }>,
  { shop }: Pick<LookDeps, 'shop'>,
): Promise<number | Stop | null> {
  const theirs = await shop.checkinsOf(call.ticket)
  if (theirs === undefined) return call.list
  if ('next' in theirs) return theirs
  const passage = theirs.find(({ type, at }) => type === 'entry' && at === Date.parse(call.at))
  if (!passage) return null
  const isLast = passage === lastOf(theirs.filter(({ list }) => list === passage.list))
  return isLast || passage.device === shop.device ? passage.list : null
}

function lastOf(checkins: readonly TheirCheckin[]): TheirCheckin | undefined {
  return checkins.toSorted((a, b) => a.at - b.at).at(-1)
}
