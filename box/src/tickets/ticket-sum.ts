/**
 * One value over all that imports have made of the tickets, whatever their order, kept in step by adding what comes and
 * taking away what goes (LtHash: Bellare and Micciancio 1997, with the parameters of Lewi, Kim, Maykov, Weis 2019). The
 * journal has its digest in every import, so that it explains a hundred thousand rows without listing one.
 *
 * Each row becomes 1,024 numbers of 16 bits, added lane by lane. A plain sum or XOR of SHA-256 hashes would not do: among
 * a few hundred rows of his own making somebody finds some that add up to any difference, and so swaps rows unnoticed.
 */
import { hash } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { Ticket } from '../ledger/schema.ts'

const BYTES = 2048

/** What a shop says of a ticket, and no name. */
export type SummedTicket = Pick<
  Ticket,
  'ref' | 'tier' | 'seat' | 'validFrom' | 'validUntil' | 'status' | 'statusDetail'
> & {
  /** Of the printed code. */
  codeHash: Buffer
}

export class TicketSum {
  readonly #lanes = new Uint16Array(BYTES / 2)

  /** @param stored what `bytes` was; none for no tickets */
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

  /** Adds all that the other one has added, and removed. */
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
  const row = { ref, code: codeHash.toString('hex'), tier, seat, validFrom, validUntil, status, statusDetail }
  const bytes = hash('shake256', canonicalJson(row), { outputEncoding: 'buffer', outputLength: BYTES })
  // Numbers of 16 bits, least byte first, on every machine. A fresh buffer, since a view has to begin at an even place.
  const lanes = new Uint16Array(new Uint8Array(bytes).buffer)
  if (!LITTLE_ENDIAN) for (const [i, lane] of lanes.entries()) lanes[i] = (lane >> 8) | (lane << 8)
  return lanes
}
