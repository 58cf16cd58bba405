/** Check-in lists: each checkpoint of a device is one. The app's switch between entry and exit chooses among those of one gate. Pure. */
import type { ScanningDevice } from '../ca/roster.ts'
import { GatehouseError } from '../errors.ts'
import type { Checkpoint, Event } from '../event/event.ts'
import type { EventIds } from './ids.ts'

export type Direction = 'ENTRY' | 'EXIT'

export function listsOf({ checkpoints }: ScanningDevice, event: Event): Checkpoint[] {
  return event.checkpoints.filter(({ id }) => checkpoints.has(id))
}

/** @throws GatehouseError `not_found` for a list that this device has not */
export function listNamed(number: number, device: ScanningDevice, ids: EventIds): Checkpoint {
  const found = ids.checkpointOf(number)
  if (!found || !device.checkpoints.has(found.id)) {
    throw new GatehouseError('not_found', 'This scanner was not paired for that list: choose the list again.')
  }
  return found
}

/**
 * The checkpoint at which somebody passes. On the list of an entrance, an exit is one at the exit of the same gate. The list of an exit
 * has exits alone, however the switch stands: a person who leaves is not counted in.
 * @returns a sentence where the device has no exit there
 */
export function checkpointFor(
  list: Checkpoint,
  direction: Direction,
  { device, event }: { device: ScanningDevice; event: Event },
): Checkpoint | string {
  if (list.direction === 'out' || direction === 'ENTRY') return list
  const exits = listsOf(device, event).filter(({ gate, direction }) => gate === list.gate && direction === 'out')
  const exit = exits.find(({ from }) => from === list.to) ?? exits[0]
  return exit ?? `${list.name} has no exit for this scanner: choose the list of an exit, or pair it for one.`
}
