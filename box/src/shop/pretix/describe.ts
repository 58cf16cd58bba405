/** A connected pretix as the screen Shop shows it: what was read and what was sent. Nothing of the token is in it. */
import type { ShopNotice, ShopPretix, ShopWaiting } from '@gatehouse/proto/wire/shop.ts'
import { isoOfReading, isoOrNull } from '../../clock/iso.ts'
import type { ShopSource } from '../../ledger/schema.ts'
import type { PretixCode } from './errors.ts'
import type { PullState, ShopStatus } from './state.ts'
import type { Waiting } from './up/outbox.ts'
import type { PushStatus } from './up/push.ts'

/** pretix's largest page of orders. */
const PAGE = 50

export interface Known {
  source: ShopSource
  state: PullState
  status: ShopStatus
  notices: readonly ShopNotice[]
  connected: boolean
  /** When a comparison was last asked for, Unix ms. */
  wantedAt: number
  notApplied: number
  push: PushStatus
  queue: readonly Waiting[]
  /** Unix ms. */
  now: number
}

export function describePretix(known: Known): ShopPretix {
  return { source: known.source.source, notices: [...known.notices], down: downOf(known), up: upOf(known) }
}

/** Since the last answer, where pretix does not answer: what was changed since then has still to arrive. */
export function lagOf({ askedAt, error }: ShopStatus, now: number): number | null {
  if (askedAt === null) return null
  return error === null ? 0 : Math.max(0, now - askedAt) / 1000
}

function downOf({ source, state, status, connected, wantedAt, notApplied, now }: Known): ShopPretix['down'] {
  const { full, comparedAt } = state
  const difference = status.clockDifferenceMs
  return {
    connected,
    answered_at: isoOrNull(status.askedAt),
    changed_at: isoOrNull(source.appliedAt),
    lag_seconds: lagOf(status, now),
    last_error: status.error,
    ...lastCoded(status.error === null ? undefined : status.coded),
    failing_since: isoOrNull(status.since),
    clock_difference_seconds: difference === null ? null : difference / 1000,
    compared_at: isoOrNull(comparedAt),
    reading: full && { page: full.page, pages: pagesOf(full.orders) },
    wanted: wantedAt > (comparedAt ?? 0),
    tickets_added: source.added,
    tickets_changed: source.changed,
    not_applied: notApplied,
  }
}

function upOf({ state, push, queue, now }: Known): ShopPretix['up'] {
  const begins = state.comparedAt === null
  const isOurs = !begins && push.state !== 'other_box'
  const { oldestAt } = push
  return {
    state: begins ? 'begins' : push.state,
    last_error: push.words ?? null,
    ...lastCoded(push.coded),
    lag_seconds: isOurs ? Math.max(0, now - (oldestAt ?? now)) / 1000 : null,
    waiting: push.waiting,
    asleep: push.asleep,
    sent: push.sent,
    sent_at: isoOrNull(push.lastSentAt ?? null),
    queue: queue.map(waitingOf),
  }
}

function lastCoded(codes: readonly PretixCode[] = []): Pick<ShopPretix['up'], 'last_error_coded'> {
  return codes.length > 0 ? { last_error_coded: [...codes] } : {}
}

function waitingOf({ hlc, ticket, refusal, nextAt }: Waiting): ShopWaiting {
  return {
    at: isoOfReading(hlc),
    ticket_ref: ticket,
    reason: refusal?.reason ?? null,
    next_at: isoOrNull(nextAt),
  }
}

/** @param orders null where pretix does not say how many there are */
export function pagesOf(orders: number | null): number | null {
  return orders === null ? null : Math.max(1, Math.ceil(orders / PAGE))
}
