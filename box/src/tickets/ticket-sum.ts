/**
 * A homomorphic hash over all ticket rows, whatever their order: a row is added when it comes and subtracted when it goes
 * (LtHash: Bellare and Micciancio 1997, with the parameters of Lewi, Kim, Maykov, Weis 2019). Every import's entry has its
 * digest, so that the journal explains a hundred thousand rows without listing one.
 *
 * Each row becomes 1,024 numbers of 16 bits, added lane by lane. A plain sum or XOR of SHA-256 hashes would be insecure: among a
 * few hundred rows of their own choice, attackers find some that add up to any difference, and so swap rows unnoticed.
 */
import { hash } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { Ticket } from '../ledger/schema.ts'

const BYTES = 2048

/** Part of a row's hash only where they are not null: the row of a ticket without them has the hash that version 0.1 gave it. */
const DETAILS = ['product', 'orderCode', 'position', 'addonTo', 'price', 'attention', 'extras'] as const

/** The shop's data of a ticket, without what names people: that can be erased. */
export type SummedTicket = Pick<
  Ticket,
  'ref' | 'tier' | 'seat' | 'validFrom' | 'validUntil' | 'status' | 'statusDetail'
> &
  Partial<Pick<Ticket, (typeof DETAILS)[number]>> & {
    /** Of the printed code. */
    codeHash: Buffer
  }

export class TicketSum {
  readonly #lanes = new Uint16Array(BYTES / 2)

  /** @param stored an earlier result of `bytes`; none for no tickets */
  constructor(stored?: Buffer) {
    if (stored) for (let i = 0; i < BYTES / 2; i++) this.#lanes[i] = stored.readUInt16LE(i * 2)
  }

  add(ticket: SummedTicket): void {
    const lanes = lanesOf(ticket)
    for (let i = 0; i < BYTES / 2; i++) this.#lanes[i] = (this.#lanes[i] as number) + (lanes[i] as number)
  }

  remove(ticket: SummedTicket): void {
    const lanes = lanesOf(ticket)
    for (let i = 0; i < BYTES / 2; i++) this.#lanes[i] = (this.#lanes[i] as number) - (lanes[i] as number)
  }

  /** Applies everything that the other sum has added and removed. */
  merge(other: TicketSum): void {
    for (let i = 0; i < BYTES / 2; i++) this.#lanes[i] = (this.#lanes[i] as number) + (other.#lanes[i] as number)
  }

  bytes(): Buffer {
    const bytes = Buffer.alloc(BYTES)
    for (let i = 0; i < BYTES / 2; i++) bytes.writeUInt16LE(this.#lanes[i] as number, i * 2)
    return bytes
  }

  /** SHA-256 over all lanes, hex. */
  digest(): string {
    return hash('sha256', this.bytes())
  }
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

function lanesOf(ticket: SummedTicket): Uint16Array {
  const { ref, codeHash, tier, seat, validFrom, validUntil, status, statusDetail } = ticket
  const row: Record<string, string | number | null> = { ref, tier, seat, validFrom, validUntil, status, statusDetail }
  row.code = codeHash.toString('hex')
  for (const name of DETAILS) {
    const value = ticket[name]
    if (value != null) row[name] = value
  }
  const bytes = hash('shake256', canonicalJson(row), { outputEncoding: 'buffer', outputLength: BYTES })
  // Little-endian on every machine. A copy, because a view of 16 bits has to begin at an even offset.
  const lanes = new Uint16Array(new Uint8Array(bytes).buffer)
  if (!LITTLE_ENDIAN) for (const [i, lane] of lanes.entries()) lanes[i] = (lane >> 8) | (lane << 8)
  return lanes
}
