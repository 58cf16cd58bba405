/**
 * Numbers and names of what these apps know by number: lists, items, gates, devices, questions. An app keeps them over restarts of
 * the box, so each is made of the id that the event file has, and is in no table.
 */
import { createHash } from 'node:crypto'
import type { Checkpoint, Event, Tier } from '../event/event.ts'

/** The organiser in every path. A box has one event, and so one organiser. */
export const ORGANIZER = 'gatehouse'

/** Above zero and below 2^31: the apps read 64 bits, but JSON libraries on old Android read some as 32. */
export function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() & 0x7fff_ffff || 1
}

/** The shop's own number where it has one, so that an answer can go back there. */
export function questionNumber(id: string): number {
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : numberOf(`question ${id}`)
}

export interface EventIds {
  readonly checkpointOf: (list: number) => Checkpoint | undefined
  readonly listOf: (checkpoint: string) => number
  readonly itemOf: (tier: string) => number
  readonly gateOf: (gate: string) => number
}

export function eventIds(event: Event): EventIds {
  const lists = numbered('list', event.checkpoints)
  const items = numbered('item', event.tiers)
  const gates = numbered('gate', event.gates)
  const checkpoints = new Map(event.checkpoints.map((one) => [lists.get(one.id), one]))
  return {
    checkpointOf: (list) => checkpoints.get(list),
    listOf: (checkpoint) => lists.get(checkpoint) ?? 0,
    itemOf: (tier) => items.get(tier) ?? 0,
    gateOf: (gate) => gates.get(gate) ?? 0,
  }
}

/** Two ids with one number: the later one, by its text, moves on. A new id in the file then moves another one at most. */
function numbered(kind: string, all: readonly Pick<Checkpoint | Tier, 'id'>[]): Map<string, number> {
  const numbers = new Map<string, number>()
  const taken = new Set<number>()
  for (const id of all.map((one) => one.id).sort()) {
    let number = numberOf(`${kind} ${id}`)
    while (taken.has(number)) number = (number % 0x7fff_ffff) + 1
    taken.add(number)
    numbers.set(id, number)
  }
  return numbers
}
