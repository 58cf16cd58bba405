/** Several desks of one event. The test replicates their journals: when it likes, and as far as it likes. */
import { randomBytes } from 'node:crypto'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import { eq } from '../../src/drizzle/core.ts'
import type { EventFile } from '../../src/event/event.ts'
import { recordEvent } from '../../src/event/recorded.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { boxes } from '../../src/ledger/schema.ts'
import { createLogger } from '../../src/log.ts'
import { applyBatch } from '../../src/mesh/replication/batch.ts'
import { decodePage, type PeerPage } from '../../src/mesh/replication/envelope.ts'
import { PeerSeals } from '../../src/mesh/replication/peer-seals.ts'
import { JournalPublisher } from '../../src/mesh/replication/publisher.ts'
import { Witness } from '../../src/seal/cosign/witness.ts'
import { Desk } from '../world/desk.ts'
import { TEST_EVENT } from '../world/event.ts'
import { Wires } from './wires.ts'

export interface DesksOptions {
  boxes: number
  /** Unix ms at the start. */
  now: number
  /** For one box, in place of the others' event file. */
  eventOf?: (box: number) => EventFile
}

/** `box-0`, `box-1`, ...: each with a log key of its own, the event's secrets, and all the others in its list of boxes. */
export class Desks implements Disposable {
  readonly all: readonly Desk[]

  private constructor(all: readonly Desk[]) {
    this.all = all
  }

  static async open({ boxes: count, now, eventOf = () => TEST_EVENT }: DesksOptions): Promise<Desks> {
    const shared = {
      manifest_salt: randomBytes(16),
      ref_key: randomBytes(32),
      signing_seed: randomBytes(32),
      key_box: Buffer.from('box-0'),
    }
    const all = await Promise.all(
      Array.from({ length: count }, (_, i) => {
        const own = { box_id: Buffer.from(`box-${i}`), log_seed: randomBytes(32) }
        return Desk.open({ event: eventOf(i), now, identity: { ...shared, ...own } })
      }),
    )
    const rows = all.map(({ id, deps }, i) => ({ id, name: `Box ${i}`, logKey: deps.keys.logVerifierKey }))
    for (const { id, event, deps } of all) {
      deps.ledger.db.drizzle.insert(boxes).values(rows).run()
      await recordEvent(event, id, deps.ledger)
    }
    return new Desks(all)
  }

  desk(i: number): Desk {
    const desk = this.all[i]
    if (!desk) throw new RangeError(`there is no desk ${i}`)
    return desk
  }

  /** @param rows as `Desk.import` takes them: imported at the first box, and replicated everywhere */
  async import(rows: readonly string[]): Promise<ImportReport> {
    const report = await this.desk(0).import(rows)
    this.settle()
    return report
  }

  /** Until every box has every journal. */
  settle(): void {
    for (let isNew = true; isNew; ) {
      isNew = false
      for (const to of this.all) {
        for (const from of this.all) while (to !== from && pull(to, from)) isNew = true
      }
    }
  }

  [Symbol.dispose](): void {
    for (const desk of this.all) desk[Symbol.dispose]()
  }
}

/** Size of another box's journal at this desk. */
export function replicatedAt(desk: Desk, box: string): number {
  return desk.deps.ledger.db.drizzle.select().from(boxes).where(eq(boxes.id, box)).get()?.heard ?? 0
}

/** One for each opened ledger, because it prepares a dozen statements. */
const publishers = new WeakMap<Ledger, JournalPublisher>()

/** A page of a desk's journal, as it goes over the wire. */
export function pageOf({ id, deps: { ledger } }: Desk, from: number, after?: number): PeerPage {
  let publisher = publishers.get(ledger)
  if (!publisher) {
    const unused = { transport: new Wires().end(id), epoch: () => 1, newestSeal: () => undefined }
    publisher = new JournalPublisher({ ledger, self: id, ...unused })
    publishers.set(ledger, publisher)
  }
  return decodePage(publisher.page({ from, after }), id)
}

/** Replicates entries of another box's journal to a desk. */
export function apply({ id, event, deps }: Desk, box: string, entries: PeerPage['entries'], incomplete = false): void {
  deps.ledger.transact(() => applyBatch({ box, entries, incomplete }, { ...deps, event, self: id }))
}

/**
 * Replicates what comes next in another box's journal, or some of it once more.
 * @param options.from an earlier entry; `most`: entries of a page that arrive before the cable is cut
 * @returns whether there was anything new
 */
export function pull(to: Desk, from: Desk, options: { from?: number; most?: number } = {}): boolean {
  const before = replicatedAt(to, from.id)
  const { most = Number.POSITIVE_INFINITY } = options
  for (let after: number | undefined, at = Math.min(options.from ?? before, before); ; ) {
    const { entries, more } = pageOf(from, at, after)
    const arrived = entries.slice(0, most)
    const isCut = arrived.length < entries.length
    if (arrived.length === 0) return false
    apply(to, from.id, arrived, !isCut && more !== undefined)
    if (isCut || more === undefined) break
    at = arrived.at(-1)?.index ?? at
    after = more
  }
  return replicatedAt(to, from.id) > before
}

/** Checks the seals of other boxes at a desk, and cosigns those that match its copy of their journals. */
export function witnessAt(desk: Desk): { witness: Witness; seals: PeerSeals } {
  const { ledger, keys } = desk.deps
  const common = { ledger, logger: createLogger('silent'), now: () => desk.now }
  const witness = new Witness({ ...common, origin: keys.origin, signingKey: keys.logKey })
  return { witness, seals: new PeerSeals({ ...common, witness }) }
}
