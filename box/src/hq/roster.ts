/** The boxes that may write, as HQ last read them from its database; every connection and every batch is checked with them. */
import type { X509Certificate } from 'node:crypto'
import { listBoxes } from './boxes.ts'
import type { HqDb } from './database.ts'
import { type AddedBox, type Sender, senderOf } from './sender.ts'

export class Roster {
  readonly #db: HqDb
  #boxes: readonly AddedBox[]

  private constructor(db: HqDb, boxes: readonly AddedBox[]) {
    this.#db = db
    this.#boxes = boxes
  }

  static async open(db: HqDb): Promise<Roster> {
    return new Roster(db, await listBoxes(db))
  }

  async reread(): Promise<void> {
    this.#boxes = await listBoxes(this.#db)
  }

  /** The trusted authorities: PEM, one for each box. */
  get authorities(): string[] {
    return this.#boxes.map(({ ca }) => ca)
  }

  /** @param now unix ms */
  senderOf(certificate: X509Certificate, now: number): Sender {
    return senderOf(certificate, this.#boxes, now)
  }
}
