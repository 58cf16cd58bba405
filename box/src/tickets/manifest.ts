/**
 * What a scanner needs to decide alone: which codes are valid, which are revoked, which are used up. Signed, so that
 * whoever stands between box and scanner can withhold it, but not change it.
 */
import { type KeyObject, sign } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { type Bloom, bloomAdd, bloomHas, bloomSize, bloomToWire, createBloom } from '@gatehouse/proto/bloom.ts'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { format, type HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import type { Filter, Manifest, ManifestDelta } from '@gatehouse/proto/wire/device.ts'
import type { OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import { iso } from '../clock/iso.ts'
import type { Mode } from '../control/mode.ts'
import { dayStarts } from '../event/day.ts'
import { type Checkpoint, type Event, localDay } from '../event/event.ts'
import { checkpointsOf } from '../event/wire.ts'
import { type Holds, holdOf } from '../incidents/holds.ts'
import type { Entry, Ledger } from '../ledger/ledger.ts'
import { factsIn } from '../mesh/facts.ts'
import { movedTicket } from '../scan/passage.ts'
import { changesOf, type Kinds } from './kinds.ts'
import { printedOpens } from './printed-code.ts'
import { changesTickets, type Redeemed } from './redeemed.ts'
import type { PrintedOpens, TicketCode, Tickets } from './tickets.ts'

export interface ManifestDeps {
  event: Event
  ledger: Ledger
  clock: HybridLogicalClock
  tickets: Tickets
  redeemed: Redeemed
  kinds: Kinds
  holds: Holds
  /** The box's Ed25519 key, whose public half is the verifier key. */
  signingKey: KeyObject
  /** 16 bytes */
  salt: Buffer
  /** Unix seconds: when this life of the ledger began. */
  life: number
  mode: () => Mode
  venueEtag: string
  /** Where the event has several: which this one is, and the others that have gates. */
  mesh?: () => { boxId: string; others: readonly OtherBox[] } | undefined
}

/** Under 0.01 %, also after what chance adds to it. */
const FALSE_POSITIVES = 8e-5
/** Sized for twice the codes there are, so that late sales need no new filter. */
const ROOM = 2
/** A delta over more entries, or more codes, than this is no smaller than the manifest. */
const MAX_DELTA_ENTRIES = 20_000
/** A reading may be this far ahead of the wall clock that a festival day goes by. */
const CLOCK_AHEAD_MS = 60_000
/** Festival days that a scanner may be alone for, and still give rights back. */
const DAYS_TOLD = 14

export class Manifests {
  readonly #deps: ManifestDeps
  /** Tiers whose printed codes must not enter. */
  readonly #printedOpens: PrintedOpens
  #filter: Bloom | undefined
  #wire: { of: Bloom; filter: Filter } | undefined
  #capacity = 0
  /** Code hashes that must not enter whatever the filter says, base64. */
  readonly #revoked = new Set<string>()
  /** The filter holds every code that was ever valid between these versions. */
  #builtAt = 0
  #filledTo = 0
  #building: Promise<Bloom> | undefined

  constructor(deps: ManifestDeps) {
    this.#deps = deps
    this.#printedOpens = printedOpens(deps.event)
  }

  /** The whole manifest for a device that may scan at `checkpoints`. */
  async whole(checkpoints: ReadonlySet<string>): Promise<Manifest> {
    const { ledger, redeemed, kinds } = this.#deps
    // Before anything is read: what changes meanwhile is in the manifest already, and comes once more in the delta.
    const current = ledger.size
    const bloom = await this.#currentFilter()
    await redeemed.refresh(setImmediate)
    const own = this.#own(checkpoints)
    const zones = [...new Set(own.filter((c) => c.direction === 'in').map((c) => c.to ?? ''))]
    return this.#signed({
      ...this.#standing(own, current),
      filter: this.#wireOf(bloom),
      revoked: [...this.#revoked],
      ...kinds.wire,
      redeemed: toBase64(redeemed.prefixes(zones)),
      redeemed_by_zone: Object.fromEntries(zones.map((zone) => [zone, toBase64(redeemed.prefixes([zone]))])),
    })
  }

  /**
   * What has changed since the version that a device has. Undefined when only the whole manifest will do: the version is
   * not one of this ledger's, is too old, belongs to a filter that has been replaced, or is of another festival day.
   */
  async since(version: number, checkpoints: ReadonlySet<string>): Promise<ManifestDelta | undefined> {
    const { ledger, tickets, redeemed } = this.#deps
    const current = ledger.size
    await this.#currentFilter()
    await redeemed.refresh(setImmediate)
    if (version > ledger.size || version < this.#builtAt || ledger.size - version > MAX_DELTA_ENTRIES) return undefined
    if (!this.#isOfToday(version)) return undefined
    const touched = this.#touched(ledger.read(version, MAX_DELTA_ENTRIES))
    if (touched.size > MAX_DELTA_ENTRIES) return undefined
    const changed: TicketCode[] = []
    for (const page of tickets.codesSince(version, this.#printedOpens)) {
      changed.push(...page)
      if (changed.length > MAX_DELTA_ENTRIES) return undefined
    }
    return this.#signed({
      ...this.#standing(this.#own(checkpoints), current),
      since: version,
      ...changesOf(changed),
      redeemed: [...touched].flatMap((ref) => redeemed.standing(ref)),
    })
  }

  /** Whether no day has begun since: a day gives rights back, and no entry says so. */
  #isOfToday(version: number): boolean {
    const { event, ledger, clock } = this.#deps
    if (version === 0 || !event.tiers.some((tier) => tier.entry === 'once_per_day')) return true
    const last = parse(ledger.read(version - 1, 1)[0]?.hlc ?? '')
    return last !== undefined && localDay(event, last.ms - CLOCK_AHEAD_MS) === localDay(event, clock.wall())
  }

  /** Refs of the tickets whose right to enter these entries may have changed. */
  #touched(entries: readonly Entry[]): Set<string> {
    const refs = new Set<string>()
    const first = entries.find(changesTickets)
    if (first) for (const page of this.#deps.tickets.movedAndChanged(first.index)) for (const ref of page) refs.add(ref)
    for (const fact of factsIn(this.#deps.ledger, entries)) {
      const moved = movedTicket(fact)
      if (moved !== undefined) refs.add(moved)
    }
    return refs
  }

  #standing(own: readonly Checkpoint[], version: number) {
    const { event, clock, mode, holds, tickets, venueEtag, life } = this.#deps
    const mesh = this.#deps.mesh?.()
    return {
      life,
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
      days: dayStarts(event, clock.wall(), DAYS_TOLD).map(iso),
    }
  }

  #own(checkpoints: ReadonlySet<string>): Checkpoint[] {
    return this.#deps.event.checkpoints.filter((c) => checkpoints.has(c.id))
  }

  #signed<T extends object>(unsigned: T): T & { signature: string } {
    const signature = sign(null, Buffer.from(canonicalJson(unsigned)), this.#deps.signingKey)
    return { ...unsigned, signature: toBase64(signature) }
  }

  /** One at a time: two scanners that ask at once wait for the same filter. It is read to the end, whenever that is. */
  #currentFilter(): Promise<Bloom> {
    this.#building ??= this.#fill().finally(() => {
      this.#building = undefined
    })
    return this.#building
  }

  async #fill(): Promise<Bloom> {
    const { ledger, tickets, salt, kinds } = this.#deps
    if (this.#filter && this.#filledTo === ledger.size) return this.#filter
    const codes = tickets.count() * 2
    if (!this.#filter || codes > this.#capacity) {
      this.#capacity = Math.max(1000, codes * ROOM)
      this.#filter = createBloom({ ...bloomSize(this.#capacity, FALSE_POSITIVES), salt })
      this.#builtAt = ledger.size
      this.#filledTo = 0
    }
    if (this.#filledTo === 0 || kinds.isOutgrown) {
      this.#filledTo = 0
      kinds.begin(tickets.countCodes())
    }
    const bloom = this.#filter
    // Until nothing has changed meanwhile: whoever waits for this may have begun to wait in the middle of it.
    for (let isDone = false; !isDone; ) {
      const upTo = ledger.size
      for (const page of tickets.codesSince(this.#filledTo, this.#printedOpens)) {
        for (const { codeHash, valid } of page) {
          if (valid && !bloomHas(bloom, codeHash)) bloomAdd(bloom, codeHash)
          if (valid) this.#revoked.delete(toBase64(codeHash))
          else this.#revoked.add(toBase64(codeHash))
        }
        kinds.add(page)
        this.#wire = undefined
        await setImmediate()
      }
      this.#filledTo = upTo
      await kinds.finish(setImmediate)
      isDone = upTo === ledger.size
    }
    return bloom
  }

  /** Base64 of megabytes: made once for each state of the filter. */
  #wireOf(bloom: Bloom): Filter {
    if (this.#wire?.of !== bloom) this.#wire = { of: bloom, filter: bloomToWire(bloom) }
    return this.#wire.filter
  }
}
