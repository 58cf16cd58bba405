/**
 * One entry on its way to pretix: sends its call, and does what follows from each answer until pretix has it, or it has to wait. What a
 * further request rests on is on disk before that request is sent, so that a power cut at any moment repeats at most the last one.
 */
import type { Call } from './call.ts'
import { hasPassage, hasSentOut, type LookDeps, listForAnswers } from './look.ts'
import { type Answer, type Next, type NoAnswer, nextStep, type Refusal, type Step } from './next-step.ts'
import { codeDigest, type Waiting } from './outbox.ts'
import { requestOf, requestOfSale } from './request.ts'
import type { Position, ShopSide } from './shop-side.ts'

export interface DeliveryDeps extends LookDeps {
  /** Id of the event here. */
  event: string
  signal: AbortSignal
  /** It may have been sent as another device, or to another list: pretix may not know its nonce. */
  isDoubtful: boolean
  /** Anything was ever sent as another device, or to other lists. */
  hasChanged: boolean
  /** Puts this on disk, with the case that it opens. */
  keep(waiting: Waiting, conflict?: { refusal: Refusal; done: 'forced' | 'sent_out' | 'waits' }): Promise<void>
}

type Stop = Extract<Next, { next: 'wait' | 'pause' }>
type PassageCall = Exclude<Call, { do: 'sell' }>

/** `stop`: nothing can be sent now. */
export type Delivered =
  | { readonly end: 'done' | 'not_of_shop' }
  | { readonly end: 'waits'; readonly waiting: Waiting }
  | { readonly end: 'stop'; readonly waiting: Waiting; readonly why: Stop }

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
  const looked = await lookBefore(call, state.step, deps)
  if (looked === 'done') return { end: 'done' }
  if ('next' in looked) return stoppedBy(looked, state, now)
  const sent = looked
  // Only an annulment needs to know whether it was sent before.
  if (call.do === 'annul' && !state.step.asExit && !state.again) await deps.keep({ ...state, again: true, nextAt: now })
  for (;;) {
    const next = nextStep(sent, state, await send(sent, state.step, position, deps))
    if (next.next === 'done') return { end: 'done' }
    if (next.next === 'wait' || next.next === 'pause') return stoppedBy(next, state, now)
    if (next.next === 'exit' && sent.do === 'annul') {
      // Annulled before, or taken back in pretix: nobody is inside whom an exit would send out.
      const isThere = await hasPassage(sent, deps)
      if (typeof isThere === 'object') return stoppedBy(isThere, state, now)
      if (isThere === false || (isThere === undefined && state.again)) return { end: 'done' }
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

/** @returns the call as it is sent; `done` where nothing is left to send */
async function lookBefore(call: PassageCall, step: Step, deps: DeliveryDeps): Promise<PassageCall | 'done' | Stop> {
  const isExit = call.do === 'annul' && step.asExit
  if (deps.isDoubtful && (call.do === 'redeem' || isExit)) {
    const isThere = await (call.do === 'redeem' ? hasPassage(call, deps) : hasSentOut(call, deps))
    if (isThere === true) return 'done'
    return typeof isThere === 'object' ? isThere : call
  }
  if (call.do === 'answer' && deps.hasChanged) {
    const list = await listForAnswers(call, deps)
    // They stay here: pretix would count the person twice.
    if (list === null) return 'done'
    return typeof list === 'object' ? list : { ...call, list }
  }
  return call
}

function stoppedBy(why: Stop, waiting: Waiting, now: number): Delivered {
  return { end: 'stop', waiting: { ...waiting, again: true, attempts: waiting.attempts + 1, nextAt: now }, why }
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
