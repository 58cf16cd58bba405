/** The map of a real festival, for tests: streets as lines that cross, toilets as outlines, a fence. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Compiled, compileSource } from '../../src/venue/compile.ts'
import { importLines, type LineRule } from '../../src/venue/import-lines.ts'
import type { VenueEvent } from '../../src/venue/references.ts'
import { checkSource } from '../../src/venue/source.ts'

/** Folder of the fixtures, if they are on this machine. */
export const festivalFolder = fileURLToPath(new URL('../../../../shared/fixtures/venue', import.meta.url))

const checkpoint = { direction: 'in', from: null, to: 'city', tiers: ['day'] } as const

const EVENT: VenueEvent = {
  id: 'desert',
  zones: [{ id: 'city', name: 'City', capacity: 80_000 }],
  gates: [
    { id: 'greeters', name: 'Greeters' },
    { id: 'airport', name: 'Airport' },
  ],
  checkpoints: [
    { ...checkpoint, id: 'greeters-in', name: 'Greeters', gate: 'greeters' },
    { ...checkpoint, id: 'airport-in', name: 'Airport', gate: 'airport' },
  ],
}

const RULES: readonly LineRule[] = [
  { file: 'fence.geojson', kind: 'zone', id: 'city' },
  { file: 'streets.geojson', kind: 'path' },
  { file: 'toilets.geojson', geometry: 'area', kind: 'amenity', properties: { category: 'restroom', name: 'Toilets' } },
  { file: 'points.geojson', where: { ref: 'greeters' }, kind: 'gate', id: 'greeters' },
  { file: 'points.geojson', where: { ref: 'airport' }, kind: 'gate', id: 'airport' },
  {
    file: 'points.geojson',
    where: { ref: ['firstAid', 'EmergencyClinic'] },
    kind: 'amenity',
    properties: { category: 'firstaid' },
  },
  { file: 'points.geojson', where: { ref: 'info' }, kind: 'amenity', properties: { category: 'information' } },
]

export function festival(): Compiled {
  const names = [...new Set(RULES.map(({ file }) => file))].filter((name) => existsSync(`${festivalFolder}/${name}`))
  const files = new Map(names.map((name) => [name, readFileSync(`${festivalFolder}/${name}`, 'utf8')]))
  // Toilets stand on the open desert, up to a kilometre from the last street, and people walk there.
  const { collection, problems } = importLines(files, RULES, { place_metres: 1000 })
  const checked = checkSource(collection)
  return compileSource(EVENT, checked.source, [...problems, ...checked.problems])
}
