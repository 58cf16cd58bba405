/** A whole manifest as the scanner keeps it: checked once, and in the form that is loaded fastest. */
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { type Bloom, bloomFromWire } from '@gatehouse/proto/bloom.ts'
import { type CodeTable, codeTableFromWire } from '@gatehouse/proto/code-table.ts'
import { parse } from '@gatehouse/proto/hlc.ts'
import type { Manifest, TicketKind, TierRules } from '@gatehouse/proto/wire/device.ts'
import type { OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import { isSorted, PREFIX_BYTES, withoutAll } from './prefixes.ts'

/** Signature apart; the large parts are bytes, searched where they lie. */
export interface StoredMirror {
  /** Whose ledger it is of: lives and versions of two boxes do not compare. */
  box: string
  /** Where it was fetched: only this box knows what has changed since. */
  origin: string
  /** The other boxes of the event. */
  boxes: readonly OtherBox[]
  /** Unix seconds: versions are compared within one life of the box's ledger. */
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
  /** Unix ms: when festival days begin. */
  days: readonly number[]
  filter: Bloom
  kinds: readonly TicketKind[]
  kindTable: CodeTable
  /** Code hashes (base64), and which of `kinds` each is: before the table. */
  lateCodes: readonly string[]
  lateKinds: readonly number[]
  revoked: readonly string[]
  redeemed: UsedByZone
  /**
   * What earlier lives of the ledger, or other boxes, had told, oldest first: a restored box has forgotten some of it, another
   * box may not have heard it, and the people are inside.
   */
  earlier: readonly EarlierUses[]
}

/** Sorted 8-byte prefixes, by the zone that is entered. */
export type UsedByZone = Readonly<Record<string, Uint8Array>>

export interface EarlierUses {
  /** Unix ms: used up as of then. */
  at: number
  redeemed: UsedByZone
}

/** A manifest that must not be taken: signed or not, it would make the scanner worse than it is. */
export class MirrorRefused extends Error {
  override readonly name = 'MirrorRefused'
}

/**
 * A whole manifest, as it is kept.
 * @param earlier what the mirror before it knew of other lives and boxes: see `Mirror.usedBefore`
 * @param origin of the box that gave it
 * @throws MirrorRefused for one that cannot be used, and RangeError, naming the field, for a filter that cannot be one
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
    ...{ box: manifest.box_id ?? origin, origin, boxes: manifest.boxes ?? [], earlier: notIn(redeemed, earlier) },
    ...{ life, version, hlc, mode, checkpoints, holds, tickets, tiers, kinds, revoked, redeemed },
    ...{ eventId: manifest.event_id, venueEtag: manifest.venue_etag, days: manifest.days.map(Date.parse) },
    ...{ lateCodes: manifest.late_codes, lateKinds: manifest.late_kinds },
    ...{ filter: bloomFromWire(manifest.filter), kindTable: codeTableFromWire(manifest.kind_table) },
  }
}

/** What the manifest says itself need not be remembered: whoever goes from box to box would remember it once for each. */
function notIn(redeemed: UsedByZone, earlier: readonly EarlierUses[]): EarlierUses[] {
  return earlier.flatMap(({ at, redeemed: told }) => {
    const left = Object.entries(told).map(([zone, used]) => [zone, withoutAll(used, redeemed[zone])] as const)
    const some = left.filter(([, used]) => used.length > 0)
    return some.length > 0 ? { at, redeemed: Object.fromEntries(some) } : []
  })
}

export function isKind(kind: TicketKind | undefined): kind is TicketKind {
  const isTime = (time: string | null) => time === null || !Number.isNaN(Date.parse(time))
  return typeof kind?.tier === 'string' && isTime(kind.valid_from) && isTime(kind.valid_until)
}
