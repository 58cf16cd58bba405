/**
 * Entries as an earlier version, or a damaged disk, may have left them: written into the file past the ledger's types and its
 * check, by a connection of their own, so that the ledger takes them over as it does what another process writes.
 */
import { join } from 'node:path'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import { type Db, openDb } from '../../src/ledger/db.ts'
import type { EntryKind } from '../../src/ledger/entries.ts'
import { journal } from '../../src/ledger/schema.ts'
import type { Desk } from './desk.ts'

export class UncheckedEntries implements Disposable {
  readonly #desk: Desk
  readonly #db: Db

  constructor(desk: Desk) {
    this.#desk = desk
    this.#db = openDb(join(desk.folder, 'ledger.db'))
  }

  append(kind: EntryKind, fields: object): void {
    const { ledger, clock } = this.#desk.deps
    const [index, hlc] = [ledger.size, format(clock.now())]
    const bytes = Buffer.from(canonicalJson({ ...fields, hlc, index, kind }))
    this.#db.transaction(() => this.#db.drizzle.insert(journal).values({ index, hlc, kind, bytes }).run())
    ledger.transact(() => {})
  }

  [Symbol.dispose](): void {
    this.#db.close()
  }
}
