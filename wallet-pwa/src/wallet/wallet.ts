/**
 * The tickets on this phone: what the box last said of each, the keys that make their codes, and the questions that keep
 * them up to date. The screens draw its signals and call its functions; a code never needs the network.
 */
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import type { NearbyAmenity, VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { type Answer, type BoxDeps, boxAt, type NearbyQuestion, type Trouble } from './box.ts'
import { boxClock } from './box-clock.ts'
import type { Reading } from './clock.ts'
import { type Ed25519, rotatingCode, type TicketKey } from './ed25519.ts'
import {
  areAmenities,
  type Dated,
  isDated,
  isSettings,
  isTicketView,
  type Kept,
  listingOf,
  NO_SETTINGS,
  type Settings,
} from './kept.ts'
import type { HeldKey, KeyRing } from './key-ring.ts'
import type { TicketLink } from './link.ts'
import type { News } from './news.ts'
import { organiser } from './organiser.ts'

export interface WalletTicket {
  id: string
  /** Of the link; null when it had none. */
  verifierKey: string | null
  /** As the box last said; null before it ever did. */
  view: TicketView | null
  /** When it said so, Unix ms by this phone. */
  seenAt: number | null
  /** `unsure`: the claim was sent, and no answer came; it is sent again until one does. */
  claim: 'none' | 'unsure' | 'mine'
  /** The key on this phone could be read out by a script: no WebCrypto here. */
  weak: boolean
  /** Why the last question had no answer. */
  trouble: Trouble | null
  /** It was this phone's, and the organiser has let it go. */
  released: boolean
}

export interface Wallet {
  tickets: ReadonlySignal<readonly WalletTicket[]>
  current: ReadonlySignal<WalletTicket | null>
  /** Whether the last question was answered; null before the first. */
  reachable: ReadonlySignal<boolean | null>
  /** The box's clock minus the phone's, ms; null before it was ever measured. */
  offset: ReadonlySignal<number | null>
  /** For the current ticket. */
  news: ReadonlySignal<News>
  unread: ReadonlySignal<number>
  plan: ReadonlySignal<VenuePlan | null>
  settings: ReadonlySignal<Settings>
  /** Nothing that is kept outlives this page: the browser forbids it. */
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
  /** The text to draw in `slot`; null where this phone has no key of the ticket. */
  codeOf(id: string, slot: number): Promise<string | null>
  /** Makes the ticket this phone's. Null when it is; the reason otherwise, `unkept` when this browser keeps no keys. */
  claim(id: string): Promise<Trouble | 'unkept' | null>
  /** With `at` in the past when the box could not be asked. */
  nearby(id: string, question: NearbyQuestion): Promise<Answer<Dated<NearbyAmenity[]>>>
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

/** Tickets that nobody looks at. */
const OTHERS_EVERY_MS = 5 * 60_000

export function openWallet({ baseUrl, fetch, nonce, kept, keys, engine, clock }: WalletDeps): Wallet {
  const clockOfBox = boxClock(kept, clock)
  const { offset, now } = clockOfBox
  const settings = signal<Settings>(kept.read('settings', isSettings) ?? NO_SETTINGS)
  const tickets = signal<readonly WalletTicket[]>(
    listingOf(kept).map(({ id, verifierKey }) => keptTicket(id, verifierKey)),
  )
  const reachable = signal<boolean | null>(null)
  const forgetful = signal(!kept.write('settings', settings.value))
  const current = computed(
    () => tickets.value.find(({ id }) => id === settings.value.current) ?? tickets.value[0] ?? null,
  )
  const box = boxAt({ baseUrl, fetch, now, nonce })
  const told = organiser({
    ...{ box, kept, engine, now },
    verifierKey: () => current.value?.verifierKey ?? null,
    wall: () => clock().wall,
  })
  const { news, plan } = told
  const unread = computed(() => news.value.signed.filter(({ id }) => !settings.value.read.includes(id)).length)
  /** Of links, by seed: making one takes longer than using it. */
  const seedKeys = new Map<string, Promise<TicketKey>>()

  function keptTicket(id: string, verifierKey: string | null): WalletTicket {
    const view = kept.read(`view:${id}`, isDated(isTicketView))
    const claim = view?.value.claimed ? 'mine' : 'none'
    const none = { weak: false, trouble: null, released: false }
    return { id, verifierKey, view: view?.value ?? null, seenAt: view?.at ?? null, claim, ...none }
  }

  function change(id: string, fields: Partial<WalletTicket>): void {
    tickets.value = tickets.value.map((ticket) => (ticket.id === id ? { ...ticket, ...fields } : ticket))
    const ticket = tickets.value.find((one) => one.id === id)
    if (ticket?.view && 'view' in fields) kept.write(`view:${id}`, { at: ticket.seenAt, value: ticket.view })
  }

  function set(fields: Partial<Settings>): void {
    settings.value = { ...settings.value, ...fields }
    forgetful.value = !kept.write('settings', settings.value)
  }

  function list(next: readonly WalletTicket[]): void {
    tickets.value = next
    kept.write(
      'tickets',
      next.map(({ id, verifierKey }) => ({ id, verifierKey })),
    )
  }

  function adopt(): void {
    if (forgetful.value) return
    tickets.value = listingOf(kept).map(
      ({ id, verifierKey }) => tickets.value.find((ticket) => ticket.id === id) ?? keptTicket(id, verifierKey),
    )
  }

  async function keyOf(held: HeldKey | undefined): Promise<TicketKey | undefined> {
    return held && (await engine()).open(held.key)
  }

  /** Sends a claim whose key is kept already, for the first time or once more: the same key gets the same answer. */
  async function sendClaim(id: string, held: HeldKey): Promise<Trouble | null> {
    const key = await keyOf(held)
    const said: Answer<true> = key ? await box.claim(id, key) : { ok: false, trouble: 'refused' }
    const weak = 'seed' in held.key
    if (said.ok) {
      await keys.confirm(id)
      const view = tickets.value.find((ticket) => ticket.id === id)?.view
      const { secret: _dead, ...rest } = view ?? {}
      change(id, {
        ...{ claim: 'mine', weak, trouble: null, released: false },
        ...(view && { view: { ...(rest as TicketView), claimed: true } }),
      })
      return null
    }
    if (said.trouble === 'unreachable' || said.trouble === 'busy') {
      // The box may have it all the same. The key stays, and is sent again.
      change(id, { claim: 'unsure', weak })
      return said.trouble
    }
    await keys.drop(id)
    change(id, { claim: 'none', trouble: said.trouble })
    return said.trouble
  }

  async function refreshTicket(id: string): Promise<Trouble | null> {
    let held = await keys.of(id)
    if (held && !held.confirmed && (await sendClaim(id, held)) === null) held = await keys.of(id)
    const key = held?.confirmed ? await keyOf(held) : undefined
    let said = await box.ticket(id, key)
    if (!said.ok && said.trouble === 'elsewhere' && key) {
      // A signature is good for a minute either way: a clock that is off looks like another phone's claim.
      await clockOfBox.measure(box)
      said = await box.ticket(id, key)
    }
    if (!said.ok) {
      change(id, { trouble: said.trouble, ...(said.trouble === 'elsewhere' && !held && withoutSecret(id)) })
      return said.trouble
    }
    const view = said.value
    const released = held?.confirmed === true && !view.claimed
    if (released) await keys.drop(id)
    change(id, {
      ...{ view, seenAt: clock().wall, trouble: null },
      ...{ claim: !held || released ? 'none' : held.confirmed ? 'mine' : 'unsure' },
      ...{ weak: held !== undefined && 'seed' in held.key },
      ...(released && { released }),
    })
    return null
  }

  /** The seed is dead, and a code that it makes would be refused at the gate. */
  function withoutSecret(id: string): Partial<WalletTicket> {
    const { view = null } = tickets.value.find((ticket) => ticket.id === id) ?? {}
    if (!view) return {}
    const { secret: _dead, ...rest } = view
    return { view: rest, claim: 'none' }
  }

  const isDue = (at: number | null | undefined, every: number) => at == null || Math.abs(clock().wall - at) > every

  async function refresh(): Promise<boolean> {
    if (clockOfBox.isDue()) {
      reachable.value = await clockOfBox.measure(box)
      // Signed requests and announcements wait for the clock; without network there is nothing to wait for.
      if (!reachable.value) {
        await told.check()
        for (const { id, seenAt } of tickets.value) if (seenAt === null) change(id, { trouble: 'unreachable' })
        return false
      }
    }
    const looked = current.value?.id
    const due = tickets.value.filter(({ id, seenAt }) => id === looked || isDue(seenAt, OTHERS_EVERY_MS))
    const troubles = await Promise.all(due.map(({ id }) => refreshTicket(id)))
    reachable.value = troubles.length === 0 || troubles.some((trouble) => trouble !== 'unreachable')
    if (tickets.value.length > 0) await told.refreshNews()
    await told.refreshPlan()
    return reachable.value && !troubles.includes('busy')
  }

  // What was claimed here is known before the box is asked: without network the code is made by the right key.
  for (const { id } of tickets.value)
    void keys.of(id).then((held) => {
      change(id, {
        claim: !held ? 'none' : held.confirmed ? 'mine' : 'unsure',
        weak: held ? 'seed' in held.key : false,
      })
    })
  void told.check()

  return {
    ...{ tickets, current, reachable, offset, news, plan, unread, settings, forgetful, now, adopt, refresh, set },
    open({ id, verifierKey }) {
      adopt()
      const known = tickets.value.find((ticket) => ticket.id === id)
      if (!known) list([...tickets.value, keptTicket(id, verifierKey)])
      // A link that was cut off the first time, and whole now. Never the other way, nor another key for the same ticket.
      else if (known.verifierKey === null && verifierKey !== null)
        list(tickets.value.map((ticket) => (ticket.id === id ? { ...ticket, verifierKey } : ticket)))
      this.show(id)
    },
    show(id) {
      set({ current: id })
      void told.check()
    },
    async remove(id) {
      adopt()
      list(tickets.value.filter((ticket) => ticket.id !== id))
      for (const name of ['view', 'nearby']) kept.remove(`${name}:${id}`)
      await keys.drop(id).catch(() => {})
    },
    async codeOf(id, slot) {
      const view = tickets.value.find((ticket) => ticket.id === id)?.view
      if (!view) return null
      const held = await keys.of(id)
      const own = held?.confirmed ? await keyOf(held) : undefined
      const key = own ?? (await seedKey(view.secret))
      return key ? rotatingCode(key, tagOf(view), slot) : null
    },
    async claim(id) {
      try {
        const held = await keys.holdFirst(id, await (await engine()).generate())
        return await sendClaim(id, held)
      } catch {
        return 'unkept'
      }
    },
    async nearby(id, question) {
      const held = await keys.of(id)
      const name = `nearby:${id}`
      const asked = JSON.stringify(question)
      const said = await box.nearby(id, question, held?.confirmed ? await keyOf(held) : undefined)
      if (said.ok) {
        const value = { at: clock().wall, value: said.value }
        kept.write(name, { asked, answer: value })
        return { ok: true, value }
      }
      const last = kept.read(name, isKeptNearby)
      return last?.asked === asked && said.trouble === 'unreachable' ? { ok: true, value: last.answer } : said
    },
    markRead() {
      const read = news.value.signed.map(({ id }) => id)
      if (read.some((id) => !settings.value.read.includes(id))) set({ read })
    },
  }

  function seedKey(secret: string | undefined): Promise<TicketKey> | undefined {
    const seed = fromBase64(secret ?? '')
    if (secret === undefined || seed?.length !== 32) return undefined
    const key = seedKeys.get(secret) ?? engine().then((by) => by.fromSeed(seed))
    seedKeys.set(secret, key)
    return key
  }
}

function tagOf({ event_tag }: TicketView): Uint8Array {
  return Uint8Array.from(event_tag.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

function isKeptNearby(value: unknown): value is { asked: string; answer: Dated<NearbyAmenity[]> } {
  const { asked, answer } = (value ?? {}) as { asked?: unknown; answer?: unknown }
  return typeof asked === 'string' && isDated(areAmenities)(answer)
}
