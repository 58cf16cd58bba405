/** The tickets of a bench's event: makes ledgers of any size, by the box's own code without a network. */
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventTag, formatCode, signedBytes, slotAt } from '@gatehouse/proto/code.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import { orderedUuid } from '@gatehouse/proto/ordered-uuid.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import { COMMAND_LINE } from '../src/ca/actor.ts'
import type { EventFile } from '../src/event/event.ts'
import { openLedger } from '../src/ledger/open.ts'
import { CodeReader } from '../src/tickets/codes.ts'
import { type NewTicket, Tickets } from '../src/tickets/tickets.ts'

export const EVENT: EventFile = {
  id: 'bench',
  name: 'Bench',
  timezone: 'Europe/Lisbon',
  starts_at: '2026-01-01T10:00:00+00:00',
  ends_at: '2099-01-01T10:00:00+00:00',
  tiers: [{ id: 'day', name: 'Day ticket', colour: '#2F80ED', entry: 'once' }],
  zones: [{ id: 'arena', name: 'Arena', capacity: 60_000 }],
  gates: [{ id: 'north', name: 'Gate North' }],
  checkpoints: [
    { id: 'north-in', name: 'North entry', gate: 'north', direction: 'in', from: null, to: 'arena', tiers: ['day'] },
  ],
}
export const CHECKPOINT = 'north-in'

const TICKETS_A_TRANSACTION = 20_000

/** A step that meets each of `count` once before it comes back, and by the golden ratio, so that what is met in turn is far apart. */
export function stepThrough(count: number): number {
  let step = Math.max(1, Math.floor(count * 0.618))
  while (commonFactor(step, count) !== 1) step++
  return step
}

function commonFactor(a: number, b: number): number {
  return b === 0 ? a : commonFactor(b, a % b)
}

/** Makes a box's folder with `size` tickets, each of which is scanned once, in an order that does not favour the ledger. */
export class Crowd {
  readonly folder: string
  readonly size: number
  readonly #event: EventFile
  /** Number of tickets with key pairs, which show rotating codes only. The keys of the others are not read. */
  readonly #withKeys: number
  /** From one printed code to the next that is shown. */
  readonly #step: number
  #shown = 0
  #rotated = 0

  constructor(folder: string, size: number, event = EVENT) {
    this.folder = folder
    this.#event = event
    this.size = size
    this.#withKeys = Math.min(20_000, Math.floor(size / 10))
    this.#step = stepThrough(size - this.#withKeys)
  }

  async write(onProgress: (done: number) => void): Promise<void> {
    mkdirSync(join(this.folder, 'event'), { recursive: true })
    writeFileSync(join(this.folder, 'event/event.json'), JSON.stringify(this.#event))
    const { ledger, tickets, codes } = await openBooks(this.folder)
    using _closed = ledger
    for (let from = 0; from < this.size; from += TICKETS_A_TRANSACTION) {
      const until = Math.min(this.size, from + TICKETS_A_TRANSACTION)
      ledger.transact(() => {
        const { index } = ledger.append('import', {
          ...COMMAND_LINE,
          added: until - from,
          changed: 0,
          digest: '',
          format: 'gatehouse',
          tickets_digest: '',
        })
        for (let n = from; n < until; n++) tickets.insert(ticketOf(n, n < this.#withKeys, { tickets, codes }), index)
      })
      onProgress(until)
    }
  }

  /** The next printed code; undefined when all were shown. */
  next(): string | undefined {
    const printed = this.size - this.#withKeys
    if (this.#shown === printed) return undefined
    return codeOf(this.#withKeys + ((this.#shown++ * this.#step) % printed))
  }

  /** The next `count` printed codes; fewer when there are no more. */
  take(count: number): string[] {
    const codes = Array.from({ length: count }, () => this.next())
    return codes.filter((code) => code !== undefined)
  }

  /** The ticket id of somebody who does not come to the gate: whoever has it may claim the ticket. */
  async capability(): Promise<string> {
    const { ledger, tickets, codes } = await openBooks(this.folder)
    using _closed = ledger
    const ticket = tickets.openedBy({ kind: 'static', codeHash: codes.hash(codeOf(0)) })
    if (!ticket) throw new Error(`there is no ticket in ${this.folder}.`)
    return ticket.capability
  }

  /** The present codes of the next `count` wallets; fewer if there are no more. */
  async rotating(count: number): Promise<string[]> {
    const { ledger, tickets, codes } = await openBooks(this.folder)
    using _closed = ledger
    const tag = await eventTag(EVENT.id)
    const slot = slotAt(Date.now())
    const from = this.#rotated
    this.#rotated = Math.min(this.#withKeys, from + count)
    return Array.from({ length: this.#rotated - from }, (_, n) => {
      const ticket = tickets.openedBy({ kind: 'static', codeHash: codes.hash(codeOf(from + n)) })
      if (!ticket) throw new Error(`there is no ticket ${from + n} in ${this.folder}.`)
      return rotatingCode(ticket, slot, tag)
    })
  }
}

/** A new scan of this code, now. */
export function scanOf(code: string): ScanRequest {
  const now = Date.now()
  return {
    scan_id: orderedUuid(now),
    payload: code,
    checkpoint: CHECKPOINT,
    device_hlc: format({ ms: now, count: 0 }),
    offline_admitted: false,
    observed_at: new Date(now).toISOString(),
  }
}

async function openBooks(folder: string) {
  const { ledger, identity } = openLedger({
    dataDir: join(folder, 'data'),
    eventId: EVENT.id,
    wallClock: Date.now,
  })
  const tickets = new Tickets(ledger.db, identity.refKey)
  const codes = new CodeReader(identity.manifestSalt, await eventTag(EVENT.id))
  return { ledger, tickets, codes }
}

function codeOf(n: number): string {
  return `BENCH-26-${String(n).padStart(8, '0')}`
}

function ticketOf(n: number, withKey: boolean, { tickets, codes }: { tickets: Tickets; codes: CodeReader }): NewTicket {
  const capability = randomBytes(16).toString('base64url')
  const { seed, publicKey } = withKey ? newKey() : { seed: randomBytes(32), publicKey: randomBytes(32) }
  return {
    tier: 'day',
    seat: `Block ${(n % 40) + 1}, row ${((n >> 4) % 60) + 1}`,
    holderName: `Guest ${n}`,
    email: `guest.${n}@mail.example`,
    validFrom: null,
    validUntil: null,
    status: 'valid',
    statusDetail: null,
    code: codeOf(n),
    codeHash: codes.hash(codeOf(n)),
    capability,
    ref: tickets.refOf(capability),
    seed,
    publicKey,
    keyHash: codes.hash(publicKey),
  }
}

function newKey(): { seed: Buffer; publicKey: Buffer } {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { seed: Buffer.from(d ?? '', 'base64url'), publicKey: Buffer.from(x ?? '', 'base64url') }
}

function rotatingCode({ seed, publicKey }: { seed: Buffer; publicKey: Buffer }, slot: number, tag: Uint8Array): string {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_BEFORE_SEED, seed]), format: 'der', type: 'pkcs8' })
  return formatCode({ publicKey, slot, signature: sign(null, signedBytes(tag, publicKey, slot), key) })
}

/** PrivateKeyInfo of Ed25519 up to the seed itself (RFC 8410). */
const PKCS8_BEFORE_SEED = Buffer.from('302e020100300506032b657004220420', 'hex')
