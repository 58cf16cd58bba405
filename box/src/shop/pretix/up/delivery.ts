/**
 * One entry on its way to pretix: sends its call, and does what follows from each answer until pretix has it, or it has to wait. What a
 * further request rests on is on disk before that request is sent, so that a power cut at any moment repeats at most the last one.
 */
import type { Call } from './call.ts'
import { type Answer, type Next, type NoAnswer, nextStep, type Refusal, type Step } from './next-step.ts'
import { codeDigest, type Waiting } from './outbox.ts'
import { requestOf, requestOfSale } from './request.ts'
import type { Position, ShopSide } from './shop-side.ts'

export interface DeliveryDeps {
  /** Id of the event here. */
  event: string
  shop: ShopSide
  signal: AbortSignal
  /** Puts this on disk, with the case that it opens. */
  keep(waiting: Waiting, conflict?: { refusal: Refusal; done: 'forced' | 'sent_out' | 'waits' }): Promise<void>
}

type PassageCall = Exclude<Call, { do: 'sell' }>

/** `stop`: nothing can be sent now. */
export type Delivered =
  | { readonly end: 'done' | 'not_of_shop' }
  | { readonly end: 'waits'; readonly waiting: Waiting }
  | { readonly end: 'stop'; readonly waiting: Waiting; readonly why: Extract<Next, { next: 'wait' | 'pause' }> }

/** Milliseconds until a ticket is looked for again that another box's import has not brought yet. */
const UNKNOWN_TICKET_MS = 30_000

/**
 * @param waiting how it goes on
 * @param now unix ms
 */
export async function deliver(call: Call, waiting: Waiting, now: number, deps: DeliveryDeps): Promise<Delivered> {
  if (call.do === 'sell') return await deliverSale(call, waiting, now, deps)
  const { shop } = deps
  let state = waiting
  let position = positionOf(call, shop)
  let refreshed = false
  if (position === 'not_of_shop') return { end: 'not_of_shop' }
  if (position === 'unknown')
    return { end: 'waits', waiting: { ...state, attempts: state.attempts + 1, nextAt: now + UNKNOWN_TICKET_MS } }
  // Only an annulment needs to know whether it was sent before.
  if (call.do === 'annul' && !state.step.asExit && !state.again) await deps.keep({ ...state, again: true, nextAt: now })
  for (;;) {
    const answer = await send(call, state.step, position, deps)
    const next = nextStep(call, state, answer)
    if (next.next === 'done') return { end: 'done' }
    if (next.next === 'wait' || next.next === 'pause') {
      const again = { ...state, again: true, attempts: state.attempts + 1, nextAt: now }
      return { end: 'stop', waiting: again, why: next }
    }
    const triedCode = position ? codeDigest(position.secret) : null
    if (next.next === 'by_position' && !refreshed && call.ticket !== null) {
      refreshed = true
      await shop.refresh(call.ticket)
      const newest = positionOf(call, shop)
      if (typeof newest !== 'string' && newest?.secret !== position?.secret) {
        position = newest
        continue
      }
    }
    const { refusal } = next
    if (next.next === 'park') {
      const parked = { ...state, again: true, nextAt: null, refusal, triedCode }
      await deps.keep(parked, { refusal, done: 'waits' })
      return { end: 'waits', waiting: parked }
    }
    state = { ...state, ...stepped(state.step, next.next), refusal, triedCode, nextAt: now }
    await deps.keep(state, CONFLICTS[next.next] && { refusal, done: CONFLICTS[next.next] ?? 'forced' })
  }
}

/** The order for a sale: nothing of a ticket that pretix has is needed, and nothing is forced. */
async function deliverSale(
  call: Extract<Call, { do: 'sell' }>,
  waiting: Waiting,
  now: number,
  { event, shop, signal, keep }: DeliveryDeps,
): Promise<Delivered> {
  const request = requestOfSale(call.sale, { event, shop })
  const again = { ...waiting, again: true, attempts: waiting.attempts + 1, nextAt: now }
  if (request === 'unknown') return { end: 'waits', waiting: { ...again, nextAt: now + UNKNOWN_TICKET_MS } }
  const next =
    'next' in request ? request : nextStep(call, waiting, await shop.post(request.path, request.body, signal))
  if (next.next === 'wait' || next.next === 'pause') return { end: 'stop', waiting: again, why: next }
  if (next.next === 'done') {
    // The order comes down as that of the tickets here, and their passages follow.
    await shop.refresh(call.ticket)
    return { end: 'done' }
  }
  const parked = { ...waiting, again: true, nextAt: null, refusal: next.refusal }
  await keep(parked, { refusal: next.refusal, done: 'waits' })
  return { end: 'waits', waiting: parked }
}

/** Decides what follows from a refusal; a code that has changed is nobody's conflict. */
const CONFLICTS: Readonly<Record<'force' | 'exit' | 'by_position', 'forced' | 'sent_out' | undefined>> = {
  force: 'forced',
  exit: 'sent_out',
  by_position: undefined,
}

function stepped(step: Step, next: 'force' | 'exit' | 'by_position'): Pick<Waiting, 'step' | 'again'> {
  switch (next) {
    case 'force':
      return { step: { ...step, force: true }, again: false }
    case 'exit':
      return { step: { ...step, asExit: true, force: true }, again: false }
    case 'by_position':
      return { step: { ...step, byPosition: true }, again: false }
  }
}

function send(
  call: PassageCall,
  step: Step,
  position: Position | undefined,
  deps: DeliveryDeps,
): Promise<Answer | NoAnswer> {
  const { shop, event, signal } = deps
  const isAsked = call.do === 'redeem' || call.do === 'answer'
  const answers = isAsked ? shop.answersOf(call.ticket) : {}
  const { path, body } = requestOf(call, step, { position, answers, event, slug: shop.event })
  return shop.post(path, body, signal)
}

/** Undefined for an attempt without a ticket. */
function positionOf(call: PassageCall, shop: ShopSide): Position | 'unknown' | 'not_of_shop' | undefined {
  if (call.ticket === null) return undefined
  return shop.positionOf(call.ticket)
}
