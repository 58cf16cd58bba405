/** Several desks of one event that hear each other through what real boxes send, when a test says so, and as far as it says. */
import { join } from 'node:path'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { Verification } from '@gatehouse/proto/wire/seal.ts'
import { count, newTally, type Tally } from '../src/control/tally.ts'
import { openSnapshot } from '../src/db.ts'
import { eq } from '../src/drizzle/core.ts'
import { writeValue } from '../src/ledger/identity.ts'
import { boxes } from '../src/ledger/schema.ts'
import { heardIn } from '../src/mesh/facts.ts'
import { decodePage, encodeEnvelope, encodePage } from '../src/mesh/spread/envelope.ts'
import { type HearDeps, hear } from '../src/mesh/spread/hear.ts'
import { RowsOf } from '../src/mesh/spread/rows-of.ts'
import { verifyLedger } from '../src/seal/verify.ts'
import { TicketVersions } from '../src/tickets/versions.ts'
import { Desk } from './desk.ts'

export class Hearing {
  readonly desks: readonly Desk[]
  readonly #ids: readonly string[]

  private constructor(desks: readonly Desk[]) {
    this.desks = desks
    this.#ids = desks.map((_, i) => idOf(i))
  }

  /** Every box has the event's secrets, and an id of its own. */
  static async open({ boxes: many, now }: { boxes: number; now: number }): Promise<Hearing> {
    const desks = await Promise.all(Array.from({ length: many }, () => Desk.open({ now })))
    const [first] = desks
    for (const [i, desk] of desks.entries()) {
      const { ledger } = desk.deps
      writeValue(ledger.db, 'box_id', Buffer.from(idOf(i)))
      if (first) {
        writeValue(ledger.db, 'ref_key', first.deps.identity.refKey)
        writeValue(ledger.db, 'manifest_salt', first.deps.identity.manifestSalt)
        writeValue(ledger.db, 'signing_seed', first.deps.identity.signingSeed)
      }
      desk.restart()
      for (const id of desks.keys()) {
        const row = { id: idOf(id), name: `Box ${id}`, logKey: '' }
        desk.deps.ledger.db.drizzle.insert(boxes).values(row).run()
      }
    }
    return new Hearing(desks)
  }

  desk(i: number): Desk {
    const desk = this.desks[i]
    if (!desk) throw new RangeError(`there is no desk ${i}`)
    return desk
  }

  /** @param rows of the gatehouse CSV, at the first box; the others hear of them */
  async import(rows: readonly string[]): Promise<ImportReport> {
    const report = await this.desk(0).import(rows)
    await this.settle()
    return report
  }

  /** `to` hears the next `most` entries of `from`. @returns how many there were */
  async hear(to: number, from: number, most: number): Promise<number> {
    const [desk, other] = [this.desk(to), this.desk(from)]
    const { ledger } = desk.deps
    const [box, self] = [idOf(from), idOf(to)]
    const heard = ledger.db.drizzle.select().from(boxes).where(eq(boxes.id, box)).get()?.heard ?? 0
    const entries = other.deps.ledger.read(heard, most)
    if (entries.length === 0) return 0
    const rowsOf = new RowsOf(other.deps.ledger.db, box)
    const texts = entries.map((entry) => encodeEnvelope(entry, rowsOf.of(entry).rows))
    const page = decodePage(encodePage({ box, size: other.deps.ledger.size, entries: texts }), box)
    const deps: HearDeps = { ...desk.deps, event: desk.event, versions: new TicketVersions(ledger.db), self }
    await ledger.commit(() => hear({ box, entries: page.entries, incomplete: false }, deps))
    return entries.length
  }

  /** Until every box has heard everything. */
  async settle(most = 50): Promise<void> {
    for (let heard = 1; heard > 0; ) {
      heard = 0
      for (const to of this.desks.keys()) {
        for (const from of this.desks.keys()) if (from !== to) heard += await this.hear(to, from, most)
      }
      // What remains are entries that say what was heard: they are told too, and nobody answers them.
      if (this.#onlySilent()) return
    }
  }

  /** What "gatehouse verify" has against a box's ledger. */
  problems(i: number): Verification['problems'] {
    using snapshot = openSnapshot(join(this.desk(i).folder, 'ledger.db'))
    return verifyLedger(snapshot).problems
  }

  tally(i: number): Tally {
    const { ledger } = this.desk(i).deps
    const tally = newTally()
    for (const entry of ledger.read(0, Number.MAX_SAFE_INTEGER)) {
      count(tally, entry, entry.kind === 'heard' ? heardIn(ledger.db, entry) : [])
    }
    return tally
  }

  [Symbol.dispose](): void {
    for (const desk of this.desks) desk[Symbol.dispose]()
  }

  #onlySilent(): boolean {
    return this.desks.every((desk) => {
      const known = new Map(
        desk.deps.ledger.db.drizzle
          .select()
          .from(boxes)
          .all()
          .map(({ id, heard }) => [id, heard]),
      )
      return this.#ids.every((id, from) => {
        const { ledger } = this.desk(from).deps
        if (this.desk(from) === desk) return true
        return ledger.read(known.get(id) ?? 0, Number.MAX_SAFE_INTEGER).every(({ kind }) => kind === 'heard')
      })
    })
  }
}

function idOf(i: number): string {
  return `box-${i}`
}
