/**
 * What the scanner knows of tickets without the box: a filter of valid codes, the revoked ones, and where which are used up. The
 * rules of keeping it in step are in `box/docs/life-of-a-scan.md`, "A mirror that agrees".
 */
import { fromBase64, toBase64 } from '@gatehouse/proto/base64.ts'
import { bloomAdd, bloomHas } from '@gatehouse/proto/bloom.ts'
import { lookUp } from '@gatehouse/proto/code-table.ts'
import { compare, parse, type Timestamp } from '@gatehouse/proto/hlc.ts'
import type { Manifest, ManifestDelta, Redemption, TicketKind, TierRules } from '@gatehouse/proto/wire/device.ts'
import type { HoldEvent } from '@gatehouse/proto/wire/incidents.ts'
import type { OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import { isAmong, packed, prefixOf, prefixOfText, without } from './prefixes.ts'
import { type EarlierUses, isKind, MirrorRefused, type StoredMirror, type UsedByZone } from './stored-mirror.ts'

type Mode = Manifest['mode']
type ChangedCodes = Pick<
  ManifestDelta,
  'added' | 'added_kinds' | 'revoked' | 'revoked_kinds' | 'kinds' | 'redeemed' | 'hlc'
>

/** What was heard since, in the form that is kept: events of the stream, deltas, and this device's own scans. */
export type Heard =
  | { kind: 'redemption'; data: Redemption }
  /** An admission of this device's own: says when and where, and nothing of what it used up. */
  | { kind: 'use'; data: OwnUse }
  | { kind: 'revocation'; data: { code_hashes: string[]; hlc: string } }
  | { kind: 'ticket'; data: ChangedCodes }
  | { kind: 'hold'; data: HoldEvent }
  | { kind: 'mode'; data: { mode: Mode; hlc: string; unheard?: { name: string; seconds: number | null }[] } }
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
  /** Its tier and its dates, wherever a ticket has this code; of a code that there is not, anything. */
  kind: TicketKind | undefined
  /** Used up where the checkpoint leads; `unknown` where nobody told when and where. */
  used: Use | 'unknown' | undefined
  /** Unix ms: it was used up then. A festival day that has begun since gives some tickets their right back. */
  usedAsOf: number
}

/** Another box that the box asked does not hear. */
export interface UnheardBox {
  name: string
  /** Unix ms; null where it was not heard since that box started. */
  since: number | null
}

/** Of one code, in one zone. */
interface Mark {
  used: boolean
  /** Unix ms: when it was so. */
  at: number
}

export class Mirror {
  readonly #base: StoredMirror
  readonly #revoked: Set<string>
  /** By zone: prefixes (base64) whose standing has changed since. */
  readonly #changes = new Map<string, Map<string, Mark>>()
  /** Of codes (base64) that were changed since. */
  readonly #kinds = new Map<string, TicketKind>()
  /** By zone: the last admission of a prefix that was told here. */
  readonly #uses = new Map<string, Map<string, Use>>()
  readonly #holds: Map<string, Manifest['holds'][number]>
  /** Heard since the newest manifest was made: it must not undo them. */
  #after: Exclude<Heard, { kind: 'delta' }>[] = []
  #standing: Pick<
    StoredMirror,
    'version' | 'hlc' | 'mode' | 'checkpoints' | 'venueEtag' | 'tickets' | 'tiers' | 'days' | 'boxes'
  >
  /** Whom the box does not hear, by name, and since when, unix ms. */
  #unheard: readonly UnheardBox[] = []

  /** @param base is taken over: its filter grows @param before the mirror in whose place this one comes */
  constructor(base: StoredMirror, before?: Mirror) {
    this.#base = base
    this.#standing = base
    this.#unheard = unheardOf(base)
    this.#revoked = new Set(base.revoked)
    this.#holds = new Map(base.holds.map((hold) => [hold.gate, hold]))
    for (const [i, hash] of base.lateCodes.entries()) {
      const kind = base.kinds[base.lateKinds[i] ?? -1]
      if (kind) this.#kinds.set(hash, kind)
    }
    // A manifest says that a code was used, and not where.
    for (const [zone, uses] of before ? before.#uses : []) this.#uses.set(zone, uses)
  }

  /** Whose ledger it is of. */
  get box(): string {
    return this.#base.box
  }
  /** Where it was fetched. */
  get origin(): string {
    return this.#base.origin
  }
  /** The other boxes of the event. */
  get boxes(): readonly OtherBox[] {
    return this.#standing.boxes
  }
  get unheard(): readonly UnheardBox[] {
    return this.#unheard
  }
  get life(): number {
    return this.#base.life
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
  /** Unix ms: when festival days begin. */
  get days(): readonly number[] {
    return this.#standing.days
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

  /** Undefined for a tier that has left the event. */
  tier(id: string): TierRules | undefined {
    return this.#standing.tiers.find((tier) => tier.id === id)
  }

  /** @param codeHash 16 bytes @param zone where the checkpoint leads; '' for the outside */
  standing(codeHash: Uint8Array, zone: string): Standing {
    const text = toBase64(codeHash)
    const kind = this.#kinds.get(text) ?? this.#base.kinds[lookUp(this.#base.kindTable, codeHash)]
    const mark = this.#markOf(codeHash, zone)
    return {
      // A number that no kind has: the filter was wrong, and no ticket has this code.
      known: kind !== undefined && bloomHas(this.#base.filter, codeHash),
      revoked: this.#revoked.has(text),
      kind,
      used: mark?.used ? (this.#uses.get(zone)?.get(prefixOf(codeHash)) ?? 'unknown') : undefined,
      usedAsOf: mark?.at ?? 0,
    }
  }

  #markOf(codeHash: Uint8Array, zone: string): Mark | undefined {
    const { redeemed, hlc, earlier } = this.#base
    const change = this.#changes.get(zone)?.get(prefixOf(codeHash))
    if (change) return change
    if (isAmong(redeemed[zone], codeHash)) return { used: true, at: msOf(hlc) }
    const before = earlier.findLast((each) => isAmong(each.redeemed[zone], codeHash))
    return before && { used: true, at: before.at }
  }

  /** What is used up by what was told by other boxes, or in other lives of this one's ledger: for the mirror of that manifest. */
  usedBefore({ box, life }: Pick<StoredMirror, 'box' | 'life'>): EarlierUses[] {
    const changes = [...this.#changes].flatMap(([zone, marks]) =>
      [...marks].map(([prefix, mark]) => ({ zone, prefix, ...mark })),
    )
    const left = (byZone: UsedByZone) =>
      Object.fromEntries(
        Object.entries(byZone).map(([zone, prefixes]) => {
          const gone = changes.filter((each) => each.zone === zone && !each.used).map(({ prefix }) => prefix)
          return [zone, without(prefixes, new Set(gone))]
        }),
      )
    const earlier = this.#base.earlier.map(({ at, redeemed }) => ({ at, redeemed: left(redeemed) }))
    if (box === this.box && life === this.life) return earlier
    const used = changes.filter((each) => each.used)
    const zones = new Set(used.map(({ zone }) => zone))
    const since = [...zones].map((zone) => [zone, packed(used.filter((u) => u.zone === zone).map((u) => u.prefix))])
    return [
      ...earlier,
      { at: msOf(this.#base.hlc), redeemed: left(this.#base.redeemed) },
      { at: Math.max(0, ...used.map(({ at }) => at)), redeemed: Object.fromEntries(since) },
    ]
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
    if ((delta.box_id ?? this.box) !== this.box) throw new MirrorRefused("a delta of another box's ledger")
    if (delta.life !== this.life) throw new MirrorRefused("a delta of another life of the box's ledger")
    if (delta.version < this.version) throw new MirrorRefused(`version ${delta.version} is older than ${this.version}`)
    if (delta.since > this.version) throw new MirrorRefused(`a delta since ${delta.since} leaves a hole`)
    const { version, hlc, mode, checkpoints, venue_etag: venueEtag, tickets, tiers } = delta
    const changed = changedCodes(delta)
    const days = delta.days.map(Date.parse)
    this.#standing = { version, hlc, mode, checkpoints, venueEtag, tickets, tiers, days, boxes: delta.boxes ?? [] }
    this.#unheard = unheardOf(this.#standing)
    this.#rekey(changed, delta)
    this.#holds.clear()
    for (const hold of delta.holds) this.#holds.set(hold.gate, hold)
    this.#after = this.#after.filter(({ data }) => isAfter(data.hlc, hlc))
    for (const heard of this.#after) this.#apply(heard)
  }

  #apply(heard: Exclude<Heard, { kind: 'delta' }>): void {
    switch (heard.kind) {
      case 'redemption': {
        const { code_hashes, zone, used } = heard.data
        const mark = { used, at: msOf(heard.data.hlc) }
        for (const hash of code_hashes) this.#mark(zone ?? '', prefixOfText(hash), mark)
        break
      }
      case 'revocation':
        for (const hash of heard.data.code_hashes) this.#revoked.add(hash)
        break
      case 'ticket':
        this.#rekey(changedCodes(heard.data), heard.data)
        break
      case 'hold': {
        const { gate, held, reason, expires_at } = heard.data
        if (held) this.#holds.set(gate, { gate, reason: reason ?? '', expires_at })
        else this.#holds.delete(gate)
        break
      }
      case 'use':
        break
      case 'mode': {
        const { mode, unheard = [], hlc } = heard.data
        this.#standing = { ...this.#standing, mode }
        this.#unheard = unheard.map(({ name, seconds }) => ({
          ...{ name, since: seconds === null ? null : msOf(hlc) - seconds * 1000 },
        }))
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
    for (const { code_hash, zone, used } of redeemed) this.#mark(zone ?? '', code_hash, { used, at: msOf(hlc) })
  }

  /** Remembers where somebody came in: what a refusal can say of the earlier use. */
  #note({ code_hashes, zone, direction, checkpoint, hlc, occurrence }: OwnUse): void {
    if (direction !== 'in') return
    const at = parse(hlc)?.ms ?? 0
    const uses = this.#uses.get(zone ?? '') ?? new Map<string, Use>()
    this.#uses.set(zone ?? '', uses)
    for (const hash of code_hashes) uses.set(prefixOfText(hash), { checkpoint, at, hlc, occurrence })
  }

  #mark(zone: string, prefix: string, mark: Mark): void {
    const changes = this.#changes.get(zone) ?? new Map<string, Mark>()
    this.#changes.set(zone, changes.set(prefix, mark))
  }
}

interface ChangedCode {
  /** The same twice: Base64 and bytes. */
  hash: string
  bytes: Uint8Array
  opens: boolean
  kind: TicketKind
}

/** @throws MirrorRefused when one of them is no code hash, or of no kind */
function changedCodes({ added, added_kinds, revoked, revoked_kinds, kinds }: Omit<ChangedCodes, 'redeemed' | 'hlc'>) {
  const changed = (hashes: readonly string[], numbers: readonly number[], opens: boolean) =>
    hashes.map((hash, i): ChangedCode => {
      const bytes = fromBase64(hash)
      const kind = kinds[numbers[i] ?? -1]
      if (bytes?.length !== 16) throw new MirrorRefused('a code hash of another size')
      if (!isKind(kind)) throw new MirrorRefused('a code of no kind')
      return { hash, bytes, opens, kind }
    })
  return [...changed(added, added_kinds, true), ...changed(revoked, revoked_kinds, false)]
}

function unheardOf({ boxes, hlc }: Pick<StoredMirror, 'boxes' | 'hlc'>): UnheardBox[] {
  return boxes.flatMap(({ name, unheard_seconds: seconds }) =>
    // A box that is heard is unheard for no second; one that was never heard has no count of them.
    seconds === 0 ? [] : { name, since: seconds === null ? null : msOf(hlc) - seconds * 1000 },
  )
}

const BEGINNING: Timestamp = { ms: 0, count: 0 }

function msOf(hlc: string): number {
  return parse(hlc)?.ms ?? 0
}

function isAfter(hlc: string, other: string): boolean {
  return compare(parse(hlc) ?? BEGINNING, parse(other) ?? BEGINNING) > 0
}
