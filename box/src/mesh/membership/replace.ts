/** Restores a box of a mesh from its backup, as a new box that takes the place of the old one in the list. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { By } from '../../ca/actor.ts'
import { type Db, openSnapshot, settleLedger } from '../../ledger/db.ts'
import { newBoxId, readValue, writeValue } from '../../ledger/identity.ts'
import { openLedger } from '../../ledger/open.ts'
import { keysOf } from '../../seal/verifier-key.ts'
import { encodePublicKey, openBoxKey } from '../encryption/box-key.ts'
import { type Topology, withBox, withoutBox } from '../topology.ts'
import { convertLedger } from './convert/convert-ledger.ts'
import { Membership } from './membership.ts'

/** True if the box of this ledger was in a mesh, so that other boxes may have replicated its entries. */
export function wasInMesh(path: string): boolean {
  using snapshot = openSnapshot(path)
  return readValue(snapshot, 'topology') !== undefined
}

/**
 * Converts a ledger at rest into that of a new box, with an id and a log key of its own, and replaces the old box in the list. The
 * other boxes learn of it when the box starts.
 * @returns the new id
 */
export async function replaceRestoredBox(
  dataDir: string,
  { eventId, by, now }: { eventId: string; by: By; now: () => number },
): Promise<string> {
  const path = join(dataDir, 'ledger.db')
  const signed = readTopologyOf(path)
  const box = { boxId: newBoxId(), logSeed: randomBytes(32) }
  const keyHolder = { id: box.boxId, key: await openBoxKey(dataDir, randomBytes), random: randomBytes }
  const { from } = convertLedger(path, { box, action: 'restored', by, now, random: randomBytes })
  const { ledger, identity } = openLedger({ dataDir, eventId, wallClock: now })
  try {
    const { eventKey, logVerifierKey } = keysOf(eventId, identity)
    using membership = new Membership({ ledger, eventId, eventKey, keyHolder, now })
    await membership.adopt(signed, from)
    const was = membership.topology?.boxes.find(({ id }) => id === from)
    if (was) {
      const { role, key_signature: _, ...rest } = was
      const own = { id: box.boxId, log_key: logVerifierKey, encryption_key: encodePublicKey(keyHolder.key) }
      const back = { ...rest, ...(role === 'voter' && { role }), ...own, instead: from }
      await ledger.commit(() => writeValue(ledger.db, PENDING_REPLACEMENT, Buffer.from(JSON.stringify(back))))
      await membership.change((topology) => topology && withReplacement(topology, back), {
        ...by,
        action: 'joined',
        box: box.boxId,
        reason: `in the place of ${from}`,
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

/** Replaces the old box by the new one, with the same addresses; adds the new one where the old one is not listed. */
export function withReplacement(topology: Topology, { instead, ...box }: Replacement): Topology {
  const { boxes } = topology
  if (boxes.some(({ id }) => id === box.id)) return topology
  if (!boxes.some(({ id }) => id === instead)) return withBox(topology, box)
  // The last box cannot be removed, so it is added first there. Otherwise removing first keeps votes from changing twice.
  return boxes.length > 1 ? withBox(withoutBox(topology, instead), box) : withoutBox(withBox(topology, box), instead)
}

/** The new box, and the one whose place it takes. */
export type Replacement = Parameters<typeof withBox>[1] & { instead: string }
const PENDING_REPLACEMENT = 'mesh_returning'

/**
 * The list of the backup is old, and the others may have a newer one without this box: then this box adds itself to that list.
 * Undefined once another box has listed it.
 */
export function pendingReplacement(db: Pick<Db, 'drizzle'>): Replacement | undefined {
  const kept = readValue(db, PENDING_REPLACEMENT)
  return kept && kept.length > 0 ? (JSON.parse(kept.toString()) as Replacement) : undefined
}

/** Within a transaction. */
export function clearPendingReplacement(db: Db): void {
  writeValue(db, PENDING_REPLACEMENT, Buffer.alloc(0))
}
