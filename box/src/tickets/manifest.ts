/**
 * The manifest: what a scanner needs to decide offline, which is the codes that are valid, revoked and used up. It is signed, so
 * that an attacker between box and scanner can withhold it but not change it.
 */
import { type KeyObject, sign } from 'node:crypto'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { format, type HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import type { Manifest, ManifestDelta } from '@gatehouse/proto/wire/device.ts'
import type { OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import { iso } from '../clock/iso.ts'
import { GatehouseError } from '../errors.ts'
import { dayStarts } from '../event/day.ts'
import { type Checkpoint, type Event, localDay } from '../event/event.ts'
import { signOnRule } from '../event/sign-on-rule.ts'
import { checkpointsOf } from '../event/wire.ts'
import { type Holds, holdOf } from '../gates/holds.ts'
import type { Entry } from '../ledger/entries.ts'
import { factsIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Mode } from '../rights/mode.ts'
import { movedTicket } from '../rights/passage.ts'
import { type BuildLists, CurrentLists } from './current-lists.ts'
import { codeChanges } from './kind-table.ts'
import { printedOpens } from './printed-code.ts'
import type { Redeemed } from './redeemed.ts'
import { base64Part, objectPart, type Part, partOf, partsOf, SignedParts } from './signed-parts.ts'
import type { PrintedOpens, TicketCode } from './ticket-pages.ts'
import type { Tickets } from './tickets.ts'
import { changesTickets } from './used-on-day.ts'

export interface ManifestDeps {
  event: Event
  ledger: Ledger
  clock: HybridLogicalClock
  tickets: Tickets
  redeemed: Redeemed
  holds: Holds
  /** The box's Ed25519 key, whose public half is the verifier key. */
  signingKey: KeyObject
  /** 16 bytes */
  salt: Buffer
  /** Of the ledger: the Unix seconds at which it began. */
  incarnation: number
  mode: () => Mode
  venueEtag: string
  /** With several boxes: this one's id, and the others that have gates. */
  mesh?: () => { boxId: string; others: readonly OtherBox[] } | undefined
  build?: BuildLists
}

/** A whole manifest, as it is sent. */
export interface WholeManifest {
  etag: string
  /** Signs it. @returns the pieces of its text */
  pieces(): Promise<readonly Buffer[]>
}

const signInThread = promisify<null, Buffer, KeyObject, Buffer>(sign)

/** The first scans after a start come before it. */
const READY_AFTER_MS = 2_000
/** Interval of checks whether another festival day is about to begin. */
const LOOK_AHEAD_MS = 5 * 60_000
/** Number of times that a turn checks again, each millisecond, whether a live scan has its answer. */
const MOST_TURNS = 10
/** A delta over more entries or codes is no smaller than the whole manifest. */
const MAX_DELTA_ENTRIES = 20_000
/** The clock's readings may be this far ahead of the wall clock, by which festival days begin. */
const CLOCK_AHEAD_MS = 60_000
/** Festival days in the manifest: for as long, an offline scanner can renew rights that come back every day. */
const DAYS_AHEAD = 14

export class Manifests {
  readonly #deps: ManifestDeps
  readonly #printedOpens: PrintedOpens
  #isClosed = false
  readonly #lists: CurrentLists
  /** By the bytes that they encode. */
  readonly #used = new WeakMap<Buffer, Part>()
  /** A manifest is copied while it is signed. */
  #signing: Promise<unknown> = Promise.resolve()

  constructor(deps: ManifestDeps) {
    this.#deps = deps
    this.#printedOpens = printedOpens(deps.event)
    this.#lists = new CurrentLists({ ...deps, printedOpens: this.#printedOpens, turn: () => this.#turn() })
  }

  /**
   * Builds what is the same for all devices ahead of time: after the start, and again after every import, in the background. A phone that is
   * paired then waits for its own part alone.
   * @returns ends it
   */
  keepReady(onError: (error: Error) => void): () => void {
    let [isDue, isAtWork] = [false, false]
    const build = async () => {
      isAtWork = true
      while (isDue && !this.#isClosed) {
        isDue = false
        await this.#settled()
        await this.#lists.refresh()
        await this.#deps.redeemed.refresh(() => this.#turn())
      }
    }
    const begin = () => {
      isDue = true
      if (isAtWork) return
      build()
        .catch((error: Error) => this.#isClosed || onError(error))
        .finally(() => {
          isAtWork = false
        })
    }
    const unsubscribe = this.#deps.ledger.subscribe('later', (entries) => {
      if (entries.some(({ kind }) => kind === 'import')) begin()
    })
    const started = setTimeout(begin, READY_AFTER_MS).unref()
    const lookAhead = () =>
      this.#deps.redeemed.readAhead(() => this.#turn()).catch((error: Error) => this.#isClosed || onError(error))
    const looking = setInterval(lookAhead, LOOK_AHEAD_MS).unref()
    return () => {
      this.#isClosed = true
      clearTimeout(started)
      clearInterval(looking)
      unsubscribe()
    }
  }

  /** The whole manifest for a device that may scan at `checkpoints`. */
  async whole(checkpoints: ReadonlySet<string>): Promise<WholeManifest> {
    const { redeemed } = this.#deps
    // Taken before anything is read. What changes meanwhile may be in the manifest already, and the next delta repeats it.
    const current = await this.#settled()
    await this.#lists.refresh()
    await redeemed.refresh(() => this.#turn())
    const own = this.#own(checkpoints)
    const zones = [...new Set(own.filter((c) => c.direction === 'in').map((c) => c.to ?? ''))]
    const used = new Map(zones.map((zone) => [zone, this.#encoded(redeemed.prefixes([zone]))]))
    // With one zone alone, both fields share its bytes.
    const [only] = used.size === 1 ? used.values() : []
    const standing = this.#common(own, current) satisfies Partial<Manifest>
    const parts = new SignedParts({
      ...partsOf(standing),
      ...this.#lists.parts(),
      redeemed: only ?? this.#encoded(redeemed.prefixes(zones)),
      redeemed_by_zone: objectPart(Object.fromEntries(used)),
    })
    // The clock's reading and each box's silence differ in every answer. The tag covers what a scanner acts on.
    const boxes = standing.boxes?.map(({ unheard_seconds, ...box }) => box) ?? null
    const etag = parts.etag(['hlc', 'boxes'], partOf(boxes))
    const pieces = () => {
      const signed = this.#signing.then(() => parts.signedBy(this.#deps.signingKey))
      this.#signing = signed.catch(() => {})
      return signed
    }
    return { etag, pieces }
  }

  /**
   * Changes since the version that a device has. Undefined where the device needs the whole manifest: its version is
   * none of this ledger, is too old, belongs to a filter that was replaced, or is of another festival day.
   */
  async since(version: number, checkpoints: ReadonlySet<string>): Promise<ManifestDelta | undefined> {
    const { ledger, tickets, redeemed } = this.#deps
    const current = await this.#settled()
    await this.#lists.refresh()
    await redeemed.refresh(() => this.#turn())
    if (version > ledger.size || version < this.#lists.builtAt || ledger.size - version > MAX_DELTA_ENTRIES)
      return undefined
    if (!this.#isOfToday(version)) return undefined
    const touched = this.#touched(ledger.read(version, MAX_DELTA_ENTRIES))
    if (touched.size > MAX_DELTA_ENTRIES) return undefined
    const changed: TicketCode[] = []
    for (const page of tickets.pages.codesSince(version, this.#printedOpens)) {
      changed.push(...page)
      if (changed.length > MAX_DELTA_ENTRIES) return undefined
    }
    return this.#signed({
      ...this.#common(this.#own(checkpoints), current),
      since: version,
      ...codeChanges(changed),
      redeemed: [...touched].flatMap((ref) => redeemed.usedUp(ref)),
    })
  }

  /** True if no festival day has begun since: a day gives rights back, and no entry says so. */
  #isOfToday(version: number): boolean {
    const { event, ledger, clock } = this.#deps
    if (version === 0 || !event.tiers.some((tier) => tier.entry === 'once_per_day')) return true
    const last = parse(ledger.read(version - 1, 1)[0]?.hlc ?? '')
    return last !== undefined && localDay(event, last.ms - CLOCK_AHEAD_MS) === localDay(event, clock.wall())
  }

  /** Refs of the tickets whose right to enter may have changed with these entries. */
  #touched(entries: readonly Entry[]): Set<string> {
    const refs = new Set<string>()
    const first = entries.find(changesTickets)
    if (first)
      for (const page of this.#deps.tickets.pages.movedAndChanged(first.index)) for (const ref of page) refs.add(ref)
    for (const fact of factsIn(this.#deps.ledger, entries)) {
      const moved = movedTicket(fact)
      if (moved !== undefined) refs.add(moved)
    }
    return refs
  }

  #common(own: readonly Checkpoint[], version: number) {
    const { event, clock, mode, holds, tickets, venueEtag, incarnation } = this.#deps
    const mesh = this.#deps.mesh?.()
    const sign_on = signOnRule(
      event,
      own.map(({ id }) => id),
    )
    return {
      life: incarnation,
      version,
      event_id: event.id,
      ...(mesh && { box_id: mesh.boxId, boxes: [...mesh.others] }),
      mode: mode(),
      hlc: format(clock.now()),
      checkpoints: checkpointsOf(event, own),
      holds: holds.current().map(holdOf),
      venue_etag: venueEtag,
      tickets: tickets.count(),
      tiers: event.tiers.map(({ id, name, colour, entry }) => ({ id, name, colour, entry })),
      ...((event.scanners_see !== 'none' || tickets.details.anyDescribed) && { details: true as const }),
      ...(event.codes && event.codes.length > 0 && { codes: [...event.codes] }),
      ...(sign_on && { sign_on }),
      days: dayStarts(event, clock.wall(), DAYS_AHEAD).map(iso),
    }
  }

  /** All answers share what is used up, until somebody enters. */
  #encoded(bytes: Buffer): Part {
    const part = this.#used.get(bytes) ?? base64Part(bytes)
    this.#used.set(bytes, part)
    return part
  }

  #own(checkpoints: ReadonlySet<string>): Checkpoint[] {
    return this.#deps.event.checkpoints.filter((c) => checkpoints.has(c.id))
  }

  /** In node's thread pool: a manifest has megabytes. */
  async #signed<T extends object>(unsigned: T): Promise<T & { signature: string }> {
    const signature = await signInThread(null, Buffer.from(canonicalJson(unsigned)), this.#deps.signingKey)
    return { ...unsigned, signature: toBase64(signature) }
  }

  /** Between two pages of a large read: until the scan that is being answered has its answer, if it has it soon. */
  async #turn(): Promise<void> {
    if (this.#isClosed) throw new GatehouseError('ledger_unavailable', 'The box is closing: ask again when it is open.')
    const { liveScans } = this.#deps.ledger
    for (let times = 0; liveScans.areInFlight && times < MOST_TURNS; times++) await sleep(1)
    await setImmediate()
  }

  async #settled(): Promise<number> {
    await this.#deps.tickets.staged.settled()
    return this.#lists.complete
  }
}
