/**
 * Plans an hour of an event: which ticket is shown when at which scanner, the verdict that the box has to give, and the actions
 * that have to be over before. Pure: the same seed gives the same plan.
 */
import type { IncidentReport } from '@gatehouse/proto/wire/incidents.ts'
import type { VerdictName } from '@gatehouse/proto/wire/scan.ts'
import { type Chance, chance } from './random.ts'
import { entrances, type Site, type SitePost, type SiteTier } from './site.ts'
import type { Standing, StockTicket } from './stock.ts'

export const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

export type FlagKind = 'double_use' | 'revoked_admission'
export type Step = 'acknowledge' | 'assign' | 'resolve' | 'cancel'

export type Deed =
  /** A code is shown, and the box is asked. `old`: the code on a phone as it was ten minutes ago. */
  | { do: 'scan'; code: string; expect: VerdictName; old?: true }
  /** A scanner admits somebody offline, and keeps the scan. */
  | { do: 'alone'; code: string }
  /** It uploads that scan, now that it reaches the box. */
  | { do: 'upload'; of: number; code: string; expect: VerdictName; flag?: FlagKind }
  | { do: 'report'; kind: IncidentReport['kind'] }
  | { do: 'act'; on: number; step: Step }
  | { do: 'revoke'; code: string }
  /** A supervisor admits the ticket that the scan refused, or undoes the admission that the scan or a supervisor gave. */
  | { do: 'admit' | 'undo'; of: number }
  | { do: 'hold' | 'release'; gate: string }
  /** Only waits for the actions in `after`. */
  | { do: 'wait' }

export interface Action {
  /** Milliseconds into the hour. */
  at: number
  /** The scanner; -1 for the control room. */
  lane: number
  /** Indices of actions that have to be over before; always earlier ones. */
  after: number[]
  deed: Deed
}

export interface Plan {
  /** By scanner: its checkpoint. */
  posts: readonly SitePost[]
  actions: readonly Action[]
  /** The scanner that is offline, and when. */
  offline: { lane: number; from: number; until: number } | undefined
  tiers: ReadonlyMap<string, string>
}

export interface PlanOptions {
  site: Site
  tickets: readonly StockTicket[]
  devices: number
  admissions: number
  seed: number
  /** Tickets of which an old code can be made. */
  phones?: readonly string[]
}

const CONTROL = -1
const OFFLINE_FROM = 20 * MINUTE_MS
const OFFLINE_MS = 10 * MINUTE_MS
const HELD_FROM = 35 * MINUTE_MS
const HELD_MS = 4 * MINUTE_MS

export function planHour(options: PlanOptions): Plan {
  const { site } = options
  const chances = chance(options.seed)
  const posts = manned(site, options.devices)
  const hour = new Hour(site, posts, options.tickets, chances)
  const { admissions } = options
  hour.doubleUses(Math.max(2, Math.round(admissions / 1000)))
  hour.refusals(Math.max(3, Math.round(admissions / 50)))
  for (const code of options.phones ?? []) hour.oldCode(code)
  hour.incidents(Math.max(4, Math.round(admissions / 1500)))
  hour.overrides(Math.max(3, Math.round(admissions / 1000)))
  hour.hold()
  while (hour.admissions < admissions && hour.visitor()) {
    // Until enough people were admitted, or no ticket is left.
  }
  const tiers = new Map(options.tickets.map(({ code, tier }) => [code, tier]))
  return { posts, tiers, actions: hour.actions, offline: hour.offline }
}

/** One scanner for each checkpoint where there are enough of them; the others stand at entrances from the street. */
function manned(site: Site, devices: number): SitePost[] {
  const doors = entrances(site)
  const others = site.posts.filter((post) => !doors.includes(post))
  const all = [...doors, ...others]
  return Array.from({ length: devices }, (_, i) => all[i] ?? doors[i % doors.length]).filter(
    (post) => post !== undefined,
  )
}

class Hour {
  readonly actions: Action[] = []
  readonly offline: Plan['offline']
  admissions = 0
  readonly #site: Site
  readonly #posts: readonly SitePost[]
  readonly #chance: Chance
  readonly #tiers: ReadonlyMap<string, SiteTier>
  readonly #heldGate: string | undefined
  /** By standing and tier: tickets that were not shown yet. */
  readonly #stock = new Map<string, StockTicket[]>()

  constructor(site: Site, posts: readonly SitePost[], tickets: readonly StockTicket[], chances: Chance) {
    this.#site = site
    this.#posts = posts
    this.#chance = chances
    this.#tiers = new Map(site.tiers.map((tier) => [tier.id, tier]))
    for (const ticket of tickets) {
      if (!this.#tiers.has(ticket.tier)) continue
      const key = `${ticket.standing}/${ticket.tier}`
      const shelf = this.#stock.get(key) ?? []
      this.#stock.set(key, shelf)
      shelf.push(ticket)
    }
    // The last scanner at an entrance that allows a double use: another scanner admits the same tiers to the same zone.
    const once = site.tiers.filter(({ entry }) => entry === 'once').map(({ id }) => id)
    const isShared = (post: SitePost, lane: number) =>
      posts.some(
        (other, i) => i !== lane && other.to === post.to && once.some((t) => isDoorFor(post, t) && isDoorFor(other, t)),
      )
    const shared = posts.findLastIndex(isShared)
    const lane = shared === -1 ? posts.findLastIndex(isDoor) : shared
    // An inner gate: one to the street would keep everybody out.
    this.#heldGate = posts.find(({ direction, from }) => direction === 'in' && from !== null)?.gate
    this.offline = lane < 1 ? undefined : { lane, from: OFFLINE_FROM, until: OFFLINE_FROM + OFFLINE_MS }
  }

  /** A visitor comes in, and may go further in, leave and come back. @returns false when no ticket is left */
  visitor(): boolean {
    const ticket = this.#take('valid', (tier) => this.#lanes((post) => isDoorFor(post, tier)).length > 0)
    if (!ticket) return false
    const tier = this.#tiers.get(ticket.tier)
    const { code } = ticket
    // More visitors in the middle of the hour than at its ends.
    let at = ((this.#chance.number() + this.#chance.number()) / 2) * 0.9 * HOUR_MS
    const door = this.#chance.one(this.#lanes((post) => isDoorFor(post, ticket.tier)))
    if (door === undefined) return false
    if (this.#isAlone(door, at)) {
      this.#alone(door, at, code, 'ADMIT')
      return true
    }
    let last = this.#scan(door, at, code, 'ADMIT')
    const zone = this.#posts[door]?.to ?? null
    const later = () => {
      at += (1 + this.#chance.number() * 12) * MINUTE_MS
      return at < HOUR_MS
    }

    const further = this.#chance.one(
      this.#lanes(({ direction, from, tiers }) => direction === 'in' && from === zone && tiers.includes(ticket.tier)),
    )
    if (further !== undefined && this.#chance.happens(0.3) && later() && !this.#isHeld(further, at)) {
      last = this.#scan(further, at, code, 'ADMIT', last)
      const back = this.#chance.one(this.#lanes((post) => isExitOf(post, this.#posts[further]?.to)))
      // Somebody who stays in the inner zone does not leave through the entrance.
      if (back === undefined || !later()) return true
      last = this.#scan(back, at, code, 'EXIT', last)
    }
    if (tier?.entry === 'once' && this.#chance.happens(0.04) && later()) {
      const again = this.#chance.one(this.#lanes((post) => isDoorFor(post, ticket.tier) && post.to === zone))
      if (again !== undefined && !this.#isAlone(again, at)) last = this.#scan(again, at, code, 'ALREADY_USED', last)
    }
    const exit = this.#chance.one(this.#lanes((post) => isExitOf(post, zone)))
    if (exit === undefined || !this.#chance.happens(0.3) || !later()) return true
    last = this.#scan(exit, at, code, 'EXIT', last)
    const mayReturn = tier?.entry === 'reentry' || tier?.entry === 'unlimited'
    if (!mayReturn || !this.#chance.happens(0.6) || !later()) return true
    const second = this.#chance.one(this.#lanes((post) => isDoorFor(post, ticket.tier) && post.to === zone))
    if (second !== undefined && !this.#isAlone(second, at)) this.#scan(second, at, code, 'ADMIT', last)
    return true
  }

  /** Tickets that two people use, one of them at the offline scanner; and tickets that are revoked while it is offline. */
  doubleUses(count: number): void {
    const { offline } = this
    const there = offline && this.#posts[offline.lane]
    if (!there) return
    for (let i = 0; i < 2 * count; i++) {
      const elsewhere = (tier: string) =>
        this.#lanes((post, lane) => lane !== offline.lane && isDoorFor(post, tier) && post.to === there.to)
      const isOnce = (tier: string) => this.#tiers.get(tier)?.entry === 'once' && there.tiers.includes(tier)
      const ticket = this.#take('valid', (tier) => isOnce(tier) && elsewhere(tier).length > 0)
      const other = ticket && this.#chance.one(elsewhere(ticket.tier))
      if (!ticket || other === undefined) return
      const [first, second] = [this.#within(offline, 0, 0.45), this.#within(offline, 0.5, 0.95)]
      if (i % 2 === 0) {
        const seen = this.#scan(other, first, ticket.code, 'ADMIT')
        this.#alone(offline.lane, second, ticket.code, 'ALREADY_USED', { flag: 'double_use', after: [seen] })
      } else {
        const { alone, upload } = this.#alone(offline.lane, first, ticket.code, 'ALREADY_USED', { flag: 'double_use' })
        const seen = this.#scan(other, second, ticket.code, 'ADMIT', alone)
        this.actions[upload]?.after.push(seen)
      }
    }
    for (let i = 0; i < 2; i++) {
      const ticket = this.#take('valid', (tier) => there.tiers.includes(tier))
      if (!ticket) return
      const revoked = this.#add(CONTROL, this.#within(offline, 0, 0.3), { do: 'revoke', code: ticket.code })
      const at = this.#within(offline, 0.4, 0.95)
      this.#alone(offline.lane, at, ticket.code, 'REVOKED', { flag: 'revoked_admission', after: [revoked] })
    }
  }

  /** Refusals for every reason. */
  refusals(count: number): void {
    const anywhere = (
      expect: VerdictName,
      code: string,
      fits: (post: SitePost) => boolean,
      after?: number,
      from = 0,
    ) => {
      const at = from + this.#chance.number() * (HOUR_MS - from - 1)
      const lane = this.#chance.one(this.#lanes((post, lane) => isDoor(post) && fits(post) && !this.#isAlone(lane, at)))
      if (lane !== undefined) this.#scan(lane, at, code, expect, after)
    }
    for (let i = 0; i < count; i++) {
      anywhere('UNKNOWN', `NOBODY-${this.#chance.below(1e9)}`, () => true)
      for (const [standing, expect] of STANDINGS) {
        const ticket = (i === 0 || this.#chance.happens(0.4)) && this.#take(standing, () => true)
        if (ticket) anywhere(expect, ticket.code, () => true)
      }
    }
    for (let i = 0; i < Math.ceil(count / 2); i++) {
      const wrong = (tier: string) => this.#lanes((post) => isDoor(post) && !post.tiers.includes(tier))
      const isServed = (tier: string) =>
        this.#site.posts.some((post) => post.direction === 'in' && post.tiers.includes(tier))
      const lost = this.#take('valid', (tier) => wrong(tier).length > 0 && isServed(tier))
      if (lost) anywhere('REDIRECT', lost.code, ({ tiers }) => !tiers.includes(lost.tier))
    }
    for (let i = 0; i < Math.ceil(count / 10); i++) {
      const at = this.#chance.number() * 0.5 * HOUR_MS
      const stolen = this.#take('valid', () => true)
      if (!stolen) return
      const revoked = this.#add(CONTROL, at, { do: 'revoke', code: stolen.code })
      anywhere('REVOKED', stolen.code, () => true, revoked, at + MINUTE_MS)
    }
  }

  /** A code from a picture of somebody's phone. */
  oldCode(code: string): void {
    const at = this.#chance.number() * HOUR_MS * 0.9
    const door = this.#chance.one(this.#lanes((post, lane) => isDoor(post) && !this.#isAlone(lane, at)))
    if (door !== undefined) this.#add(door, at, { do: 'scan', code, expect: 'STALE_CODE', old: true })
  }

  incidents(count: number): void {
    for (let i = 0; i < count; i++) {
      let at = (0.05 + this.#chance.number() * 0.7) * HOUR_MS
      const lane = this.#chance.one(this.#lanes((_, lane) => !this.#isAlone(lane, at)))
      if (lane === undefined) return
      const on = this.#add(lane, at, { do: 'report', kind: this.#chance.one(KINDS) ?? 'need_staff' })
      let last = on
      for (const step of STORIES[i % STORIES.length] ?? []) {
        at += (10 + this.#chance.number() * 110) * 1000
        last = this.#add(CONTROL, at, { do: 'act', on, step }, [last])
      }
    }
  }

  /** Refused tickets that a supervisor admits, some of which are undone; and admissions that are undone. */
  overrides(count: number): void {
    for (let i = 0; i < count; i++) {
      const at = (0.05 + this.#chance.number() * 0.7) * HOUR_MS
      const minutes = (n: number) => at + n * MINUTE_MS
      const isFree = (lane: number) => [0, 1, 2, 3].every((n) => !this.#isAlone(lane, minutes(n)))
      const lanes = (tier: string) => this.#lanes((post, lane) => isDoorFor(post, tier) && isFree(lane))
      const ticket = this.#take('valid', (tier) => this.#tiers.get(tier)?.entry === 'once' && lanes(tier).length > 0)
      const lane = ticket && this.#chance.one(lanes(ticket.tier))
      if (!ticket || lane === undefined) return
      const first = this.#scan(lane, at, ticket.code, 'ADMIT')
      // The rest of the three kinds in the end.
      this.admissions += [1, 0, -1][i % 3] ?? 0
      if (i % 3 === 2) {
        const undone = this.#add(lane, minutes(1), { do: 'undo', of: first }, [first])
        this.#scan(lane, minutes(2), ticket.code, 'ADMIT', undone)
        continue
      }
      const refused = this.#scan(lane, minutes(1), ticket.code, 'ALREADY_USED', first)
      const admitted = this.#add(lane, minutes(2), { do: 'admit', of: refused }, [refused])
      if (i % 3 === 1) this.#add(lane, minutes(3), { do: 'undo', of: refused }, [admitted])
    }
  }

  /** A gate is held for some minutes, and tickets are scanned there meanwhile. */
  hold(): void {
    const gate = this.#heldGate
    if (gate === undefined) return
    const lanes = this.#lanes((post) => post.gate === gate && post.direction === 'in')
    // At any speed, scans before the hold have to be over, and scans after it have to wait.
    const before = lanes.map((lane) => this.#add(lane, HELD_FROM - 1, { do: 'wait' }))
    const held = this.#add(CONTROL, HELD_FROM, { do: 'hold', gate }, before)
    const refused = lanes.flatMap((lane) => {
      const ticket = this.#take('valid', (tier) => this.#posts[lane]?.tiers.includes(tier) ?? false)
      return ticket ? this.#scan(lane, HELD_FROM + MINUTE_MS, ticket.code, 'BLOCKED', held) : []
    })
    const released = this.#add(CONTROL, HELD_FROM + HELD_MS, { do: 'release', gate }, [held, ...refused])
    for (const lane of lanes) this.#add(lane, HELD_FROM + HELD_MS + 1, { do: 'wait' }, [released])
  }

  #scan(lane: number, at: number, code: string, expect: VerdictName, after?: number): number {
    if (expect === 'ADMIT') this.admissions++
    return this.#add(lane, at, { do: 'scan', code, expect }, after === undefined ? [] : [after])
  }

  /** Admits somebody offline, and uploads the scan later. */
  #alone(
    lane: number,
    at: number,
    code: string,
    expect: VerdictName,
    { flag, after = [] }: { flag?: FlagKind; after?: number[] } = {},
  ): { alone: number; upload: number } {
    this.admissions++
    const alone = this.#add(lane, at, { do: 'alone', code }, after)
    const until = this.offline?.until ?? at
    // Scans are uploaded in the order in which they were made.
    const upload = this.#add(
      lane,
      until + (at - (this.offline?.from ?? at)) / 1000,
      { do: 'upload', of: alone, code, expect, ...(flag && { flag }) },
      [alone],
    )
    return { alone, upload }
  }

  #add(lane: number, at: number, deed: Deed, after: number[] = []): number {
    return this.actions.push({ at, lane, after: [...after], deed }) - 1
  }

  #lanes(fits: (post: SitePost, lane: number) => boolean): number[] {
    return this.#posts.flatMap((post, lane) => (fits(post, lane) ? lane : []))
  }

  #isAlone(lane: number, at: number): boolean {
    const { offline } = this
    return offline !== undefined && lane === offline.lane && at >= offline.from && at < offline.until
  }

  #isHeld(lane: number, at: number): boolean {
    return this.#posts[lane]?.gate === this.#heldGate && at >= HELD_FROM - 1 && at <= HELD_FROM + HELD_MS + 1
  }

  #within({ from, until }: { from: number; until: number }, low: number, high: number): number {
    return from + (low + this.#chance.number() * (high - low)) * (until - from)
  }

  /** Takes a ticket that was not shown yet, of a fitting tier; each such ticket is as likely as any other. */
  #take(standing: Standing, fits: (tier: string) => boolean): StockTicket | undefined {
    const shelves = [...this.#tiers.keys()]
      .filter(fits)
      .map((tier) => this.#stock.get(`${standing}/${tier}`) ?? [])
      .filter(({ length }) => length > 0)
    let which = this.#chance.below(shelves.reduce((sum, { length }) => sum + length, 0))
    for (const shelf of shelves) {
      if (which < shelf.length) return shelf.pop()
      which -= shelf.length
    }
    return undefined
  }
}

const STANDINGS = [
  ['pending', 'NOT_PAID'],
  ['blocked', 'BLOCKED'],
  ['revoked', 'REVOKED'],
  ['future', 'NOT_VALID_NOW'],
] as const satisfies [Standing, VerdictName][]

const KINDS: IncidentReport['kind'][] = [
  'need_staff',
  'medical',
  'access',
  'equipment',
  'crush',
  'security',
  'lost_child',
]

/** The control room's steps for an incident, in order. */
const STORIES: Step[][] = [
  ['acknowledge', 'assign', 'resolve'],
  ['acknowledge', 'resolve'],
  ['assign', 'resolve'],
  ['acknowledge'],
  ['acknowledge', 'cancel'],
  [],
]

function isDoor({ direction, from }: SitePost): boolean {
  return direction === 'in' && from === null
}

function isDoorFor(post: SitePost, tier: string): boolean {
  return isDoor(post) && post.tiers.includes(tier)
}

function isExitOf({ direction, from }: SitePost, zone: string | null | undefined): boolean {
  return direction === 'out' && from !== null && from === zone
}
