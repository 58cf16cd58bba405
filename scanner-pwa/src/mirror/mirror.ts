/**
 * The scanner's own copy of the tickets: a filter of valid codes, the revoked codes, and the codes that are used up
 * in each zone. `box/docs/life-of-a-scan.md`, "A mirror that agrees", has the rules by which it stays in step with the box.
 */

import { toBase64 } from '@gatehouse/proto/base64.ts'
import { bloomAdd, bloomHas } from '@gatehouse/proto/bloom.ts'
import type { CodeKind } from '@gatehouse/proto/code-kinds.ts'
import { lookUp } from '@gatehouse/proto/code-table.ts'
import type { Manifest, ManifestDelta, TicketKind, TierRules } from '@gatehouse/proto/wire/device.ts'
import type { OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import {
  type ChangedCode,
  changedCodesIn,
  isAfter,
  type MirrorChange,
  type MirrorEvent,
  type Mode,
  msOf,
  type OwnUse,
} from './changes.ts'
import { prefixOf, prefixOfText } from './prefixes.ts'
import { type EarlierUses, MirrorRefused, type StoredMirror } from './stored-mirror.ts'
import { UseMarks } from './use-marks.ts'

/** An earlier use, as far as this device knows of it. */
export interface Use {
  checkpoint: string
  /** Unix ms. */
  at: number
  hlc: string
  occurrence: number
}

export interface CodeStatus {
  /** The filter has the code, or a change has named it as valid since. */
  known: boolean
  revoked: boolean
  /** The tier and dates of the ticket that has this code. Arbitrary for a code that no ticket has. */
  kind: TicketKind | undefined
  /** The use that has used up the code where the checkpoint leads; `unknown` where this device does not know when and where. */
  used: Use | 'unknown' | undefined
  /** Unix ms: it was used up then. A festival day that has begun since gives some tickets their right back. */
  usedAsOf: number
}

/** Another box that the active box has no contact with. */
export interface SilentBox {
  name: string
  /** Unix ms; null where there was no contact since the active box started. */
  since: number | null
}

export class Mirror {
  readonly #base: StoredMirror
  readonly #marks: UseMarks
  readonly #revoked: Set<string>
  /** By code (base64): kinds that were named since the manifest, or beside its table. */
  readonly #kinds = new Map<string, TicketKind>()
  /** By zone and prefix: the last admission that this device knows of. */
  readonly #uses = new Map<string, Map<string, Use>>()
  readonly #holds: Map<string, Manifest['holds'][number]>
  /** Events since the newest manifest was made, which a delta must not undo. */
  #after: MirrorEvent[] = []
  /** The fields of the manifest that a delta replaces. */
  #current: Pick<
    StoredMirror,
    | 'version'
    | 'hlc'
    | 'mode'
    | 'checkpoints'
    | 'venueEtag'
    | 'tickets'
    | 'tiers'
    | 'days'
    | 'boxes'
    | 'details'
    | 'codes'
    | 'signOn'
  >
  #silentBoxes: readonly SilentBox[]

  /** @param base is taken over: its filter grows @param before the mirror that this one replaces */
  constructor(base: StoredMirror, before?: Mirror) {
    this.#base = base
    this.#marks = new UseMarks(base)
    this.#current = base
    this.#silentBoxes = silentBoxesIn(base)
    this.#revoked = new Set(base.revoked)
    this.#holds = new Map(base.holds.map((hold) => [hold.gate, hold]))
    for (const [i, hash] of base.lateCodes.entries()) {
      const kind = base.kinds[base.lateKinds[i] ?? -1]
      if (kind) this.#kinds.set(hash, kind)
    }
    // A manifest says that a code was used, and not where.
    for (const [zone, uses] of before ? before.#uses : []) this.#uses.set(zone, uses)
  }

  /** Id of the box whose ledger this mirrors. */
  get box(): string {
    return this.#base.box
  }
  /** Origin of the box that the manifest was fetched from. */
  get origin(): string {
    return this.#base.origin
  }
  /** The other boxes of the event. */
  get boxes(): readonly OtherBox[] {
    return this.#current.boxes
  }
  get silentBoxes(): readonly SilentBox[] {
    return this.#silentBoxes
  }
  /** Incarnation of the box's ledger, unix seconds. */
  get life(): number {
    return this.#base.life
  }
  get version(): number {
    return this.#current.version
  }
  get hlc(): string {
    return this.#current.hlc
  }
  get tickets(): number {
    return this.#current.tickets
  }
  get mode(): Mode {
    return this.#current.mode
  }
  get checkpoints(): readonly Checkpoint[] {
    return this.#current.checkpoints
  }
  get venueEtag(): string {
    return this.#current.venueEtag
  }
  /** The box knows more of tickets than this mirror. */
  get hasDetails(): boolean {
    return this.#current.details === true
  }
  get codes(): readonly CodeKind[] {
    return this.#current.codes ?? []
  }
  /** Somebody has to be signed on at this scanner. */
  get signOn(): StoredMirror['signOn'] {
    return this.#current.signOn
  }
  /** Unix ms: when festival days begin. */
  get days(): readonly number[] {
    return this.#current.days
  }
  get eventId(): string {
    return this.#base.eventId
  }
  /** The key that codes are hashed with. */
  get salt(): Uint8Array {
    return this.#base.filter.salt
  }

  /** The events that a manifest made at `hlc` does not contain: for the mirror that is made of it. */
  changesAfter(hlc: string): MirrorEvent[] {
    return this.#after.filter(({ data }) => isAfter(data.hlc, hlc))
  }

  /** The uses that a manifest of this ledger may not contain: for the mirror that is made of it. */
  usedBefore({ box, life }: Pick<StoredMirror, 'box' | 'life'>): EarlierUses[] {
    return this.#marks.forNextMirror(box === this.box && life === this.life)
  }

  /** @param now unix ms: a hold may have expired */
  holdOn(gate: string, now: number): Manifest['holds'][number] | undefined {
    const hold = this.#holds.get(gate)
    return hold && (hold.expires_at === null || Date.parse(hold.expires_at) > now) ? hold : undefined
  }

  /** Undefined for a tier that is no longer in the event file. */
  tier(id: string): TierRules | undefined {
    return this.#current.tiers.find((tier) => tier.id === id)
  }

  /** @param codeHash 16 bytes @param zone where the checkpoint leads; '' for the outside */
  statusOf(codeHash: Uint8Array, zone: string): CodeStatus {
    const text = toBase64(codeHash)
    const kind = this.#kinds.get(text) ?? this.#base.kinds[lookUp(this.#base.kindTable, codeHash)]
    const mark = this.#marks.of(codeHash, zone)
    return {
      // Where the number has no kind, the filter gave a false positive, and no ticket has this code.
      known: kind !== undefined && bloomHas(this.#base.filter, codeHash),
      revoked: this.#revoked.has(text),
      kind,
      used: mark?.used ? (this.#uses.get(zone)?.get(prefixOf(codeHash)) ?? 'unknown') : undefined,
      usedAsOf: mark?.at ?? 0,
    }
  }

  /**
   * Applies a change, new or read back from the store.
   * @throws MirrorRefused for a delta that goes back or leaves a hole; the mirror is unchanged then
   */
  apply(change: MirrorChange): void {
    if (change.kind === 'delta') {
      this.#applyDelta(change.data)
      return
    }
    if (change.kind === 'redemption' || change.kind === 'use') this.#noteUse(change.data)
    // A stream that starts again repeats events: an old one must not override a manifest that is newer.
    if (!isAfter(change.data.hlc, this.hlc)) return
    this.#after.push(change)
    this.#applyEvent(change)
  }

  #applyDelta(delta: Omit<ManifestDelta, 'signature'>): void {
    if (delta.event_id !== this.eventId) throw new MirrorRefused('a delta of another event')
    if ((delta.box_id ?? this.box) !== this.box) throw new MirrorRefused("a delta of another box's ledger")
    if (delta.life !== this.life) throw new MirrorRefused("a delta of another life of the box's ledger")
    if (delta.version < this.version) throw new MirrorRefused(`version ${delta.version} is older than ${this.version}`)
    if (delta.since > this.version) throw new MirrorRefused(`a delta since ${delta.since} leaves a hole`)
    const { version, hlc, mode, checkpoints, venue_etag: venueEtag, tickets, tiers } = delta
    const changed = changedCodesIn(delta)
    const days = delta.days.map(Date.parse)
    const [boxes, details, codes] = [delta.boxes ?? [], delta.details === true, delta.codes ?? []]
    const own = delta.sign_on && { signOn: delta.sign_on }
    this.#current = { version, hlc, mode, checkpoints, venueEtag, tickets, tiers, days, boxes, details, codes, ...own }
    this.#silentBoxes = silentBoxesIn(this.#current)
    this.#rekey(changed, delta)
    this.#holds.clear()
    for (const hold of delta.holds) this.#holds.set(hold.gate, hold)
    this.#after = this.#after.filter(({ data }) => isAfter(data.hlc, hlc))
    for (const event of this.#after) this.#applyEvent(event)
  }

  #applyEvent(event: MirrorEvent): void {
    switch (event.kind) {
      case 'redemption': {
        const { code_hashes, zone, used } = event.data
        const mark = { used, at: msOf(event.data.hlc) }
        for (const hash of code_hashes) this.#marks.set(zone ?? '', prefixOfText(hash), mark)
        break
      }
      case 'revocation':
        for (const hash of event.data.code_hashes) this.#revoked.add(hash)
        break
      case 'ticket':
        this.#rekey(changedCodesIn(event.data), event.data)
        break
      case 'hold': {
        const { gate, held, reason, expires_at } = event.data
        if (held) this.#holds.set(gate, { gate, reason: reason ?? '', expires_at })
        else this.#holds.delete(gate)
        break
      }
      case 'use':
        break
      case 'mode': {
        const { mode, unheard = [], hlc } = event.data
        this.#current = { ...this.#current, mode }
        this.#silentBoxes = unheard.map(({ name, seconds }) => silentBox(name, seconds, hlc))
        break
      }
    }
  }

  #rekey(changed: readonly ChangedCode[], { redeemed, hlc }: Pick<ManifestDelta, 'redeemed' | 'hlc'>): void {
    for (const { hash, bytes, opens, kind } of changed) {
      this.#kinds.set(hash, kind)
      if (!opens) this.#revoked.add(hash)
      else {
        bloomAdd(this.#base.filter, bytes)
        this.#revoked.delete(hash)
      }
    }
    for (const { code_hash, zone, used } of redeemed) this.#marks.set(zone ?? '', code_hash, { used, at: msOf(hlc) })
  }

  /** Remembers where somebody came in: what a refusal can say about the earlier use. */
  #noteUse({ code_hashes, zone, direction, checkpoint, hlc, occurrence }: OwnUse): void {
    if (direction !== 'in') return
    const at = msOf(hlc)
    const uses = this.#uses.get(zone ?? '') ?? new Map<string, Use>()
    this.#uses.set(zone ?? '', uses)
    for (const hash of code_hashes) uses.set(prefixOfText(hash), { checkpoint, at, hlc, occurrence })
  }
}

function silentBoxesIn({ boxes, hlc }: Pick<StoredMirror, 'boxes' | 'hlc'>): SilentBox[] {
  return boxes.flatMap(({ name, unheard_seconds: seconds }) =>
    // 0 for a box that is in contact; null for one that never was.
    seconds === 0 ? [] : silentBox(name, seconds, hlc),
  )
}

function silentBox(name: string, seconds: number | null, hlc: string): SilentBox {
  return { name, since: seconds === null ? null : msOf(hlc) - seconds * 1000 }
}
