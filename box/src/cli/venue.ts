/** `gatehouse venue`: compiles, draws and imports an event's map. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { drawVenue } from '@gatehouse/proto/venue-drawing.ts'
import type { VenueMap, VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { readConfig } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { compileVenue } from '../venue/compile.ts'
import { importGtfs } from '../venue/import-gtfs.ts'
import { importImdf } from '../venue/import-imdf.ts'
import { compilePlan } from '../venue/plan.ts'
import { formatProblems, isError } from '../venue/problems.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'
import { UsageError } from './usage.ts'

export const venue: Command = {
  usage: 'venue compile|draw|import ...',
  summary: "check, draw or import an event's map",
  details: `  venue compile [OUT.json]      check venue.geojson of the event's folder, and write the compiled plan
  venue draw OUT.svg            draw it
  venue import FOLDER OUT       turn an IMDF or a GTFS folder into a venue.geojson
  box/docs/venue.md describes the source. Exit status 1: the map has mistakes; they are all listed.`,
  operands: 3,
  options: {
    source: { type: 'string', description: "another source than the event folder's venue.geojson" },
    width: { type: 'string', description: 'draw: width in pixels (default: 1200)' },
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
        return importFolder(args[0], args[1])
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

async function importFolder(folder: string | undefined, out: string | undefined): Promise<boolean> {
  if (folder === undefined || out === undefined) {
    throw new UsageError(
      'gatehouse venue import takes a folder and a file: gatehouse venue import ./imdf venue.geojson',
    )
  }
  const files = await filesOf(folder)
  const isGtfs = [...files.keys()].some((name) => name === 'stops.txt')
  const { collection, problems } = isGtfs ? importGtfs(files) : importImdf(files)
  if (problems.length > 0) console.error(formatProblems(problems))
  if (problems.some(isError)) return false
  if (collection.features.length === 0) {
    console.error(`Nothing in ${folder} has a place on a map: nothing was written.`)
    return false
  }
  await writeFile(out, `${JSON.stringify(collection, null, 2)}\n`)
  console.log(`${isGtfs ? 'GTFS' : 'IMDF'}: ${collection.features.length} features written to ${out}.`)
  return true
}

async function filesOf(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch(() => {
    throw new UsageError(`${folder} is no folder that can be read: check the path.`)
  })
  const wanted = names.filter((name) => ['.txt', '.geojson', '.json'].includes(extname(name)))
  return new Map(
    await Promise.all(wanted.map(async (name) => [name, (await readNamed(join(folder, name))).toString()] as const)),
  )
}

async function readNamed(path: string): Promise<Buffer> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new UsageError(`${path} is no file that can be read: check the path.`)
  return readFile(path)
}
