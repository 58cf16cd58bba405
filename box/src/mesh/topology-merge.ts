/** Merges two lists of boxes that were changed while the boxes that have them did not hear each other. Pure. */
import { haveAllKeys, haveSameRecipients } from './encryption/group-key.ts'
import { mergedRemovals, wasRemoved } from './removals.ts'
import { withOwnKeys } from './signed-keys.ts'
import { changed, isNewer, requireAllKeys, type Topology, type TopologyBox, TopologyError } from './topology.ts'

/**
 * Merges for a box that has `known` and receives `received`: the newer of the two, without the members that either says
 * are gone, with those that have joined by the older one alone, and with the keys that only the older one has, or that in it alone
 * the box itself has signed. Two parts of an event
 * that were changed while they did not reach each other keep both removals and both joins.
 * @throws TopologyError when nobody would be left, where messages would be sent in clear again, and for another log key of a
 * known box: nobody changes that one, and whoever has it speaks as the box
 */
export function merged(known: Topology, received: Topology): Topology {
  const [newer, older] = isNewer(received, known) ? [received, known] : [known, received]
  const gone = mergedRemovals(known.gone, received.gone)
  requireSameLogs(known, received)
  const all = [...newer.boxes.map((box) => withKeysFrom(older, box)), ...joinedMeanwhile(newer, older)]
  const rest = all.filter((box) => !wasRemoved(box, gone))
  if (rest.length === 0) throw new TopologyError('This list of boxes cannot be used: every box in it was removed.')
  if (haveAllKeys(known)) requireAllKeys({ boxes: rest })
  const hasKeys = haveSameRecipients(newer, { boxes: rest })
  const isWhole =
    hasKeys &&
    signaturesOf(rest) === signaturesOf(newer.boxes) &&
    idsOf(rest) === idsOf(newer.boxes) &&
    String(gone) === String(newer.gone ?? [])
  return isWhole ? newer : changed({ ...newer, ...(gone.length > 0 && { gone }) }, rest)
}

const signaturesOf = (boxes: readonly TopologyBox[]) => boxes.map(({ key_signature = '' }) => key_signature).join()
const idsOf = (boxes: readonly TopologyBox[]) => boxes.map(({ id }) => id).join()

/** Boxes that only the older list has. From version 3 on a removal is in the list, so they have joined while the newer one was made. */
function joinedMeanwhile(newer: Topology, older: Topology): TopologyBox[] {
  if (newer.v < 3 || older.v < 3) return []
  return older.boxes.filter(({ id }) => !newer.boxes.some((box) => box.id === id))
}

function requireSameLogs(known: Topology, received: Topology): void {
  const other = received.boxes.find(({ id, log_key }) =>
    known.boxes.some((box) => box.id === id && box.log_key !== log_key),
  )
  if (other) throw new TopologyError(`This list of boxes cannot be used: it has another log key of ${other.id}.`)
}

/**
 * A box that was updated announces its key once: a newer list that was made without it does not take it away. And one that has
 * signed its keys keeps them, whoever has put others into the list.
 */
function withKeysFrom({ boxes, event }: Topology, box: TopologyBox): TopologyBox {
  const known = boxes.find(({ id, log_key }) => id === box.id && log_key === box.log_key)
  const own = withOwnKeys(box, known, event)
  const key = known?.encryption_key
  return own.encryption_key === undefined && key !== undefined ? { ...own, encryption_key: key } : own
}
