/** A scanner's mirror for deciding offline, written from the wire's description. */
import { fromBase64, toBase64 } from '@gatehouse/proto/base64.ts'
import { type Bloom, bloomAdd, bloomFromWire, bloomHas } from '@gatehouse/proto/bloom.ts'
import { type CodeTable, codeTableFromWire, lookUp } from '@gatehouse/proto/code-table.ts'
import { compare, parse, type Timestamp } from '@gatehouse/proto/hlc.ts'
import type { Manifest, ManifestDelta, Redemption, TicketKind } from '@gatehouse/proto/wire/device.ts'

const PREFIX_BYTES = 8

type Changes = Pick<ManifestDelta, 'added' | 'added_kinds' | 'revoked' | 'revoked_kinds' | 'kinds'>

export class Mirror {
  version = -1
  #filter: Bloom | undefined
  #kinds: { table: CodeTable; kinds: TicketKind[] } | undefined
  /** Of codes that changed since. */
  readonly #changedKinds = new Map<string, TicketKind | undefined>()
  readonly #revoked = new Set<string>()
  readonly #used = new Map<string, Set<string>>()
  /** Received redemptions: a manifest that was made before one of them must not undo it. */
  #heard: Redemption[] = []

  get size(): number {
    return this.#filter?.n ?? 0
  }

  /** Takes what `GET /v1/manifest` answered. */
  take(answer: Manifest | ManifestDelta): void {
    if (answer.version < this.version) throw new Error(`version ${answer.version} is older than ${this.version}`)
    if ('filter' in answer) {
      this.#filter = bloomFromWire(answer.filter)
      this.#kinds = { table: codeTableFromWire(answer.kind_table), kinds: answer.kinds }
      this.#changedKinds.clear()
      answer.late_codes.forEach((hash, i) => {
        this.#changedKinds.set(hash, answer.kinds[answer.late_kinds[i] ?? -1])
      })
      this.#revoked.clear()
      this.#used.clear()
      for (const [zone, text] of Object.entries(answer.redeemed_by_zone)) {
        for (const prefix of prefixesIn(text)) this.#set(zone, prefix, true)
      }
    } else {
      if (answer.since > this.version) throw new Error(`a delta since ${answer.since} leaves a hole`)
      this.#learnKinds(answer)
      for (const hash of answer.added) {
        if (this.#filter) bloomAdd(this.#filter, bytesOf(hash))
        this.#revoked.delete(hash)
      }
      for (const { code_hash, zone, used } of answer.redeemed) this.#set(zone ?? '', code_hash, used)
    }
    for (const hash of answer.revoked) this.#revoked.add(hash)
    this.version = answer.version
    const made = timestampOf(answer.hlc)
    this.#heard = this.#heard.filter(({ hlc }) => compare(timestampOf(hlc), made) > 0)
    for (const redemption of this.#heard) this.#apply(redemption)
  }

  /** Takes a stream's `redemption`. */
  redeemed(redemption: Redemption): void {
    this.#heard.push(redemption)
    this.#apply(redemption)
  }

  /** Takes a stream's `revocation`. */
  revoked({ code_hashes }: { code_hashes: string[] }): void {
    for (const hash of code_hashes) this.#revoked.add(hash)
  }

  /** Takes a stream's `ticket` that names codes: a claim or a release. */
  rekeyed(changes: Changes & Pick<ManifestDelta, 'redeemed'>): void {
    const { added, revoked, redeemed } = changes
    this.#learnKinds(changes)
    for (const hash of added) {
      if (this.#filter) bloomAdd(this.#filter, bytesOf(hash))
      this.#revoked.delete(hash)
    }
    for (const hash of revoked) this.#revoked.add(hash)
    for (const { code_hash, zone, used } of redeemed) this.#set(zone ?? '', code_hash, used)
  }

  /** This scanner's offline verdict on a code at the entrance of a zone. */
  verdict(codeHash: Uint8Array, zone: string): 'revoked' | 'unknown' | 'used' | 'fine' {
    if (this.#revoked.has(toBase64(codeHash))) return 'revoked'
    if (!this.#filter || !bloomHas(this.#filter, codeHash)) return 'unknown'
    return this.#used.get(zone)?.has(prefixOf(codeHash)) ? 'used' : 'fine'
  }

  /** The kind of a code that some ticket has or had. */
  kindOf(codeHash: Uint8Array): TicketKind | undefined {
    const text = toBase64(codeHash)
    if (this.#changedKinds.has(text)) return this.#changedKinds.get(text)
    return this.#kinds?.kinds[lookUp(this.#kinds.table, codeHash)]
  }

  #learnKinds({ added, added_kinds, revoked, revoked_kinds, kinds }: Changes): void {
    added.forEach((hash, i) => {
      this.#changedKinds.set(hash, kinds[added_kinds[i] ?? -1])
    })
    revoked.forEach((hash, i) => {
      this.#changedKinds.set(hash, kinds[revoked_kinds[i] ?? -1])
    })
  }

  #apply({ code_hashes, zone, used }: Redemption): void {
    for (const hash of code_hashes) this.#set(zone ?? '', prefixOf(bytesOf(hash)), used)
  }

  #set(zone: string, prefix: string, used: boolean): void {
    const all = this.#used.get(zone) ?? new Set()
    this.#used.set(zone, all)
    if (used) all.add(prefix)
    else all.delete(prefix)
  }
}

function prefixesIn(base64: string): string[] {
  const bytes = bytesOf(base64)
  return Array.from({ length: bytes.length / PREFIX_BYTES }, (_, i) => prefixOf(bytes.subarray(i * PREFIX_BYTES)))
}

function prefixOf(codeHash: Uint8Array): string {
  return toBase64(codeHash.subarray(0, PREFIX_BYTES))
}

function bytesOf(base64: string): Uint8Array {
  const bytes = fromBase64(base64)
  if (!bytes) throw new Error('not Base64')
  return bytes
}

function timestampOf(hlc: string): Timestamp {
  const timestamp = parse(hlc)
  if (!timestamp) throw new Error(`${hlc} is not a clock reading`)
  return timestamp
}
