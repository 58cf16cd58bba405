/** The row of the ledger that says up to where the redo log is in the ledger. */
import { randomBytes } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { GENERATION_BYTES } from './record.ts'

/** In `identity`. */
export const REDO_PLACE = 'redo'
/** Generation, sequence number, offset, and the number of times that it was written. */
const PLACE_BYTES = GENERATION_BYTES + 8 + 4 + 4

export interface RedoPlace {
  /** Random: each process begins the redo log anew, with another one. A copy of the ledger has that of its original. */
  generation: Buffer
  /** In the row: the last record that is in the ledger. In the redo log: the last one that was appended. */
  seq: number
  /** Where the next record begins, unless the log has begun at 0 again. */
  offset: number
}

export type Preparing = Pick<Database, 'prepare'>

/** A generation without records. */
export const newPlace = (): RedoPlace => ({ generation: randomBytes(GENERATION_BYTES), seq: 0, offset: 0 })

export class PlaceRow {
  readonly #read
  readonly #write
  #written = 0

  constructor(sqlite: Preparing) {
    this.#read = sqlite.prepare(`SELECT value FROM identity WHERE name = '${REDO_PLACE}'`).pluck()
    this.#write = sqlite.prepare(
      `INSERT INTO identity (name, value) VALUES ('${REDO_PLACE}', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    )
  }

  read(): RedoPlace | undefined {
    const value = this.#read.get() as Buffer | undefined
    if (value?.length !== PLACE_BYTES) return undefined
    this.#written = value.readUInt32BE(GENERATION_BYTES + 12)
    const seq = Number(value.readBigUInt64BE(GENERATION_BYTES))
    return { generation: value.subarray(0, GENERATION_BYTES), seq, offset: value.readUInt32BE(GENERATION_BYTES + 8) }
  }

  /**
   * Within a transaction. Each time it is another value, so that a page changes: SQLite syncs nothing for a transaction that changes
   * none.
   */
  write({ generation, seq, offset }: RedoPlace): void {
    this.#written = (this.#written + 1) >>> 0
    const value = Buffer.alloc(PLACE_BYTES)
    generation.copy(value)
    value.writeBigUInt64BE(BigInt(seq), GENERATION_BYTES)
    value.writeUInt32BE(offset, GENERATION_BYTES + 8)
    value.writeUInt32BE(this.#written, GENERATION_BYTES + 12)
    this.#write.run(value)
  }
}
