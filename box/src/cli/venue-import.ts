/** `gatehouse venue import`: turns a folder of IMDF, GTFS or plain GeoJSON into a map, and says what its options could name. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { readEvent } from '../event/event.ts'
import { checkShape } from '../event/shape.ts'
import { UsageError } from '../usage.ts'
import { importGtfs } from '../venue/import-gtfs.ts'
import { importImdf } from '../venue/import-imdf.ts'
import { importLines, type LineRule, LineRules } from '../venue/import-lines.ts'
import { formatProblems, isError } from '../venue/problems.ts'
import type { Files, ImportedSource, ImportOptions } from '../venue/source-builder.ts'
import { textOf, textsOf, type Values } from './command.ts'

/** @returns false where the folder has nothing for a map, or an option names what it does not have; nothing is written then */
export async function importFolder(
  folder: string | undefined,
  out: string | undefined,
  values: Values,
  eventDir: string,
): Promise<boolean> {
  if (folder === undefined || out === undefined) {
    throw new UsageError(
      'gatehouse venue import takes a folder and a file: gatehouse venue import ./imdf venue.geojson',
    )
  }
  const options = optionsOf(values)
  const files = await filesOf(folder)
  const rules = textOf(values.rules)
  const isGtfs = files.has('stops.txt')
  const format = rules !== undefined ? 'GeoJSON' : isGtfs ? 'GTFS' : 'IMDF'
  const imported =
    rules !== undefined ? importLines(files, await rulesOf(rules)) : (isGtfs ? importGtfs : importImdf)(files, options)
  const { collection, problems } = imported
  if (problems.length > 0) console.error(formatProblems(problems))
  if (problems.some(isError)) return false
  if (collection.features.length === 0) {
    console.error(`${folder} contains nothing that can be put on a map: nothing was written.`)
    return false
  }
  await writeFile(out, `${JSON.stringify(collection, null, 2)}\n`)
  console.log(`${format}: ${collection.features.length} features written to ${out}.`)
  if (rules === undefined) for (const line of await hints(imported, options, eventDir)) console.log(line)
  return true
}

/** @throws UsageError */
function optionsOf(values: Values): ImportOptions {
  const language = textOf(values.language)
  const zones = textsOf(values.zone)
  const whole = zones.filter((text) => !text.includes('='))
  if (whole.length > 1) throw new UsageError('--zone without ID= is the whole venue, and can be given once.')
  const parts = zones.filter((text) => text.includes('='))
  return {
    gates: pairsOf('--gate', 'ID=GATE', textsOf(values.gate)),
    ...(whole[0] !== undefined && { zone: whole[0] }),
    ...(parts.length > 0 && { zones: pairsOf('--zone', 'ID=ZONE', parts) }),
    ...(language !== undefined && { language }),
  }
}

/** Split at the last `=`: ids of other programs may contain one, ids of an event rarely do. */
function pairsOf(option: string, form: string, texts: readonly string[]): Record<string, string> {
  const pairs = texts.map((text): [string, string] => {
    const at = text.lastIndexOf('=')
    if (at <= 0 || at === text.length - 1) throw new UsageError(`${option} takes ${form}, not "${text}".`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
  const twice = pairs.find(([id], i) => pairs.findIndex(([other]) => other === id) !== i)
  if (twice) throw new UsageError(`${option} names "${twice[0]}" twice.`)
  return Object.fromEntries(pairs)
}

/** @throws UsageError */
async function rulesOf(path: string): Promise<LineRule[]> {
  const text = (await readNamed(path)).toString()
  try {
    const json: unknown = JSON.parse(text)
    const { mistakes } = checkShape(LineRules, json)
    if (mistakes.length === 0) return json as LineRule[]
    const lines = mistakes.map(({ path: at, message }) => (at === '' ? message : `${at}: ${message}`))
    throw new UsageError(`${path} is not a list of rules:\n${lines.join('\n')}`)
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${path} is not JSON: ${error.message}`)
    throw error
  }
}

/** Longer lists are for a program that shows the files. */
const MAX_LISTED = 20

/** Everything that an option could have named and did not, with the option. */
async function hints({ found }: ImportedSource, options: ImportOptions, eventDir: string): Promise<string[]> {
  const { entrances, parts, languages } = found
  const lines: string[] = []
  const event = await readEvent(eventDir).catch(() => undefined)
  const known = (noun: string, list: readonly { id: string }[] = []) =>
    list.length > 0 ? ` ${join(eventDir, 'event.json')} has the ${noun} ${list.map(({ id }) => id).join(', ')}.` : ''
  if (Object.keys(options.gates ?? {}).length === 0) {
    lines.push(`No gate was named: entrances are gates under their own ids.${known('gates', event?.gates)}`)
    lines.push(...listed('--gate', 'GATE', entrances, 'Nothing in the folder can be a gate: draw the gates.'))
  }
  if (options.zone === undefined && options.zones === undefined) {
    lines.push(`No zone was named: every ticket is led everywhere.${known('zones', event?.zones)}`)
    lines.push('  --zone ZONE                the whole venue')
    lines.push(...listed('--zone', 'ZONE', parts))
  }
  if (options.language === undefined && languages.size > 1) {
    lines.push(`Names are in ${[...languages].map(shown).join(', ')}: --language TAG takes those in one of them.`)
  }
  return lines
}

function listed(option: string, noun: string, ids: ReadonlyMap<string, string>, none?: string): string[] {
  if (ids.size === 0) return none === undefined ? [] : [`  ${none}`]
  const lines = [...ids]
    .slice(0, MAX_LISTED)
    .map(([id, said]) => `  ${`${option} ${shown(`${id}=${noun}`)}`.padEnd(26)} ${said.replaceAll(/\p{Cc}/gu, '?')}`)
  return ids.size > MAX_LISTED ? [...lines, `  ... and ${ids.size - MAX_LISTED} more`] : lines
}

/** As a shell takes it, and without control characters, which a terminal would obey. */
function shown(text: string): string {
  const plain = text.replaceAll(/\p{Cc}/gu, '?')
  return /^[\w.:=@%/+-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`
}

async function filesOf(folder: string): Promise<Files> {
  const names = await readdir(folder).catch(() => {
    throw new UsageError(`${folder} is not a readable folder: check the path.`)
  })
  const wanted = names.filter((name) => ['.txt', '.geojson', '.json'].includes(extname(name)))
  return new Map(
    await Promise.all(wanted.map(async (name) => [name, (await readNamed(join(folder, name))).toString()] as const)),
  )
}

/** @throws UsageError where there is no such file */
export async function readNamed(path: string): Promise<Buffer> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new UsageError(`${path} is not a readable file: check the path.`)
  return readFile(path)
}
