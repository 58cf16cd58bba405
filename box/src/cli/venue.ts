/** `gatehouse venue`: compiles, draws and imports an event's map. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawVenue } from '@gatehouse/proto/venue-drawing.ts'
import type { VenueMap, VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { readConfig } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { UsageError } from '../usage.ts'
import { compileVenue } from '../venue/compile.ts'
import { compilePlan } from '../venue/plan.ts'
import { formatProblems, isError } from '../venue/problems.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'
import { importFolder, readNamed } from './venue-import.ts'

export const venue: Command = {
  usage: 'venue ACTION [OPTIONS]',
  summary: "check, draw or import an event's map",
  actions: {
    'compile [OUT.json]': "check the map in the event's folder; with OUT.json, write the compiled plan there",
    'draw OUT.svg': 'check the map, and draw it as a picture',
    'import FOLDER OUT.geojson': 'turn a folder of IMDF, GTFS or plain GeoJSON into a map to go on with',
  },
  details: 'The map is venue.geojson in the event folder; box/docs/venue.md describes it.',
  statuses: { 1: 'the map has mistakes; all of them are listed' },
  examples: [
    'gatehouse venue compile',
    'gatehouse venue draw map.svg --width 2000',
    'gatehouse venue import ./imdf venue.geojson --gate 7b2e=north --zone arena --language de',
  ],
  operands: 3,
  options: {
    source: { type: 'string', value: 'FILE', description: "another map than the event folder's venue.geojson" },
    width: { type: 'string', value: 'PIXELS', description: 'draw: width of the picture, 100 to 20000 (default: 1200)' },
    gate: {
      type: 'string',
      value: 'ID=GATE',
      multiple: true,
      description: 'import: the entrance with this id (stop_id, id of an opening) is this gate of event.json',
    },
    zone: {
      type: 'string',
      value: '[ID=]ZONE',
      multiple: true,
      description:
        'import: the venue is this zone of event.json; with ID=, a part of it is (a level, section, unit or stop)',
    },
    language: {
      type: 'string',
      value: 'TAG',
      description: 'import: names in this language, such as de, where there are several',
    },
    rules: { type: 'string', value: 'FILE', description: 'import: plain GeoJSON, by the rules in this file' },
    ...JSON_OPTION,
  },
  async run({ values, positionals: [action, ...args], environment }) {
    const config = readConfig(environment)
    const source = textOf(values.source) ?? join(config.eventDir, 'venue.geojson')
    switch (action) {
      case 'compile':
        return compile(config.eventDir, source, args[0])
      case 'draw':
        return draw(config.eventDir, source, args[0], textOf(values.width))
      case 'import':
        return importFolder(args[0], args[1], values, config.eventDir)
      default:
        throw new UsageError('gatehouse venue takes compile, draw or import: see gatehouse venue --help')
    }
  },
}

async function compile(eventDir: string, source: string, out: string | undefined): Promise<boolean> {
  const plan = await planOf(eventDir, source)
  if (!plan) return false
  if (out !== undefined) await writeFile(out, plan.body)
  console.log(`${source}: no mistake. ETag ${plan.etag}${out === undefined ? '' : `, written to ${out}`}`)
  return true
}

async function draw(eventDir: string, source: string, out: string | undefined, width: string | undefined) {
  if (out === undefined) throw new UsageError('gatehouse venue draw takes a file: gatehouse venue draw map.svg')
  const pixels = Number(width ?? 1200)
  if (!(pixels >= 100 && pixels <= 20_000)) throw new UsageError('--width takes a number from 100 to 20000.')
  const plan = await planOf(eventDir, source)
  if (!plan) return false
  const drawn = JSON.parse(plan.body) as VenuePlan & { map: VenueMap }
  await writeFile(out, drawVenue(drawn, { width: pixels, stepFree: true }))
  console.log(`Drawn to ${out}.`)
  return true
}

async function planOf(eventDir: string, source: string) {
  const event = await readEvent(eventDir)
  const { map, problems } = compileVenue(event, (await readNamed(source)).toString())
  if (problems.length > 0) console.error(formatProblems(problems))
  return map && !problems.some(isError) ? compilePlan(event, map) : undefined
}
