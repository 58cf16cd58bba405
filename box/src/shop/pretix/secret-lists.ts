/**
 * The lists of codes that were withdrawn and blocked: pretix fills them only where it signs its codes. They concern codes whose order
 * is not here; of all others the order says the same. Only keyed hashes of the codes are kept.
 */
import type { Db } from '../../ledger/db.ts'
import { readValue, writeValue } from '../../ledger/identity.ts'
import { isObject, type Json, objects, text } from '../../tickets/import/pretix-json.ts'
import type { MappedStatus } from '../mapping.ts'
import { TicketChanges } from '../ticket-changes.ts'
import { eventPath } from './connection.ts'
import type { RunDeps } from './runs.ts'
import { BLOCKED, BLOCKED_STATUS, MARK, STAND_INS, WITHDRAWN, WITHDRAWN_STATUS } from './stand-in.ts'

interface SecretList {
  path: string
  table: string
  /** Field and query parameter of the time at which a row was changed. */
  time: string
  since: string
  refused: MappedStatus
}

const LISTS: readonly SecretList[] = [
  { path: 'revokedsecrets/', table: WITHDRAWN, time: 'created', since: 'created_since', refused: WITHDRAWN_STATUS },
  { path: 'blockedsecrets/', table: BLOCKED, time: 'updated', since: 'updated_since', refused: BLOCKED_STATUS },
]

/** As with orders: a row may be committed so long after its time. */
const OVERLAP_MS = 300_000
const STATE = 'shop_secret_lists'

/** By table: the time of the newest row that was read, ISO 8601. */
type Cursors = Partial<Record<string, string>>

export class SecretLists {
  readonly #deps: RunDeps

  constructor(deps: RunDeps) {
    this.#deps = deps
  }

  /** Reads what is new in both. @throws PretixError */
  async read(): Promise<void> {
    for (const one of LISTS) await this.#readList(one)
  }

  async #readList(one: SecretList): Promise<void> {
    const { api, connection, ledger } = this.#deps
    const cursor = this.#cursors()[one.table]
    const since = cursor && { [one.since]: new Date(Date.parse(cursor) - OVERLAP_MS).toISOString() }
    let newest = cursor
    for await (const { results, next } of api.pages(`${eventPath(connection)}${one.path}`, since || {})) {
      const found = objects(results)
      for (const row of found) {
        const at = text(row[one.time])
        if (!Number.isNaN(Date.parse(at)) && !(newest && Date.parse(at) <= Date.parse(newest))) newest = at
      }
      const isLast = next === undefined
      await ledger.commit(
        () => {
          this.#apply(one, found)
          // The newest are first: with the last page, everything before it is here.
          if (isLast && newest !== cursor) this.#save({ [one.table]: newest })
        },
        { patient: true },
      )
    }
  }

  #apply({ table, refused }: SecretList, found: readonly Json[]): void {
    const { rows, source, codes, tickets } = this.#deps
    const changes = new TicketChanges(this.#deps)
    for (const { secret, blocked } of found) {
      if (typeof secret !== 'string' || secret === '') continue
      const key = codes.hash(secret).toString('hex')
      const gone = blocked === false ? 1 : 0
      const there = rows.find(source, { table, key })
      if (there?.gone === gone) continue
      const none = { ticket: null, problem: null, reason: null, problemAt: null, personal: null }
      if (there) rows.save({ ...there, gone })
      else rows.insert({ source, table, key, image: '{}', gone, load: 0, ...none })
      const id = rows.find(source, { table: STAND_INS, key })?.ticket ?? null
      const ticket = id === null ? undefined : tickets.byId(id)
      if (!ticket) continue
      if (gone === 0) changes.refuse(id, refused)
      else if (ticket.status === refused.status) changes.refuse(id, { status: 'valid', detail: MARK })
    }
    changes.explain(source, null)
  }

  #cursors(): Cursors {
    const { ledger, source } = this.#deps
    return readCursors(ledger.db, source)
  }

  #save(next: Cursors): void {
    const { ledger, source } = this.#deps
    const cursors = { ...readCursors(ledger.db, source), ...next }
    writeValue(ledger.db, STATE, Buffer.from(JSON.stringify({ source, cursors })))
  }
}

function readCursors(db: Pick<Db, 'drizzle'>, source: string): Cursors {
  const kept: unknown = JSON.parse(readValue(db, STATE)?.toString() ?? 'null')
  // Of another event of pretix: read from the beginning.
  return isObject(kept) && kept.source === source && isObject(kept.cursors) ? (kept.cursors as Cursors) : {}
}
