/** The tickets on this phone, as signals over what is stored. */
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Trouble } from '../box/client.ts'
import { isDated, isTicketView, type Kept, listingOf } from '../store/kept.ts'
import type { StoredSettings } from '../store/settings.ts'
import type { TicketLink } from './link.ts'

export interface WalletTicket {
  id: string
  /** Of the link; null when it had none. */
  verifierKey: string | null
  /** The box's last answer; null before the first. */
  view: TicketView | null
  /** The moment of the box's last answer, unix ms by this phone. */
  seenAt: number | null
  /** `unsure`: the claim was sent and not answered; it is sent again until it is. */
  claim: 'none' | 'unsure' | 'mine'
  /** It was claimed by this phone, whose browser has deleted the key: nobody can show it until the organiser releases it. */
  lost: boolean
  /** A script could read the key on this phone: there is no WebCrypto here. */
  weak: boolean
  /** Reason for which the last question had no answer. */
  trouble: Trouble | null
  /** The ticket was this phone's, and the organiser has released it. */
  released: boolean
}

export interface Tickets {
  all: ReadonlySignal<readonly WalletTicket[]>
  /** The ticket that is shown. */
  current: ReadonlySignal<WalletTicket | null>
  find(id: string): WalletTicket | undefined
  change(id: string, fields: Partial<WalletTicket>): void
  /** Adds the ticket of a link, unless it is there. */
  add(link: TicketLink): void
  remove(id: string): void
  /** Stores it no more; it stays on the screen for as long as the page. */
  unlist(id: string): void
  /** Takes over what another tab has added or removed. */
  adopt(): void
}

export function storedTickets(kept: Kept, { settings, forgetful }: StoredSettings): Tickets {
  const stored = (id: string, verifierKey: string | null) => storedTicket(kept, id, verifierKey)
  const all = signal<readonly WalletTicket[]>(listingOf(kept).map(({ id, verifierKey }) => stored(id, verifierKey)))
  const find = (id: string) => all.peek().find((ticket) => ticket.id === id)

  function set(tickets: readonly WalletTicket[]): void {
    all.value = tickets
    kept.write(
      'tickets',
      tickets.map(({ id, verifierKey }) => ({ id, verifierKey })),
    )
  }

  function adopt(): void {
    if (forgetful.value) return
    all.value = listingOf(kept).map(({ id, verifierKey }) => find(id) ?? stored(id, verifierKey))
  }

  return {
    all,
    current: computed(() => all.value.find(({ id }) => id === settings.value.current) ?? all.value[0] ?? null),
    find,
    change(id, fields) {
      all.value = all.value.map((ticket) => (ticket.id === id ? { ...ticket, ...fields } : ticket))
      const ticket = find(id)
      if (ticket?.view && 'view' in fields) kept.write(`view:${id}`, { at: ticket.seenAt, value: ticket.view })
    },
    add({ id, verifierKey }) {
      adopt()
      const known = find(id)
      if (!known) set([...all.value, stored(id, verifierKey)])
      // A link that was cut off the first time and is whole now. Never the other way, nor another key for the same ticket.
      else if (known.verifierKey === null && verifierKey !== null)
        set(all.value.map((ticket) => (ticket.id === id ? { ...ticket, verifierKey } : ticket)))
    },
    remove(id) {
      adopt()
      set(all.value.filter((ticket) => ticket.id !== id))
      for (const name of ['view', 'nearby']) kept.remove(`${name}:${id}`)
    },
    unlist(id) {
      kept.write(
        'tickets',
        listingOf(kept).filter((ticket) => ticket.id !== id),
      )
    },
    adopt,
  }
}

function storedTicket(kept: Kept, id: string, verifierKey: string | null): WalletTicket {
  const view = kept.read(`view:${id}`, isDated(isTicketView))
  return {
    id,
    verifierKey,
    view: view?.value ?? null,
    seenAt: view?.at ?? null,
    claim: view?.value.claimed ? 'mine' : 'none',
    lost: false,
    weak: false,
    trouble: null,
    released: false,
  }
}

/** A view without the seed that came with the link. After a claim it is dead: a gate refuses the codes that it makes. */
export function withoutSecret(view: TicketView): TicketView {
  const { secret: _dead, ...rest } = view
  return rest
}
