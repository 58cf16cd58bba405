/** A festival whose shop says more of its tickets than their tier: a family, a question, something to look at. */
import { join } from 'node:path'
import type { EventFile } from '../box/src/event/event.ts'
import { openDb } from '../box/src/ledger/db.ts'
import { sayOfTicket, sellProduct } from '../box/test/world/details.ts'
import { EVENT } from './event.ts'
import { World } from './world.ts'

export const ATTENTION = 'Child ticket: check the age.'
export const NOTE = 'Has the keys of the van.'
export const FAMILY = ['FAM-1', 'FAM-2', 'FAM-3', 'FAM-4', 'FAM-5']
const SIZE = {
  id: 'size',
  text: 'T-shirt size?',
  kind: 'choice' as const,
  required: true,
  options: ['Small', 'Medium', 'Large'].map((text) => ({ id: text.toLowerCase(), text })),
}
const QUESTIONS = [
  SIZE,
  { id: 'meal', text: 'Dinner on Saturday?', kind: 'yes_no' as const, required: false },
  {
    id: 'diet',
    text: 'What do you not eat?',
    kind: 'paragraph' as const,
    required: false,
    depends_on: { question: 'meal', values: ['true'] },
  },
  { id: 'country', text: 'Country?', kind: 'country' as const, required: false },
  { id: 'photo', text: 'Photo for the pass', kind: 'not_askable' as const, required: false },
]

/** Another order of five. */
export function familyOf(name: string): string[] {
  return FAMILY.map((code) => `${name}-${code}`)
}

interface More {
  /** Names of further families. */
  families?: readonly string[]
  event?: Partial<EventFile>
}

/** @param each how many tickets there are of each kind: `PLAIN-1`, `CHILD-1` with attention, `ASK-1` with a question */
export async function describedWorld(each = 3, { families = [], event = {} }: More = {}): Promise<World> {
  const numbers = Array.from({ length: each }, (_, i) => i + 1)
  const codes = ['PLAIN', 'CHILD', 'ASK'].flatMap((kind) => numbers.map((n) => `${kind}-${n}`))
  const orders = { XK3FA: FAMILY, ...Object.fromEntries(families.map((name) => [name, familyOf(name)])) }
  const rows = [...Object.values(orders).flat(), ...codes].map((code) => `${code},day,,Ana ${code},,,,valid`)
  await using opening = new AsyncDisposableStack()
  const world = opening.use(await World.open(rows, { ...EVENT, ...event, scanners_see: 'name_and_notes' }))
  // No import is needed to have what a shop may say: it is written where imports write it, while there is no box.
  await world.stop()
  describe(join(world.folder.dataDir, 'ledger.db'), numbers, orders)
  await world.start()
  opening.move()
  return world
}

function describe(path: string, numbers: readonly number[], orders: Record<string, readonly string[]>): void {
  const db = openDb(path)
  try {
    sellProduct(db, 'child', { name: 'Weekend', variation: 'Child', attention: true, note: ATTENTION })
    sellProduct(db, 'shirt', { name: 'Weekend with shirt', questions: QUESTIONS })
    sellProduct(db, 'van', { name: 'Camper van pitch' })
    for (const [orderCode, family] of Object.entries(orders))
      for (const [i, code] of family.entries()) sayOfTicket(db, code, { orderCode, position: i + 1 })
    for (const n of numbers) {
      const extras = [{ position: 2, product: 'van' }]
      sayOfTicket(db, `CHILD-${n}`, { product: 'child', personal: { note: NOTE }, extras })
      sayOfTicket(db, `ASK-${n}`, { product: 'shirt' })
    }
  } finally {
    db.close()
  }
}
