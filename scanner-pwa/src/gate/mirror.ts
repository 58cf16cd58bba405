/**
 * What the scanner knows of tickets without the box: a filter of valid codes, the revoked ones, and where which are used up. The
 * rules of keeping it in step are in `box/docs/life-of-a-scan.md`, "A mirror that agrees".
 */
import { fromBase64, toBase64 } from '@gatehouse/proto/base64.ts'
import { type Bloom, bloomAdd, bloomFromWire, bloomHas } from '@gatehouse/proto/bloom.ts'
import { compare, parse, type Timestamp } from '@gatehouse/proto/hlc.ts'
import type { Manifest, ManifestDelta, Redemption } from '@gatehouse/proto/wire/device.ts'
import type { HoldEvent } from '@gatehouse/proto/wire/incidents.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'

type Mode = Manifest['mode']

const PREFIX_BYTES = 8

/** A manifest, signature apart, in the form that is loaded fastest: the large parts are bytes, searched where they lie. */
export interface StoredMirror {
  version: number
  hlc: string
  eventId: string
  mode: Mode
  checkpoints: readonly Checkpoint[]
  holds: Manifest['holds']
  venueEtag: string
  tickets: number
  filter: Bloom
  revoked: readonly string[]
  /** Sorted 8-byte prefixes, by the zone that is entered. */
  redeemed: Readonly<Record<string, Uint8Array>>
}

/** What was heard since, in the form that is kept: events of the stream, deltas, and this device's own scans. */
export type Heard =
  | { kind: 'redemption'; data: Redemption }
  /** An admission of this device's own: says when and where, and nothing of what it used up. */
  | { kind: 'use'; data: OwnUse }
  | { kind: 'revocation'; data: { code_hashes: string[]; hlc: string } }
  | { kind: 'ticket'; data: Pick<ManifestDelta, 'added' | 'revoked' | 'redeemed' | 'hlc'> }
  | { kind: 'hold'; data: HoldEvent }
  | { kind: 'mode'; data: { mode: Mode; hlc: string } }
  | { kind: 'delta'; data: Omit<ManifestDelta, 'signature'> }

export type OwnUse = Pick<Redemption, 'code_hashes' | 'zone' | 'direction' | 'checkpoint' | 'hlc' | 'occurrence'>

/** An earlier use, as far as it was told here. */
export interface Use {
  checkpoint: string
  /** Unix ms. */
  at: number
  hlc: string
  occurrence: number
}

export interface Standing {
  /** The filter has it, or somebody has named it as valid since. */
  known: boolean
  revoked: boolean
  /** Used up where the checkpoint leads; `unknown` where nobody told when and where. */
  used: Use | 'unknown' | undefined
}

/** A manifest that must not be taken: signed or not, it would make the scanner worse than it is. */
export class MirrorRefused extends Error {
  override readonly name = 'MirrorRefused'
}

export class Mirror {
  readonly #base: StoredMirror
  readonly #revoked: Set<string>
  /** By zone: prefixes (base64) whose standing has changed since. */
  readonly #changes = new Map<string, Map<string, boolean>>()
  /** By zone: the last admission of a prefix that was told here. */
  readonly #uses = new Map<string, Map<string, Use>>()
  readonly #holds: Map<string, Manifest['holds'][number]>
  /** Heard since the newest manifest was made: it must not undo them. */
  #after: Exclude<Heard, { kind: 'delta' }>[] = []
  #standing: Pick<StoredMirror, 'version' | 'hlc' | 'mode' | 'checkpoints' | 'venueEtag' | 'tickets'>

  /** @param base is taken over: its filter grows @param before the mirror in whose place this one comes */
  constructor(base: StoredMirror, before?: Mirror) {
    this.#base = base
    this.#standing = base
    this.#revoked = new Set(base.revoked)
    this.#holds = new Map(base.holds.map((hold) => [hold.gate, hold]))
    // A manifest says that a code was used, and not where.
    for (const [zone, uses] of before ? before.#uses : []) this.#uses.set(zone, uses)
  }

  get version(): number {
    return this.#standing.version
  }
  get hlc(): string {
    return this.#standing.hlc
  }
  get tickets(): number {
    return this.#standing.tickets
  }
  get mode(): Mode {
    return this.#standing.mode
  }
  get checkpoints(): readonly Checkpoint[] {
    return this.#standing.checkpoints
  }
  get venueEtag(): string {
    return this.#standing.venueEtag
  }
  get eventId(): string {
    return this.#base.eventId
  }
  /** What codes are hashed with. */
  get salt(): Uint8Array {
    return this.#base.filter.salt
  }

  /** What a newer manifest does not know yet: for the mirror that it makes. @param hlc when that was made */
  heardAfter(hlc: string): Heard[] {
    return this.#after.filter(({ data }) => isAfter(data.hlc, hlc))
  }

  /** @param now unix ms: a hold may have ended by itself */
  holdOn(gate: string, now: number): Manifest['holds'][number] | undefined {
    const hold = this.#holds.get(gate)
    return hold && (hold.expires_at === null || Date.parse(hold.expires_at) > now) ? hold : undefined
  }

  /** @param codeHash 16 bytes @param zone where the checkpoint leads; '' for the outside */
  standing(codeHash: Uint8Array, zone: string): Standing {
    const prefix = prefixOf(codeHash)
    const used = this.#changes.get(zone)?.get(prefix) ?? isAmong(this.#base.redeemed[zone], codeHash)
    return {
      known: bloomHas(this.#base.filter, codeHash),
      revoked: this.#revoked.has(toBase64(codeHash)),
      used: used ? (this.#uses.get(zone)?.get(prefix) ?? 'unknown') : undefined,
    }
  }

  /**
   * Takes what happened since, as it was heard or as it was kept.
   * @throws MirrorRefused for a delta that goes back, or leaves a hole: nothing has changed then
   */
  hear(heard: Heard): void {
    if (heard.kind === 'delta') {
      this.#take(heard.data)
      return
    }
    if (heard.kind === 'redemption' || heard.kind === 'use') this.#note(heard.data)
    // Told again, by a stream that begins anew: an old word must not stand against a manifest that is newer.
    if (!isAfter(heard.data.hlc, this.hlc)) return
    this.#after.push(heard)
    this.#apply(heard)
  }

  #take(delta: Omit<ManifestDelta, 'signature'>): void {
    if (delta.event_id !== this.eventId) throw new MirrorRefused('a delta of another event')
    if (delta.version < this.version) throw new MirrorRefused(`version ${delta.version} is older than ${this.version}`)
    if (delta.since > this.version) throw new MirrorRefused(`a delta since ${delta.since} leaves a hole`)
    const { version, hlc, mode, checkpoints, venue_etag: venueEtag, tickets } = delta
    const hashes = [...delta.added, ...delta.revoked]
    if (!hashes.every((hash) => fromBase64(hash)?.length === 16)) throw new MirrorRefused('a code hash of another size')
    this.#standing = { version, hlc, mode, checkpoints, venueEtag, tickets }
    this.#rekey(delta)
    this.#holds.clear()
    for (const hold of delta.holds) this.#holds.set(hold.gate, hold)
    this.#after = this.#after.filter(({ data }) => isAfter(data.hlc, hlc))
    for (const heard of this.#after) this.#apply(heard)
  }

  #apply(heard: Exclude<Heard, { kind: 'delta' }>): void {
    switch (heard.kind) {
      case 'redemption': {
        const { code_hashes, zone, used } = heard.data
        for (const hash of code_hashes) this.#setUsed(zone ?? '', prefixOfText(hash), used)
        break
      }
      case 'revocation':
        for (const hash of heard.data.code_hashes) this.#revoked.add(hash)
        break
      case 'ticket':
        this.#rekey(heard.data)
        break
      case 'hold': {
        const { gate, held, reason, expires_at } = heard.data
        if (held) this.#holds.set(gate, { gate, reason: reason ?? '', expires_at })
        else this.#holds.delete(gate)
        break
      }
      case 'use':
        break
      case 'mode':
        this.#standing = { ...this.#standing, mode: heard.data.mode }
        break
    }
  }

  #rekey({ added, revoked, redeemed }: Pick<ManifestDelta, 'added' | 'revoked' | 'redeemed'>): void {
    for (const hash of added) {
      const bytes = fromBase64(hash)
      if (bytes?.length === 16) bloomAdd(this.#base.filter, bytes)
      this.#revoked.delete(hash)
    }
    for (const hash of revoked) this.#revoked.add(hash)
    for (const { code_hash, zone, used } of redeemed) this.#setUsed(zone ?? '', code_hash, used)
  }

  /** Remembers where somebody came in: what a refusal can say of the earlier use. */
  #note({ code_hashes, zone, direction, checkpoint, hlc, occurrence }: OwnUse): void {
    if (direction !== 'in') return
    const at = parse(hlc)?.ms ?? 0
    const uses = this.#uses.get(zone ?? '') ?? new Map<string, Use>()
    this.#uses.set(zone ?? '', uses)
    for (const hash of code_hashes) uses.set(prefixOfText(hash), { checkpoint, at, hlc, occurrence })
  }

  #setUsed(zone: string, prefix: string, used: boolean): void {
    const changes = this.#changes.get(zone) ?? new Map<string, boolean>()
    this.#changes.set(zone, changes.set(prefix, used))
  }
}

/**
 * A whole manifest, as it is kept.
 * @throws MirrorRefused for one that cannot be used, and RangeError, naming the field, for a filter that cannot be one
 */
export function storedMirror(manifest: Omit<Manifest, 'signature'>): StoredMirror {
  if (!parse(manifest.hlc)) throw new MirrorRefused('the manifest has no clock reading')
  const redeemed = Object.fromEntries(
    Object.entries(manifest.redeemed_by_zone).map(([zone, text]) => {
      const bytes = fromBase64(text)
      if (!bytes || bytes.length % PREFIX_BYTES !== 0) throw new MirrorRefused('a list of used codes is cut off')
      return [zone, sorted(bytes)]
    }),
  )
  const { version, hlc, mode, checkpoints, holds, tickets, revoked } = manifest
  return {
    ...{ version, hlc, mode, checkpoints, holds, tickets, revoked, redeemed },
    ...{ eventId: manifest.event_id, venueEtag: manifest.venue_etag, filter: bloomFromWire(manifest.filter) },
  }
}

/** Halving needs an order, and a list without it would hide every use that is in the wrong place. */
function sorted(prefixes: Uint8Array): Uint8Array {
  for (let at = PREFIX_BYTES; at < prefixes.length; at += PREFIX_BYTES) {
    if (order(prefixes, at - PREFIX_BYTES, prefixes.subarray(at)) > 0) throw new MirrorRefused('a list is not sorted')
  }
  return prefixes
}

function isAmong(prefixes: Uint8Array | undefined, codeHash: Uint8Array): boolean {
  if (!prefixes) return false
  let low = 0
  let high = prefixes.length / PREFIX_BYTES
  while (low < high) {
    const middle = (low + high) >>> 1
    const difference = order(prefixes, middle * PREFIX_BYTES, codeHash)
    if (difference === 0) return true
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return false
}

/** Negative, zero or positive, as the prefix at `at` is before, at or after that of `codeHash`. */
function order(prefixes: Uint8Array, at: number, codeHash: Uint8Array): number {
  for (let i = 0; i < PREFIX_BYTES; i++) {
    const difference = (prefixes[at + i] ?? 0) - (codeHash[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

export function prefixOf(codeHash: Uint8Array): string {
  return toBase64(codeHash.subarray(0, PREFIX_BYTES))
}

function prefixOfText(codeHash: string): string {
  return prefixOf(fromBase64(codeHash) ?? new Uint8Array(PREFIX_BYTES))
}

const BEGINNING: Timestamp = { ms: 0, count: 0 }

function isAfter(hlc: string, other: string): boolean {
  return compare(parse(hlc) ?? BEGINNING, parse(other) ?? BEGINNING) > 0
}
