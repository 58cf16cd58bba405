/** Changes to a mirror after its manifest was made: events of the stream, deltas, and this device's own scans. */
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { compare, parse, type Timestamp } from '@gatehouse/proto/hlc.ts'
import type { Manifest, ManifestDelta, Redemption, TicketKind } from '@gatehouse/proto/wire/device.ts'
import type { HoldEvent } from '@gatehouse/proto/wire/incidents.ts'
import { isKind, MirrorRefused } from './stored-mirror.ts'

export type Mode = Manifest['mode']
export type ChangedCodes = Pick<
  ManifestDelta,
  'added' | 'added_kinds' | 'revoked' | 'revoked_kinds' | 'kinds' | 'redeemed' | 'hlc'
>

/** In the form in which it is stored. */
export type MirrorChange = MirrorEvent | { kind: 'delta'; data: Omit<ManifestDelta, 'signature'> }

export type MirrorEvent =
  | { kind: 'redemption'; data: Redemption }
  /** An admission by this device: when and where. What it has used up comes with a delta. */
  | { kind: 'use'; data: OwnUse }
  | { kind: 'revocation'; data: { code_hashes: string[]; hlc: string } }
  | { kind: 'ticket'; data: ChangedCodes }
  | { kind: 'hold'; data: HoldEvent }
  | { kind: 'mode'; data: { mode: Mode; hlc: string; unheard?: { name: string; seconds: number | null }[] } }

export type OwnUse = Pick<Redemption, 'code_hashes' | 'zone' | 'direction' | 'checkpoint' | 'hlc' | 'occurrence'>

export interface ChangedCode {
  /** Base64. */
  hash: string
  /** The same hash as bytes. */
  bytes: Uint8Array
  /** False for a code that was revoked. */
  opens: boolean
  kind: TicketKind
}

/** @throws MirrorRefused when one of them is not a code hash, or has no kind */
export function changedCodesIn({
  added,
  added_kinds,
  revoked,
  revoked_kinds,
  kinds,
}: Omit<ChangedCodes, 'redeemed' | 'hlc'>): ChangedCode[] {
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

const BEGINNING: Timestamp = { ms: 0, count: 0 }

/** Unix ms of a clock reading. */
export function msOf(hlc: string): number {
  return parse(hlc)?.ms ?? 0
}

export function isAfter(hlc: string, other: string): boolean {
  return compare(parse(hlc) ?? BEGINNING, parse(other) ?? BEGINNING) > 0
}
