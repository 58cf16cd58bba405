/** A box without its network: real ledger in a temporary folder, a clock that the test moves, scans by function call. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventTag } from '@gatehouse/proto/code.ts'
import type { Flag, ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { listFlags } from '../../src/cases/flag-list.ts'
import { Flags } from '../../src/cases/flags.ts'
import { Overrides } from '../../src/cases/overrides.ts'
import { sql } from '../../src/drizzle/core.ts'
import { type Event, type EventFile, parseEvent } from '../../src/event/event.ts'
import { Holds } from '../../src/gates/holds.ts'
import { openDb } from '../../src/ledger/db.ts'
import { type Identity, writeValue } from '../../src/ledger/identity.ts'
import { openLedger } from '../../src/ledger/open.ts'
import type { Mode } from '../../src/rights/mode.ts'
import { singleBoxReservations } from '../../src/rights/reservation.ts'
import { Scans } from '../../src/rights/scans.ts'
import { PhoneClocks } from '../../src/scan/phone-clocks.ts'
import { type RedeemDeps, redeem } from '../../src/scan/redeem.ts'
import { type BoxKeys, keysOf } from '../../src/seal/verifier-key.ts'
import { CodeReader } from '../../src/tickets/codes.ts'
import { importTickets } from '../../src/tickets/import-tickets.ts'
import { LateTickets } from '../../src/tickets/late-tickets.ts'
import { Tickets } from '../../src/tickets/tickets.ts'
import { TicketVersions } from '../../src/tickets/versions.ts'
import { TEST_EVENT } from './event.ts'
import { scanOf } from './scan-of.ts'

export interface DeskOptions {
  event?: EventFile
  /** Unix ms at the start. */
  now: number
  /** Values of its identity by name: its box id, and what it shares with the event's other boxes. Random where absent. */
  identity?: Readonly<Record<string, Buffer>>
}

export interface DeskDeps extends RedeemDeps {
  overrides: Overrides
  lateTickets: LateTickets
  versions: TicketVersions
  identity: Identity
  keys: BoxKeys
}

export class Desk implements Disposable {
  readonly event: Event
  /** Unix ms. */
  now: number
  mode: Mode = 'STRICT'
  timeQuality: 'synced' | 'unsynced' = 'synced'
  readonly tag: Uint8Array
  /** Folder of its ledger. */
  readonly folder: string
  #opened: DeskDeps

  private constructor(event: Event, tag: Uint8Array, { now, identity = {} }: DeskOptions) {
    this.event = event
    this.tag = tag
    this.now = now
    this.folder = mkdtempSync(join(tmpdir(), 'gatehouse-desk-'))
    const path = join(this.folder, 'ledger.db')
    writeFileSync(path, emptyLedger(), { mode: 0o600 })
    const values = Object.entries(identity)
    if (values.length > 0) {
      const db = openDb(path)
      for (const [name, value] of values) writeValue(db, name, value)
      db.close()
    }
    this.#opened = openDeps(this)
  }

  static async open(options: DeskOptions): Promise<Desk> {
    const parsed = parseEvent(options.event ?? TEST_EVENT)
    if ('mistakes' in parsed) throw new Error(parsed.mistakes.map(({ message }) => message).join('\n'))
    return new Desk(parsed.event, await eventTag(parsed.event.id), options)
  }

  get deps(): DeskDeps {
    return this.#opened
  }

  /** The box's id. */
  get id(): string {
    return this.deps.identity.boxId
  }

  /** Closes the ledger and opens it again. */
  restart(): void {
    this.#opened.ledger[Symbol.dispose]()
    this.#opened = openDeps(this)
  }

  /** Its ledger's file, as a backup has it. */
  saved(): Buffer {
    this.deps.ledger.db.drizzle.get(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
    return readFileSync(join(this.folder, 'ledger.db'))
  }

  /** Opens an earlier file of its ledger in place of the present one. */
  restore(saved: Buffer): void {
    this.#opened.ledger[Symbol.dispose]()
    for (const end of ['-wal', '-shm']) rmSync(join(this.folder, `ledger.db${end}`), { force: true })
    writeFileSync(join(this.folder, 'ledger.db'), saved)
    this.#opened = openDeps(this)
  }

  /** @param rows of the gatehouse CSV: code, tier, status, valid_from, valid_until, holder_name */
  async import(rows: readonly string[]): Promise<ImportReport> {
    const file = Buffer.from(['code,tier,status,valid_from,valid_until,holder_name', ...rows, ''].join('\n'))
    return importTickets(file, { format: 'auto', tierMap: {}, dryRun: false, by: COMMAND_LINE }, this.deps)
  }

  /** A device that is paired for every checkpoint. */
  device(id = 'd', supervisor = false): { id: string; checkpoints: ReadonlySet<string>; supervisor: boolean } {
    return { id, checkpoints: new Set(this.event.checkpointById.keys()), supervisor }
  }

  /** Scans as a device that is paired for every checkpoint. @returns the stored text */
  async text(scan: ScanRequest, device?: string): Promise<string> {
    return redeem(scan, this.device(device), this.deps)
  }

  async scan(payload: string, more: Partial<ScanRequest> = {}, device?: string): Promise<Verdict> {
    return JSON.parse(await this.text(this.scanOf(payload, more), device)) as Verdict
  }

  scanOf(payload: string, more: Partial<ScanRequest> = {}): ScanRequest {
    return scanOf(payload, this.now, more)
  }

  /** Every case, newest first. */
  flags(): Flag[] {
    return listFlags({}, { db: this.deps.ledger.db, event: this.event, walkingSeconds: () => null }).flags
  }

  /** The journal, parsed. */
  journal(): Record<string, unknown>[] {
    return this.deps.ledger.read(0, 1_000_000).map(({ bytes }) => JSON.parse(bytes.toString()))
  }

  [Symbol.dispose](): void {
    this.#opened.ledger[Symbol.dispose]()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

let empty: Buffer | undefined

/** The file of a new ledger: the migrations run once in this process, and not once for each of its thousands of desks. */
function emptyLedger(): Buffer {
  if (empty) return empty
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-desk-'))
  try {
    openDb(join(folder, 'ledger.db')).close()
    empty = readFileSync(join(folder, 'ledger.db'))
    return empty
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Dependencies of the domain's functions, over the ledger in the desk's folder. */
function openDeps(desk: Desk): DeskDeps {
  const { event } = desk
  const { ledger, clock, identity } = openLedger({
    dataDir: desk.folder,
    eventId: event.id,
    wallClock: () => desk.now,
  })
  return {
    event,
    clock,
    ledger,
    tickets: new Tickets(ledger.db, identity.refKey),
    scans: new Scans(ledger.db),
    flags: new Flags({ db: ledger.db, ledger, clock }),
    holds: new Holds({ ledger, now: () => desk.now }),
    codes: new CodeReader(identity.manifestSalt, desk.tag),
    reservations: singleBoxReservations(() => desk.mode),
    phoneClocks: new PhoneClocks(),
    lateTickets: new LateTickets(),
    walkingSeconds: () => null,
    timeQuality: () => desk.timeQuality,
    overrides: new Overrides(ledger.db),
    versions: new TicketVersions(ledger.db),
    identity,
    keys: keysOf(event.id, identity),
  }
}
