/**
 * One entry of the journal as the call to pretix that says the same: the table of `box/docs/pretix.md`, "What goes up". Pure.
 *
 * Each call has a nonce. It follows from the event, the scan and the kind of call alone, so that it is the same after a restart and
 * at every box of the event. pretix makes of repeated calls with one nonce one check-in.
 */
import { createHash } from 'node:crypto'
import type { VerdictName } from '@gatehouse/proto/wire/scan.ts'
import type { Entry, EntryFields, EntryKind } from '../../../ledger/entries.ts'
import { passageIn } from '../../../rights/passage.ts'
import { orderCodeOf } from './sale.ts'

/** Stands where no check-in list has to do with a call. */
export const NO_LIST = -1

/** The kinds of entry that pretix is told of. */
export const PUSHED_KINDS = ['scan', 'supervisor_admit', 'undo', 'answers', 'sale'] as const satisfies EntryKind[]
export type PushedKind = (typeof PUSHED_KINDS)[number]

/** An entry of one of the boxes' journals. */
export interface PushedFact {
  /** The box in whose journal it is, and its place there. */
  readonly box: string
  readonly place: number
  readonly hlc: string
  readonly entry: Extract<Entry, { kind: PushedKind }>
}

/** `list` is the id of a check-in list of pretix, `at` ISO 8601 with milliseconds, `ticket` the ticket's reference here. */
export type Call =
  /** A person went through. `decided` if a supervisor let them in, so that a refusal of pretix is nothing new. */
  | (About & {
      readonly do: 'redeem'
      readonly type: 'entry' | 'exit'
      readonly ticket: string
      readonly decided: boolean
    })
  /** A passage was taken back. `nonce` is that of the passage. */
  | (About & {
      readonly do: 'annul'
      readonly ticket: string
      readonly explanation: string
      /** It was a supervisor's admission. */
      readonly decided: boolean
    })
  /** Somebody was refused. */
  | (About & {
      readonly do: 'fail'
      readonly type: 'entry' | 'exit'
      readonly ticket: string | null
      readonly reason: string
      readonly explanation: string
      /** Sent in place of the ticket's code where there is no ticket. */
      readonly barcode: string
    })
  /** Answers that were given after the passage with this nonce. */
  | (About & { readonly do: 'answer'; readonly ticket: string })
  /** Tickets were sold at the desk, or such a sale is void. `ticket` is the first of them: its passages wait for the order. */
  | (About & { readonly do: 'sell'; readonly ticket: string; readonly sale: EntryFields<'sale'> })

interface About {
  readonly list: number
  readonly nonce: string
  readonly at: string
  readonly scan: string
  readonly device: string
}

/** Reasons why an entry is told to nobody; the Shop screen counts them. */
export type NotPushed = 'nobody_moved' | 'no_list' | 'not_of_shop' | 'no_tickets' | 'comes_with_passage'

export interface CallDeps {
  /** Id of the event here. */
  event: string
  /** The list that the organiser has mapped a checkpoint to. */
  listOf: (checkpoint: string, ticket: string | null) => number | undefined
  /** The passage that a scan was, for answers that came after it; undefined where nobody passed, or it was undone. */
  passageOf: (scan: string) => EntryFields<'scan'> | undefined
}

/** pretix's reason for each refusal of ours. */
const REASONS: Readonly<Record<Exclude<VerdictName, 'ADMIT' | 'EXIT'>, string>> = {
  ALREADY_USED: 'already_redeemed',
  REDIRECT: 'product',
  NOT_VALID_NOW: 'invalid_time',
  STALE_CODE: 'error',
  REVOKED: 'canceled',
  NOT_PAID: 'unpaid',
  BLOCKED: 'blocked',
  UNKNOWN: 'invalid',
}

/** @returns the call, or why there is none */
export function callOf({ entry }: Pick<PushedFact, 'entry'>, deps: CallDeps): Call | NotPushed {
  switch (entry.kind) {
    case 'scan':
      return callOfScan(entry.fields, deps)
    case 'supervisor_admit':
      return withList(entry.fields, 'supervisor_admit', deps, (about) => {
        return { ...about, do: 'redeem', type: 'entry', ticket: entry.fields.ticket, decided: true }
      })
    case 'undo': {
      const { ticket, reason, supervised } = entry.fields
      return withList(entry.fields, supervised ? 'supervisor_admit' : 'scan', deps, (about) => {
        return { ...about, do: 'annul', ticket, explanation: reason, decided: supervised }
      })
    }
    case 'answers': {
      const scan = deps.passageOf(entry.fields.scan_id)
      // Of somebody who was asked and not let in yet: the passage that follows has all answers of its ticket.
      if (!scan) return 'comes_with_passage'
      const passage = callOfScan(scan, deps)
      if (typeof passage === 'string' || passage.do !== 'redeem') return 'comes_with_passage'
      const { list, nonce, at, scan: id, device, ticket } = passage
      return { do: 'answer', list, nonce, at, scan: id, device, ticket }
    }
    case 'sale':
      return callOfSale(entry.fields, deps.event)
  }
}

/** No list has to do with it: its nonce alone is one of a call. */
function callOfSale(sale: EntryFields<'sale'>, event: string): Call | NotPushed {
  const [ticket] = sale.tickets
  if (ticket === undefined) return 'no_tickets'
  const nonce = orderCodeOf(event, sale.sale)
  return { do: 'sell', ticket, sale, list: NO_LIST, nonce, at: sale.at, scan: sale.sale, device: sale.box }
}

/** Of one scan, calls that are different check-ins there. `sent_out`: the exit in place of an annulment. */
type Made = 'scan' | 'supervisor_admit' | 'refused' | 'sent_out'

/** At most 190 characters, as pretix has room for. */
export function nonceOf(event: string, scan: string, made: Made): string {
  return `gatehouse-${createHash('sha256').update(`${event}\0${scan}\0${made}`).digest('hex').slice(0, 40)}`
}

function callOfScan(scan: EntryFields<'scan'>, deps: CallDeps): Call | NotPushed {
  const passage = passageIn({ kind: 'scan', fields: scan })
  const type = scan.direction === 'in' ? 'entry' : 'exit'
  const { ticket } = scan
  if (passage) {
    const at = passage.observed_at
    // A scanner had let somebody in with a code that is no ticket's: pretix can only take it as an attempt.
    if (ticket === null) return withList(scan, 'refused', deps, (about) => refused(scan, { ...about, at }))
    return withList(scan, 'scan', deps, (about) => ({ ...about, at, do: 'redeem', type, ticket, decided: false }))
  }
  if (scan.verdict === 'ADMIT' || scan.verdict === 'EXIT') return 'nobody_moved'
  return withList(scan, 'refused', deps, (about) => refused(scan, about))
}

function refused(scan: EntryFields<'scan'>, about: About): Call {
  const { verdict, ticket, code, direction } = scan
  const isRefusal = verdict !== 'ADMIT' && verdict !== 'EXIT'
  return {
    ...about,
    do: 'fail',
    type: direction === 'in' ? 'entry' : 'exit',
    ticket,
    reason: isRefusal ? REASONS[verdict] : 'invalid',
    explanation: `Gatehouse: ${verdict} at ${scan.checkpoint}`,
    // The journal has no codes. This names the same code each time that it is shown, and opens nothing.
    barcode: `gatehouse-code-${code?.slice(0, 16) ?? 'forged'}`,
  }
}

function withList(
  fields: { checkpoint: string; scan_id: string; at: string; device: string; ticket: string | null },
  made: Made,
  { event, listOf }: CallDeps,
  make: (about: About) => Call,
): Call | NotPushed {
  const list = listOf(fields.checkpoint, fields.ticket)
  if (list === undefined) return 'no_list'
  const { at, scan_id: scan, device } = fields
  return make({ list, nonce: nonceOf(event, scan, made), at, scan, device })
}
