/**
 * The tickets on this phone: the box's last answer about each, the keys that make their codes, and the questions that keep them
 * up to date. The screens draw its signals and call its functions; a code never needs the network.
 */
import { reimporting } from '@gatehouse/proto/ui/reimport.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { computed, type ReadonlySignal } from '@preact/signals'
import { openBoxClock } from '../box/box-clock.ts'
import { type BoxDeps, boxAt, type NearbyQuestion, type Trouble } from '../box/client.ts'
import type { Reading } from '../box/clock.ts'
import type { Kept, Settings } from '../store/kept.ts'
import type { KeyRing } from '../store/key-ring.ts'
import { storedSettings } from '../store/settings.ts'
import { ticketClaims } from './claims.ts'
import { codeMaker } from './codes.ts'
import type { Ed25519 } from './ed25519.ts'
import type { TicketLink } from './link.ts'
import type { NearbyAnswer } from './nearby.ts'
import type { News } from './news.ts'
import { openOrganiser } from './organiser.ts'
import { refresher } from './refresh.ts'
import { storedTickets, type WalletTicket } from './tickets.ts'

/** With the screen that asks it: the first script has a budget. */
const loadNearby = reimporting(() => import('./nearby.ts'))

export interface Wallet {
  tickets: ReadonlySignal<readonly WalletTicket[]>
  /** The ticket that is shown. */
  current: ReadonlySignal<WalletTicket | null>
  /** True when the last question was answered; null before the first. */
  reachable: ReadonlySignal<boolean | null>
  /** The box's clock minus the phone's, ms; null before it was ever measured. */
  offset: ReadonlySignal<number | null>
  /** For the current ticket. */
  news: ReadonlySignal<News>
  unread: ReadonlySignal<number>
  plan: ReadonlySignal<VenuePlan | null>
  settings: ReadonlySignal<Settings>
  /** The browser stores nothing: everything is lost with the page. */
  forgetful: ReadonlySignal<boolean>

  /** Unix ms by the box. */
  now(): number
  /** Adds the ticket of a link, or finds it, and shows it. */
  open(link: TicketLink): void
  show(id: string): void
  remove(id: string): Promise<void>
  /** Takes over what another tab has added or removed. */
  adopt(): void
  /** Asks the box for everything that is due. False when it did not answer. */
  refresh(): Promise<boolean>
  /** Takes over the announcements that the box has sent by itself. */
  take(list: readonly Announcement[]): Promise<void>
  /** The text of the ticket's code in a slot; null where this phone has no key of the ticket. */
  codeOf(id: string, slot: number): Promise<string | null>
  /** Makes the ticket this phone's: see `Claims.claim`. */
  claim(id: string): Promise<Trouble | 'unkept' | null>
  /** `at` of the answer is in the past when the box could not be asked. */
  nearby(id: string, question: NearbyQuestion): Promise<NearbyAnswer>
  /** The announcements that are on the screen were seen. */
  markRead(): void
  set(settings: Partial<Settings>): void
}

export interface WalletDeps extends Pick<BoxDeps, 'baseUrl' | 'fetch' | 'nonce'> {
  kept: Kept
  keys: KeyRing
  engine: () => Promise<Ed25519>
  /** This phone's clocks. */
  clock: () => Reading
}

/** Opens what this phone has stored. Nothing is sent before `refresh`. */
export function openWallet({ baseUrl, fetch, nonce, kept, keys, engine, clock }: WalletDeps): Wallet {
  const wall = () => clock().wall
  const { settings, forgetful, set } = storedSettings(kept)
  const tickets = storedTickets(kept, { settings, forgetful, set })
  const { current } = tickets
  const boxClock = openBoxClock(kept, clock)
  const { now, offset } = boxClock

  const box = boxAt({ baseUrl, fetch, now, nonce })
  const organiser = openOrganiser({ box, kept, engine, now, wall, ticket: current })
  const claims = ticketClaims({ box, keys, engine, tickets })
  const { reachable, refresh } = refresher({ box, boxClock, claims, keys, organiser, tickets, wall })

  const { news, plan } = organiser
  const unread = computed(() => news.value.signed.filter(({ id }) => !settings.value.read.includes(id)).length)
  const show = (id: string) => {
    set({ current: id })
    void organiser.check()
  }

  claims.restore()
  void organiser.check()
  return {
    tickets: tickets.all,
    current,
    reachable,
    offset,
    news,
    unread,
    plan,
    settings,
    forgetful,
    now,
    open(link) {
      tickets.add(link)
      show(link.id)
    },
    show,
    async remove(id) {
      tickets.remove(id)
      await keys.drop(id).catch(() => {})
    },
    adopt: tickets.adopt,
    refresh,
    take: organiser.take,
    codeOf: codeMaker({ claims, engine, keys, tickets }),
    claim: claims.claim,
    nearby: (id, question) =>
      loadNearby().then(
        ({ askNearby }) => askNearby(id, question, { box, claims, kept, keys, wall }),
        () => ({ ok: false, trouble: 'unreachable' }),
      ),
    markRead() {
      const read = news.value.signed.map(({ id }) => id)
      if (read.some((id) => !settings.value.read.includes(id))) set({ read })
    },
    set,
  }
}
