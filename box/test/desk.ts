/** A box without its network: real ledger in a temporary folder, a clock that the test moves, scans by function call. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventTag } from '@gatehouse/proto/code.ts'
import type { Flag, ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Mode } from '../src/control/mode.ts'
import { type Event, type EventFile, parseEvent } from '../src/event/event.ts'
import { COMMAND_LINE } from '../src/http/actor.ts'
import { Holds } from '../src/incidents/holds.ts'
import { openLedger } from '../src/ledger/open.ts'
import { claimAlone } from '../src/scan/claim.ts'
import { listFlags } from '../src/scan/flag-list.ts'
import { Flags } from '../src/scan/flags.ts'
import { Overrides } from '../src/scan/overrides.ts'
import { PhoneClocks } from '../src/scan/phone-clocks.ts'
import { type RedeemDeps, redeem } from '../src/scan/redeem.ts'
import { Scans } from '../src/scan/scans.ts'
import { CodeReader } from '../src/tickets/codes.ts'
import { importTickets } from '../src/tickets/import-tickets.ts'
import { Tickets } from '../src/tickets/tickets.ts'
import { TEST_EVENT } from './event.ts'
import { scanOf } from './scan-of.ts'

export interface DeskOptions {
  event?: EventFile
  /** Unix ms at the start. */
  now: number
}

export class Desk implements Disposable {
  readonly event: Event
  /** Unix ms. */
  now: number
  mode: Mode = 'STRICT'
  timeQuality: 'synced' | 'unsynced' = 'synced'
  readonly tag: Uint8Array
  /** Where its ledger is. */
  readonly folder: string
  #opened: Opened

  private constructor(event: Event, tag: Uint8Array, now: number) {
    this.event = event
    this.tag = tag
    this.now = now
    this.folder = mkdtempSync(join(tmpdir(), 'gatehouse-desk-'))
    this.#opened = this.#open()
  }

  static async open({ event = TEST_EVENT, now }: DeskOptions): Promise<Desk> {
    const parsed = parseEvent(event)
    if ('mistakes' in parsed) throw new Error(parsed.mistakes.map(({ message }) => message).join('\n'))
    return new Desk(parsed.event, await eventTag(event.id), now)
  }

  #open() {
    const { event } = this
    const { ledger, clock, identity } = openLedger({
      dataDir: this.folder,
      eventId: event.id,
      wallClock: () => this.now,
    })
    const tickets = new Tickets(ledger.db, identity.refKey)
    const deps: RedeemDeps = {
      ...{ event, clock, ledger, tickets },
      scans: new Scans(ledger.db),
      flags: new Flags({ db: ledger.db, ledger, clock }),
      overrides: new Overrides(ledger.db),
      holds: new Holds({ ledger, now: () => this.now }),
      codes: new CodeReader(identity.manifestSalt, this.tag),
      claim: claimAlone(() => this.mode),
      phoneClocks: new PhoneClocks(),
      walkingSeconds: () => null,
      timeQuality: () => this.timeQuality,
    }
    return { ...deps, identity }
  }

  get deps(): Opened {
    return this.#opened
  }

  /** Closes the ledger and opens it again. */
  restart(): void {
    this.#opened.ledger[Symbol.dispose]()
    this.#opened = this.#open()
  }

  /** @param rows of the gatehouse CSV: code, tier, status, valid_from, valid_until */
  async import(rows: readonly string[]): Promise<ImportReport> {
    const file = Buffer.from(['code,tier,status,valid_from,valid_until', ...rows, ''].join('\n'))
    return importTickets(file, { format: 'auto', tierMap: {}, dryRun: false, by: COMMAND_LINE }, this.deps)
  }

  /** Scans as device `d` anywhere. @returns the stored text */
  async text(scan: ScanRequest, device = 'd'): Promise<string> {
    return redeem(scan, { id: device, checkpoints: new Set(this.event.checkpointById.keys()) }, this.deps)
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

type Opened = RedeemDeps & {
  overrides: Overrides
  identity: ReturnType<typeof openLedger>['identity']
}
