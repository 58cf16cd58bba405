/** A whole manifest as the scanner stores it: checked once, and in the form that loads fastest. */
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { type Bloom, bloomFromWire } from '@gatehouse/proto/bloom.ts'
import type { CodeKind } from '@gatehouse/proto/code-kinds.ts'
import { type CodeTable, codeTableFromWire } from '@gatehouse/proto/code-table.ts'
import { parse } from '@gatehouse/proto/hlc.ts'
import type { Manifest, TicketKind, TierRules } from '@gatehouse/proto/wire/device.ts'
import type { OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import { isSorted, PREFIX_BYTES, withoutAll } from './prefixes.ts'

/** A manifest without its signature. The large parts are bytes, which are searched in place. */
export interface StoredMirror {
  /** Id of the box whose ledger it is made from: lives and versions of two boxes do not compare. */
  box: string
  /** Origin of the box that it was fetched from: only this box can say what has changed since. */
  origin: string
  /** The other boxes of the event. */
  boxes: readonly OtherBox[]
  /** Incarnation of the box's ledger, unix seconds: versions are comparable within one incarnation. */
  life: number
  version: number
  hlc: string
  eventId: string
  mode: Manifest['mode']
  checkpoints: readonly Checkpoint[]
  holds: Manifest['holds']
  venueEtag: string
  tickets: number
  tiers: readonly TierRules[]
  /** The event's tickets have a name, an order, questions or notes, which only a box knows. Absent in what older versions stored. */
  details?: boolean
  /** Kinds of codes that are read besides QR. Absent in what older versions stored. */
  codes?: readonly CodeKind[]
  /** Somebody has to be signed on at this scanner. */
  signOn?: { lock_minutes: number }
  /** Unix ms: when festival days begin. */
  days: readonly number[]
  filter: Bloom
  kinds: readonly TicketKind[]
  kindTable: CodeTable
  /** Code hashes (base64) that are not in the table yet; `lateKinds` has the index of each one's kind in `kinds`. */
  lateCodes: readonly string[]
  lateKinds: readonly number[]
  revoked: readonly string[]
  redeemed: UsedByZone
  /**
   * Uses from earlier incarnations of the ledger, or from other boxes, oldest first. A restored box has lost some of them, another
   * box may not have received them, and the people are inside.
   */
  earlier: readonly EarlierUses[]
}

/** Sorted 8-byte prefixes of code hashes, by the zone that is entered. */
export type UsedByZone = Readonly<Record<string, Uint8Array>>

export interface EarlierUses {
  /** Unix ms: the codes were used up by then. */
  at: number
  redeemed: UsedByZone
}

/** A manifest or delta that must not be taken: signed or not, the mirror would be worse for it. */
export class MirrorRefused extends Error {
  override readonly name = 'MirrorRefused'
}

/**
 * A whole manifest, in the form in which it is stored.
 * @param earlier what the previous mirror knew of other incarnations and boxes: see `Mirror.usedBefore`
 * @param origin of the box that it was fetched from
 * @throws MirrorRefused for a manifest that cannot be used, and RangeError, naming the field, for a malformed filter
 */
export function storedMirror(
  manifest: Omit<Manifest, 'signature'>,
  earlier: readonly EarlierUses[] = [],
  origin = '',
): StoredMirror {
  if (!parse(manifest.hlc)) throw new MirrorRefused('the manifest has no clock reading')
  const redeemed = Object.fromEntries(
    Object.entries(manifest.redeemed_by_zone).map(([zone, text]) => {
      const bytes = fromBase64(text)
      if (!bytes || bytes.length % PREFIX_BYTES !== 0) throw new MirrorRefused('a list of used codes is cut off')
      if (!isSorted(bytes)) throw new MirrorRefused('a list is not sorted')
      return [zone, bytes]
    }),
  )
  const { life, version, hlc, mode, checkpoints, holds, tickets, revoked, kinds, tiers } = manifest
  if (!Number.isSafeInteger(life)) throw new MirrorRefused('the manifest does not say of which life it is')
  if (!kinds.every(isKind)) throw new MirrorRefused('a kind of ticket without a tier, or with dates that are none')
  if (!manifest.late_codes.every((_, i) => kinds[manifest.late_kinds[i] ?? -1])) {
    throw new MirrorRefused('a code of no kind')
  }
  return {
    box: manifest.box_id ?? origin,
    origin,
    boxes: manifest.boxes ?? [],
    earlier: notIn(redeemed, earlier),
    life,
    version,
    hlc,
    mode,
    checkpoints,
    holds,
    tickets,
    tiers,
    details: manifest.details === true,
    codes: manifest.codes ?? [],
    ...(manifest.sign_on && { signOn: manifest.sign_on }),
    kinds,
    revoked,
    redeemed,
    eventId: manifest.event_id,
    venueEtag: manifest.venue_etag,
    days: manifest.days.map(Date.parse),
    lateCodes: manifest.late_codes,
    lateKinds: manifest.late_kinds,
    filter: bloomFromWire(manifest.filter),
    kindTable: codeTableFromWire(manifest.kind_table),
  }
}

/** Leaves out what the manifest contains: a scanner that moves from box to box would store it once for each move. */
function notIn(redeemed: UsedByZone, earlier: readonly EarlierUses[]): EarlierUses[] {
  return earlier.flatMap(({ at, redeemed: before }) => {
    const left = Object.entries(before).map(([zone, used]) => [zone, withoutAll(used, redeemed[zone])] as const)
    const some = left.filter(([, used]) => used.length > 0)
    return some.length > 0 ? { at, redeemed: Object.fromEntries(some) } : []
  })
}

export function isKind(kind: TicketKind | undefined): kind is TicketKind {
  const isTime = (time: string | null) => time === null || !Number.isNaN(Date.parse(time))
  return typeof kind?.tier === 'string' && isTime(kind.valid_from) && isTime(kind.valid_until)
}
