/** A box of several that is put back from its backup: another box, in the place that the old one had in the list. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Db, openSnapshot, settleLedger } from '../../db.ts'
import type { By } from '../../http/actor.ts'
import { newBoxId, readValue, writeValue } from '../../ledger/identity.ts'
import { openLedger } from '../../ledger/open.ts'
import { keysOf } from '../../seal/verifier-key.ts'
import { Membership } from '../membership.ts'
import { type Topology, withBox, withoutBox } from '../topology.ts'
import { becomeNewBox } from './become.ts'

/** Whether somebody else may have heard what the box of this ledger wrote. */
export function wasOneOfSeveral(path: string): boolean {
  using snapshot = openSnapshot(path)
  return readValue(snapshot, 'topology') !== undefined
}

/**
 * Makes another box of a ledger at rest: with a name and a log key of its own, and listed where the old one was. Its neighbours
 * hear of it when it starts.
 * @returns the new name
 */
export async function takePlace(
  dataDir: string,
  { eventId, by, now }: { eventId: string; by: By; now: () => number },
): Promise<string> {
  const path = join(dataDir, 'ledger.db')
  const signed = readTopologyOf(path)
  const box = { boxId: newBoxId(), logSeed: randomBytes(32) }
  const { from } = becomeNewBox(path, { box, action: 'restored', by, now, random: randomBytes })
  const { ledger, identity } = openLedger({ dataDir, eventId, wallClock: now })
  try {
    const { eventKey, logVerifierKey } = keysOf(eventId, identity)
    using membership = new Membership({ ledger, eventId, eventKey, now })
    await membership.hear(signed, from)
    const was = membership.topology?.boxes.find(({ id }) => id === from)
    if (was) {
      const { role, ...rest } = was
      const back = { ...rest, ...(role === 'voter' && { role }), id: box.boxId, log_key: logVerifierKey, instead: from }
      await ledger.commit(() => writeValue(ledger.db, RETURNING, Buffer.from(JSON.stringify(back))))
      await membership.change((topology) => topology && replaced(topology, back), {
        ...{ ...by, action: 'joined', box: box.boxId, reason: `in the place of ${from}` },
      })
    }
  } finally {
    ledger[Symbol.dispose]()
  }
  settleLedger(path)
  return box.boxId
}

function readTopologyOf(path: string): string {
  using snapshot = openSnapshot(path)
  return readValue(snapshot, 'topology')?.toString() ?? ''
}

/** The same place and addresses, another name. In a list that left the old one out, one box more. */
export function replaced(topology: Topology, { instead, ...box }: Returning): Topology {
  const { boxes } = topology
  if (boxes.some(({ id }) => id === box.id)) return topology
  if (!boxes.some(({ id }) => id === instead)) return withBox(topology, box)
  // A list has no last box to take away. And otherwise nobody's vote changes twice.
  return boxes.length > 1 ? withBox(withoutBox(topology, instead), box) : withoutBox(withBox(topology, box), instead)
}

/** Who is to be listed, and in whose place. */
export type Returning = Parameters<typeof withBox>[1] & { instead: string }
const RETURNING = 'mesh_returning'

/**
 * The list of the backup is an old one, and the others may have a newer one, without this box: then it asks for its place there.
 * Undefined once another box has listed it.
 */
export function returning(db: Pick<Db, 'drizzle'>): Returning | undefined {
  const kept = readValue(db, RETURNING)
  return kept && kept.length > 0 ? (JSON.parse(kept.toString()) as Returning) : undefined
}

/** Within a transaction. */
export function hasReturned(db: Db): void {
  writeValue(db, RETURNING, Buffer.alloc(0))
}
