/** Plans a batch: which entries are sent now, which wait behind others of their ticket, and which tell pretix nothing. */
import type { EntryFields } from '../../../ledger/entries.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { type Call, type CallDeps, callOf, type NotPushed, type PushedFact } from './call.ts'
import { readFact, type TakenFacts } from './journals.ts'
import { FIRST_STEP, type Waiting } from './outbox.ts'
import type { ShopSide } from './shop-side.ts'

export interface CallOfDeps {
  /** Id of the event here. */
  event: string
  boxId: string
  ledger: Pick<Ledger, 'db'>
  shop: Pick<ShopSide, 'listOf'>
  passageOf: (scan: string) => EntryFields<'scan'> | undefined
}

/** An entry that is sent. */
export interface Planned {
  readonly fact: PushedFact
  readonly call: Call
  readonly waiting: Waiting
}

export interface Batch {
  readonly planned: readonly Planned[]
  /** Entries of tickets with an earlier entry that waits. */
  readonly behind: readonly (Waiting & { readonly ticket: string })[]
  readonly skipped: readonly NotPushed[]
  /** Rows that are not needed any more: their checkpoint has no list now. */
  readonly dropped: readonly Waiting[]
  readonly taken: TakenFacts
  /** More was read than is sent now. */
  readonly isCut: boolean
}

interface Found {
  readonly due: readonly Waiting[]
  readonly taken: TakenFacts
  /** Tickets with an entry that waits. */
  readonly blocked: ReadonlySet<string>
  /** True if this entry waits itself: a power cut came before its batch was settled. */
  readonly hasRow: (fact: PushedFact) => boolean
  /** Another box may have sent entries up to this clock reading. */
  readonly sentUntil: string
}

export function callsOf({ due, taken, blocked, hasRow, sentUntil }: Found, deps: CallOfDeps): Batch {
  const { event, boxId, ledger, shop, passageOf } = deps
  const callDeps: CallDeps = { event, listOf: (checkpoint, ticket) => shop.listOf(checkpoint, ticket), passageOf }
  const planned: Planned[] = []
  const dropped: Waiting[] = []
  for (const waiting of due) {
    const fact = readFact(ledger.db, boxId, waiting.box, waiting.place)
    const call = fact && callOf(fact, callDeps)
    if (fact && call && typeof call !== 'string') planned.push({ fact, call, waiting })
    else dropped.push(waiting)
  }
  const behind: Batch['behind'][number][] = []
  const skipped: NotPushed[] = []
  /** Scans whose passage is in this batch. */
  const passed = new Set<string>()
  for (const [i, fact] of taken.facts.entries()) {
    const { kind, fields } = fact.entry
    // An annulment goes out only when it is on disk, and known to the other boxes, that its passage has arrived: a passage that
    // is repeated after its annulment would be a second one.
    if (kind === 'undo' && passed.has(fields.scan_id)) {
      return { planned, behind, skipped, dropped, taken: cut(taken, i), isCut: true }
    }
    const call = kind === 'answers' && passed.has(fields.scan_id) ? 'comes_with_passage' : callOf(fact, callDeps)
    if (typeof call === 'string') {
      skipped.push(call)
      continue
    }
    const isBlocked = call.ticket === null || blocked.has(call.ticket)
    if (isBlocked && hasRow(fact)) continue
    const waiting = { ...firstOf(fact, call), again: fact.hlc <= sentUntil }
    if (call.ticket !== null && isBlocked) behind.push({ ...waiting, ticket: call.ticket })
    else {
      planned.push({ fact, call, waiting })
      if (call.do === 'redeem') passed.add(call.scan)
    }
  }
  return { planned, behind, skipped, dropped, taken, isCut: false }
}

function firstOf({ box, place, hlc }: PushedFact, call: Call): Waiting {
  // A supervisor has decided; and answers go with a passage that pretix has.
  const force = (call.do === 'redeem' && call.decided) || call.do === 'answer'
  const step = { ...FIRST_STEP, force }
  const { ticket } = call
  return { box, place, hlc, ticket, step, again: false, attempts: 0, nextAt: 0, refusal: null, triedCode: null }
}

/** As if only the first `count` facts had been read. */
function cut({ facts, places }: TakenFacts, count: number): TakenFacts {
  const left = facts.slice(count)
  const from = Object.fromEntries(left.map(({ box, place }) => [box, place]).reverse())
  return { facts: facts.slice(0, count), places: { ...places, ...from } }
}
