/**
 * Reads a file's tickets, compares them with those that are there, and writes what is new or changed into the staging tables, a little
 * at a time. Nobody sees it there: `publish.ts` makes it count.
 */
import type { ImportReport, ShopFormat } from '@gatehouse/proto/wire/admin.ts'
import type { Event } from '../../event/event.ts'
import type { Db } from '../../ledger/db.ts'
import { stagedImports, stagedNames, stagedTickets, type Ticket } from '../../ledger/schema.ts'
import { allColumns } from '../../ledger/statements.ts'
import type { CodeReader } from '../codes.ts'
import { NOBODY, namesErased } from '../erasure.ts'
import { type ReadOptions, readTickets } from '../import/read.ts'
import type { TicketRow } from '../import/row.ts'
import { newKey } from '../key.ts'
import { type NewProduct, Products } from '../products.ts'
import { type SummedTicket, TicketSum } from '../ticket-sum.ts'
import type { NewKey, TicketFields, Tickets } from '../tickets.ts'
import { Changes, type ChangesOptions } from './changes.ts'
import { lastEntry } from './last-entry.ts'
import { NameRuns } from './names.ts'
import { inSlices, type Pace } from './pace.ts'
import { ROWS } from './staged.ts'

export interface StageOptions
  extends ChangesOptions,
    Pick<ReadOptions, 'format' | 'tierMap' | 'match' | 'kept' | 'others'> {
  /** Only compares. */
  dryRun: boolean
  /** Called with the step and a fraction from 0 to 1. */
  onProgress?(step: 'read' | 'compare' | 'write', fraction: number): void
}

export interface StageDeps {
  db: Db
  event: Event
  tickets: Tickets
  codes: CodeReader
  pace: Pace
  /** Makes a ticket's key pair; in node's thread pool when absent. */
  makeKey?: (codes: CodeReader) => NewKey | Promise<NewKey>
}

/** An import that is written and not visible. All of it can be sent to another thread. */
export interface Staged {
  /** Of the staging tables; undefined where nothing changes, and for a dry run. */
  id: number | undefined
  /** The row with the last new ticket; undefined where none is new. */
  lastNew: { n: number; place: number } | undefined
  added: number
  changed: number
  /** New and changed ones: so few that they are written when the import is made visible. */
  products: readonly NewProduct[]
  /** Of what it writes: see the entry of an import. */
  digest: string
  format: ShopFormat
  /** The digests that it adds to and subtracts from the sum over all tickets: `TicketSum.bytes`. */
  sum: Uint8Array
  /** Entries of the journal when the first row was compared. */
  size: number
  report: ImportReport
}

/** Rows that are compared, and whose key pairs are made, at once. A transaction has as many at least, but for the last one. */
const BATCH = 64
/** So many rows at most wait in memory for the next transaction. */
const MOST_WAITING = 4_000

/** @throws GatehouseError `bad_request` when nothing of the file can be used; `ledger_unavailable` */
export async function stageTickets(file: Uint8Array, options: StageOptions, deps: StageDeps): Promise<Staged> {
  const { event, pace } = deps
  const read = await readTickets(file, {
    ...options,
    tiers: event.tiers,
    timezone: event.timezone,
    pause: () => pace.rest(0),
    onProgress: (done, total) => options.onProgress?.('read', total === 0 ? 1 : done / total),
  })
  const staging = new Staging(deps, options)
  try {
    for (let from = 0; from < read.rows.length; from += BATCH) {
      await staging.take(read.rows.slice(from, from + BATCH))
      options.onProgress?.('compare', Math.min(1, (from + BATCH) / read.rows.length))
    }
    const plan = await staging.finish(read.products)
    const { added, changed, unchanged } = plan
    const counts = { read: read.read, added, changed, unchanged }
    const report = {
      format: read.format,
      dry_run: options.dryRun,
      ...counts,
      rejected: read.rejected,
      warnings: read.warnings,
      warned: read.warned,
      ...staging.listed.report(),
      ...(read.matched && { matched: read.matched }),
    }
    return { ...plan, format: read.format, report }
  } catch (error) {
    await staging.discard().catch(() => {})
    throw error
  }
}

type Row = typeof stagedTickets.$inferInsert
type Unkeyed = Omit<Row, 'key'>
/** A ticket of the file that is not here, before it has a key. */
interface Fresh {
  fields: TicketFields
  code: string
  codeHash: Buffer
}

class Staging {
  readonly #deps: StageDeps
  readonly #isDry: boolean
  /** Changes in tickets that are there. */
  readonly listed: Changes
  readonly #sum = new TicketSum()
  readonly #digest: ReturnType<Tickets['digest']>
  /** The rest of what the digest covers, after all new tickets. */
  readonly #changes: string[] = []
  readonly #size: number
  readonly #insert: ReturnType<typeof prepare>
  #id: number | undefined
  #names: NameRuns | undefined
  #rows = 0
  /** Rows that are still to be written. */
  readonly #waiting: Unkeyed[] = []
  /** Time to write one, as the last transaction had it. */
  #rowMs = 0.1
  #counts = { added: 0, changed: 0, unchanged: 0 }
  /** The key pairs of one batch are made while the next one is compared. */
  #making: Promise<Unkeyed[]> = Promise.resolve([])

  constructor(deps: StageDeps, options: Pick<StageOptions, 'dryRun' | 'usedTiers'>) {
    this.#deps = deps
    this.#isDry = options.dryRun
    this.listed = new Changes(deps.tickets, options)
    this.#digest = deps.tickets.digest()
    // Before the first row is compared: what changes from now on is looked at again when it is made visible.
    this.#size = lastEntry(deps.db) + 1
    this.#insert = prepare(deps.db)
  }

  async take(rows: readonly TicketRow[]): Promise<void> {
    const { tickets, codes } = this.#deps
    const isErased = namesErased(this.#deps.db)
    const fresh: Fresh[] = []
    const changed: Unkeyed[] = []
    for (const row of rows) {
      const codeHash = codes.hash(row.code)
      const there = tickets.openedBy({ kind: 'static', codeHash })
      const fields = fieldsOf(row, isErased || (there !== undefined && there.forgottenAt !== null))
      if (!there) {
        fresh.push({ fields, code: row.code, codeHash })
        continue
      }
      const written = this.listed.take(row.row, there, fields)
      if (written) changed.push(this.#change(there, written))
      else this.#counts.unchanged++
    }
    const made = this.#making
    this.#making = Promise.all(fresh.map((one) => this.#newTicket(one)))
    this.#add([...(await made), ...changed])
    await this.#write({ all: false })
  }

  async finish(sold: ReadonlyMap<string, string>): Promise<Omit<Staged, 'format' | 'report'> & { unchanged: number }> {
    this.#add(await this.#making)
    await this.#write({ all: true })
    for (const change of this.#changes) this.#digest.update(change)
    const products = new Products(this.#deps.db).changed(sold)
    for (const product of products) this.#digest.update(JSON.stringify(product))
    await this.#writeNames()
    const { added, changed, unchanged } = this.#counts
    return {
      id: this.#id,
      lastNew: this.#names?.lastNew,
      ...{ added, changed, unchanged, products },
      digest: this.#digest.digest('hex'),
      sum: this.#sum.bytes(),
      size: this.#size,
    }
  }

  async discard(): Promise<void> {
    await this.#making.catch(() => {})
    if (this.#id !== undefined) await discardImport(this.#id, this.#deps)
  }

  #change(there: Ticket, fields: TicketFields): Unkeyed {
    this.#counts.changed++
    this.#changes.push(JSON.stringify({ id: there.id, fields }))
    // The ticket's own code: the file may still have the one before.
    const own = this.#deps.codes.hash(there.code)
    this.#sum.remove({ ...there, codeHash: own })
    this.#sum.add({ ...there, ...fields, codeHash: own })
    return { ...fields, ticket: there.id }
  }

  async #newTicket({ fields, code, codeHash }: Fresh): Promise<Unkeyed> {
    const { tickets, codes, makeKey = newKey } = this.#deps
    const capability = tickets.capabilityOf(code)
    const ref = tickets.refOf(capability)
    const made = { ...fields, ref, sharedRef: tickets.sharedRefOf(code), capability, code, codeHash }
    // A dry run needs no keys.
    return this.#isDry ? made : { ...made, ...(await makeKey(codes)) }
  }

  /** Counts rows of the file, which are written when they fill a transaction. */
  #add(rows: readonly Unkeyed[]): void {
    for (const row of rows) {
      if (row.ticket !== undefined) continue
      this.#counts.added++
      this.#digest.update(JSON.stringify([row.code, row.ref]))
      this.#sum.add(row as SummedTicket)
    }
    if (!this.#isDry) this.#waiting.push(...rows)
  }

  /** Writes as many rows as fill a transaction, or all of them. */
  async #write({ all }: { all: boolean }): Promise<void> {
    const { db, pace } = this.#deps
    // Each look at the slice's length also tells the pace whether others write, and with it how keys are made.
    for (let slice = pace.sliceMs; this.#isEnough(slice) || (all && this.#waiting.length > 0); slice = pace.sliceMs) {
      const started = performance.now()
      const written = db.transaction(() => this.#writeFor(slice))
      this.#waiting.splice(0, written)
      const took = performance.now() - started
      this.#rowMs = took / written
      await pace.rest(took)
    }
    await pace.rest(0)
  }

  /** True if the rows that wait take as long as a slice, by the last transaction. */
  #isEnough(slice: number): boolean {
    const { length } = this.#waiting
    return length >= MOST_WAITING || (length >= BATCH && length * this.#rowMs >= slice)
  }

  /** Within a transaction. @returns how many rows it has written: for so long, and `BATCH` of them at least */
  #writeFor(slice: number): number {
    this.#id ??= this.#begin()
    // They may have been erased since the rows were compared.
    const erased = namesErased(this.#deps.db) && NOBODY
    const until = performance.now() + slice
    let written = 0
    for (const row of this.#waiting) {
      if (written >= BATCH && performance.now() >= until) break
      this.#writeRow({ ...row, ...erased })
      written++
    }
    return written
  }

  #begin(): number {
    const { lastInsertRowid } = this.#deps.db.drizzle.insert(stagedImports).values({ pid: process.pid }).run()
    const id = Number(lastInsertRowid)
    this.#names = new NameRuns(id)
    return id
  }

  #writeRow(row: Unkeyed): void {
    const n = this.#rows++
    const { ticket, ref, codeHash, keyHash } = row
    if (ticket != null) this.#names?.add({ ticket }, n)
    if (ref) this.#names?.add({ ref }, n)
    if (codeHash) this.#names?.add({ printed: codeHash }, n)
    if (keyHash) this.#names?.add({ key: keyHash }, n)
    this.#insert.row.run({ ...EMPTY, ...row, key: (this.#id ?? 0) * ROWS + n })
  }

  async #writeNames(): Promise<void> {
    const { db, pace } = this.#deps
    const runs = this.#names?.runs()
    if (!runs) return
    await inSlices(pace, db, 20, (most) => {
      for (let count = 0; count < most; count++) {
        const { value, done } = runs.next()
        if (done) return false
        this.#insert.names.run(value)
      }
      return true
    })
  }
}

const EMPTY = {
  ...{ ticket: null, ref: null, sharedRef: null, capability: null, code: null, codeHash: null },
  ...{ keyHash: null, seed: null, publicKey: null },
}

function prepare({ drizzle }: Db) {
  return {
    row: drizzle.insert(stagedTickets).values(allColumns(stagedTickets)).prepare(),
    names: drizzle.insert(stagedNames).values(allColumns(stagedNames)).prepare(),
  }
}

/** Removes an import that never came to count. */
export async function discardImport(id: number, { db, tickets, pace }: Pick<StageDeps, 'db' | 'tickets' | 'pace'>) {
  await inSlices(pace, db, 100, (most) => tickets.staged.discardSome(id, most))
}

/** Moves the rows of an import that counts to where they belong. */
export async function settleImport({ db, tickets, pace }: Pick<StageDeps, 'db' | 'tickets' | 'pace'>): Promise<void> {
  await inSlices(pace, db, 50, (most) => tickets.staged.settleSome(most))
}

/** A row of a file as columns of its ticket. @param isErased whether its holder was: then no name comes back */
export function fieldsOf(row: TicketRow, isErased: boolean): TicketFields {
  return {
    tier: row.tier,
    seat: row.seat,
    holderName: row.holderName,
    email: row.email,
    validFrom: row.validFrom === null ? null : Date.parse(row.validFrom),
    validUntil: row.validUntil === null ? null : Date.parse(row.validUntil),
    status: row.status,
    statusDetail: row.detail,
    ...row.details,
    // After an erasure no name comes back, although the shop's file may still have it.
    ...(isErased && NOBODY),
  }
}
