/**
 * Several boxes of one event without a network: real ledgers in temporary folders that share what the boxes of an event share, a
 * clock that the test moves, and hands that carry what one says to another, in whatever order the test likes.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventTag } from '@gatehouse/proto/code.ts'
import { openDb } from '../src/db.ts'
import { asc, eq } from '../src/drizzle/core.ts'
import { type Event, type EventFile, parseEvent } from '../src/event/event.ts'
import { recordEvent } from '../src/event/recorded.ts'
import { COMMAND_LINE } from '../src/http/actor.ts'
import { Holds } from '../src/incidents/holds.ts'
import { writeValue } from '../src/ledger/identity.ts'
import { openLedger } from '../src/ledger/open.ts'
import {
  announcements,
  boxes,
  credentials,
  devices,
  flags,
  holds,
  incidentActions,
  incidents,
  movements,
  overrides,
  scans,
  tickets,
} from '../src/ledger/schema.ts'
import { decodePage, type PeerPage } from '../src/mesh/spread/envelope.ts'
import { type HearDeps, hear } from '../src/mesh/spread/hear.ts'
import { Sender } from '../src/mesh/spread/send.ts'
import type { Transport } from '../src/mesh/spread/transport.ts'
import { claimAlone } from '../src/scan/claim.ts'
import { Flags } from '../src/scan/flags.ts'
import { Overrides } from '../src/scan/overrides.ts'
import { PhoneClocks } from '../src/scan/phone-clocks.ts'
import { redeem } from '../src/scan/redeem.ts'
import { Scans } from '../src/scan/scans.ts'
import { keysOf } from '../src/seal/verifier-key.ts'
import { CodeReader } from '../src/tickets/codes.ts'
import { importTickets } from '../src/tickets/import-tickets.ts'
import { Tickets } from '../src/tickets/tickets.ts'
import { TicketVersions } from '../src/tickets/versions.ts'
import { TEST_EVENT } from './event.ts'
import { scanOf } from './scan-of.ts'

/** What all boxes of an event have. */
interface Shared {
  manifestSalt: Buffer
  refKey: Buffer
  signingSeed: Buffer
}

export interface MeshDesksOptions {
  boxes: number
  /** Unix ms at the start. */
  now: number
  /** For one box, in place of the others' event file. */
  eventOf?: (box: number) => EventFile
}

export class MeshDesks implements Disposable {
  readonly boxes: MeshDesk[]

  private constructor(boxes: MeshDesk[]) {
    this.boxes = boxes
  }

  static async open({ boxes: count, now, eventOf = () => TEST_EVENT }: MeshDesksOptions): Promise<MeshDesks> {
    const shared = { manifestSalt: randomBytes(16), refKey: randomBytes(32), signingSeed: randomBytes(32) }
    const made: MeshDesk[] = []
    for (let i = 0; i < count; i++) made.push(await MeshDesk.open(`box-${i}`, eventOf(i), now, shared))
    for (const one of made) one.meet(made)
    return new MeshDesks(made)
  }

  /** Everybody hears everything, until nobody has anything to say. */
  settle(): void {
    for (let isNew = true; isNew; ) {
      isNew = false
      for (const one of this.boxes) {
        for (const other of this.boxes) {
          while (one !== other && one.hearFrom(other)) isNew = true
        }
      }
    }
  }

  [Symbol.dispose](): void {
    for (const box of this.boxes) box[Symbol.dispose]()
  }
}

export class MeshDesk implements Disposable {
  readonly id: string
  readonly event: Event
  /** Unix ms. */
  now: number
  readonly folder: string
  readonly #tag: Uint8Array
  #opened: ReturnType<MeshDesk['open']>

  private constructor(id: string, event: Event, now: number, tag: Uint8Array, folder: string) {
    this.id = id
    this.event = event
    this.now = now
    this.folder = folder
    this.#tag = tag
    this.#opened = this.open()
  }

  static async open(id: string, file: EventFile, now: number, shared: Shared): Promise<MeshDesk> {
    const parsed = parseEvent(file)
    if ('mistakes' in parsed) throw new Error(parsed.mistakes.map(({ message }) => message).join('\n'))
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mesh-desk-'))
    mkdirSync(folder, { recursive: true })
    const db = openDb(join(folder, 'ledger.db'))
    db.transaction(() => {
      const values = { box_id: Buffer.from(id), manifest_salt: shared.manifestSalt, ref_key: shared.refKey }
      const keys = { signing_seed: shared.signingSeed, log_seed: randomBytes(32), key_box: Buffer.from('box-0') }
      for (const [name, value] of Object.entries({ ...values, ...keys })) writeValue(db, name, value)
    })
    db.close()
    const desk = new MeshDesk(id, parsed.event, now, await eventTag(parsed.event.id), folder)
    await recordEvent(desk.event, id, desk.deps.ledger)
    return desk
  }

  private open() {
    const { event } = this
    const { ledger, clock, identity } = openLedger({
      ...{ dataDir: this.folder, eventId: event.id, wallClock: () => this.now },
    })
    const hearing = {
      ...{ event, clock, ledger, self: this.id },
      tickets: new Tickets(ledger.db, identity.refKey),
      codes: new CodeReader(identity.manifestSalt, this.#tag),
      scans: new Scans(ledger.db),
      flags: new Flags({ db: ledger.db, ledger, clock }),
      overrides: new Overrides(ledger.db),
      versions: new TicketVersions(ledger.db),
    } satisfies HearDeps
    const sender = new Sender({
      ledger,
      self: this.id,
      transport: nowhere(),
      epoch: () => 1,
      newestSeal: () => undefined,
    })
    return {
      ...hearing,
      ...{ identity, sender, keys: keysOf(event.id, identity) },
      holds: new Holds({ ledger, now: () => this.now }),
      claim: claimAlone(() => 'STRICT'),
      phoneClocks: new PhoneClocks(),
      walkingSeconds: () => null,
      timeQuality: () => 'synced' as const,
    }
  }

  get deps() {
    return this.#opened
  }

  /** Closes the ledger and opens it again. */
  restart(): void {
    this.#opened.sender[Symbol.dispose]()
    this.#opened.ledger[Symbol.dispose]()
    this.#opened = this.open()
  }

  /** Learns who the boxes are. */
  meet(all: readonly MeshDesk[]): void {
    const { ledger } = this.deps
    ledger.transact(() => {
      for (const { id, deps } of all) {
        const row = { id, name: id, logKey: deps.keys.logVerifierKey }
        ledger.db.drizzle.insert(boxes).values(row).onConflictDoNothing().run()
      }
    })
  }

  /** How far another box's journal is here. */
  heardOf(box: string): number {
    return this.deps.ledger.db.drizzle.select().from(boxes).where(eq(boxes.id, box)).get()?.heard ?? 0
  }

  /** A page of this box's journal, as it goes over the wire. */
  page(from: number, after?: number): PeerPage {
    return decodePage(this.deps.sender.page({ from, after }), this.id)
  }

  /**
   * Hears what comes next of another box, or something again.
   * @param options.from an earlier entry; `most`: entries of the page that arrive before the cable is cut
   * @returns whether there was anything new
   */
  hearFrom(other: MeshDesk, { from = this.heardOf(other.id), most = 10_000 } = {}): boolean {
    const before = this.heardOf(other.id)
    for (let after: number | undefined, at = Math.min(from, before); ; ) {
      const { entries, more } = other.page(at, after)
      const some = entries.slice(0, most)
      const isCut = some.length < entries.length
      if (some.length === 0) return false
      this.hear(other.id, some, !isCut && more !== undefined)
      if (isCut || more === undefined) break
      at = some.at(-1)?.index ?? at
      after = more
    }
    return this.heardOf(other.id) > before
  }

  hear(box: string, entries: PeerPage['entries'], incomplete = false): void {
    this.deps.ledger.transact(() => hear({ box, entries, incomplete }, this.deps))
  }

  /** @param rows of the gatehouse CSV: code, tier, status, holder_name */
  import(rows: readonly string[]) {
    const file = Buffer.from(['code,tier,status,holder_name', ...rows, ''].join('\n'))
    return importTickets(file, { format: 'auto', tierMap: {}, dryRun: false, by: COMMAND_LINE }, this.deps)
  }

  /** Scans as device `d` anywhere. @returns the verdict, JSON */
  scan(payload: string, more: Parameters<typeof scanOf>[2] = {}, device = 'd'): Promise<string> {
    const checkpoints = new Set(this.event.checkpointById.keys())
    return redeem(scanOf(payload, this.now, more), { id: device, checkpoints }, this.deps)
  }

  /** Everything that is the event's, and not one box's: at rest, it is the same at every box. */
  state(): unknown {
    const { ledger, versions, tickets: all } = this.deps
    const { drizzle } = ledger.db
    const refOf = new Map(
      drizzle
        .select({ id: tickets.id, ref: tickets.ref })
        .from(tickets)
        .all()
        .map(({ id, ref }) => [id, ref]),
    )
    const sorted = <T>(rows: readonly T[]) => rows.map((row) => JSON.stringify(row)).sort()
    const without = <T extends { entry: number }>({ entry, ...row }: T) => row
    return {
      tickets: sorted(
        drizzle
          .select()
          .from(tickets)
          .all()
          .map(({ id, entry, sharedRef, ...row }) => {
            // Whoever has made a ticket knows when, which says no more than that nobody had changed it.
            const known = versions.of(id, this.id).get('revoked') ?? null
            const codes = drizzle
              .select()
              .from(credentials)
              .where(eq(credentials.ticket, id))
              .orderBy(asc(credentials.codeHash))
            const had = codes.all().map(({ codeHash, kind }) => `${kind} ${codeHash.toString('hex')}`)
            const seen = { seed: row.seed.toString('hex'), publicKey: row.publicKey.toString('hex') }
            return { ...row, ...seen, known, had }
          }),
      ),
      sum: [...refOf.values()].length,
      movements: sorted(
        drizzle
          .select()
          .from(movements)
          .all()
          .map(({ entry, surplus, ticket, ...row }) => ({ ...row, ref: refOf.get(ticket) })),
      ),
      order: [...refOf].map(([id, ref]) => [ref, all.movementsOf(id).map(({ scanId }) => scanId)]).sort(),
      scans: sorted(drizzle.select({ id: scans.scanId, passed: scans.passed }).from(scans).all()),
      overrides: sorted(drizzle.select().from(overrides).all().map(without)),
      incidents: sorted(drizzle.select().from(incidents).all().map(without)),
      actions: sorted(drizzle.select().from(incidentActions).all().map(without)),
      holds: sorted(drizzle.select().from(holds).all().map(without)),
      announcements: sorted(drizzle.select().from(announcements).all().map(without)),
      devices: sorted(drizzle.select().from(devices).all()),
      flags: sorted(
        drizzle
          .select()
          .from(flags)
          .all()
          .map(({ entry, device, scanIds, ...row }) => ({ ...row, scanIds: [...scanIds].sort() })),
      ),
    }
  }

  [Symbol.dispose](): void {
    this.#opened.sender[Symbol.dispose]()
    this.#opened.ledger[Symbol.dispose]()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** What is pushed is carried by the test, or not at all. */
function nowhere(): Transport {
  return {
    request: () => Promise.reject(new Error('nobody is asked')),
    answer() {},
    push() {},
    onPush() {},
    pushUrgent() {},
    onUrgent() {},
    onLink: () => () => {},
  }
}
