/**
 * Copies the organiser's event, a folder or an archive of one, from the boot partition to the folder that the box reads. If the event has
 * mistakes, the previous one stays in place: a gate with yesterday's event is better than a gate without one.
 */

import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { unpackTar } from 'modern-tar'
import { coded } from '../../proto/said.ts'
import type { SettingCode } from './forms.ts'

/** Why an event was not copied: in words that follow its name, and as a code for apps, whose sentence mentions the name too. */
export interface WhyNot {
  text: string
  coded: SettingCode
}

const LARGEST = 64 * 1024 * 1024
/** An event has a few files, and each entry of an archive costs memory even if it is empty. */
const MOST_FILES = 1000
/** Files of an event. All others in a folder or archive are ignored, such as those that macOS adds. */
const NAMES = /^(event\.json|venue\.geojson|[\w. -]{1,80}\.(csv|json|geojson))$/

/**
 * @param from folder or archive (.zip, .tar, .tar.gz, .tgz) on the boot partition
 * @param to the event folder
 * @param check returns the mistakes in an event's folder, or undefined
 * @returns why the event was not copied; undefined when it is in place
 */
export async function bringEvent(
  from: string,
  to: string,
  check: (folder: string) => Promise<WhyNot | undefined>,
): Promise<WhyNot | undefined> {
  const staging = await mkdtemp(join(dirname(to), 'event-'))
  try {
    const files = await readFiles(from)
    if (files.size === 0) return { text: 'holds no event.json', coded: coded('event_empty') }
    // The event in place has been checked before. Checking takes a board seconds, and writing wears the card.
    if (await isThere(files, to)) return undefined
    for (const [name, bytes] of files) await writeFile(join(staging, name), bytes)
    const wrong = await check(staging)
    if (wrong !== undefined) return wrong
    const old = `${to}.old`
    await rm(old, { recursive: true, force: true })
    await rename(to, old).catch(() => {})
    await rename(staging, to)
    await rm(old, { recursive: true, force: true })
    return undefined
  } catch (error) {
    const { message } = error as Error
    if (error instanceof Unreadable) return { text: message, coded: error.coded }
    return { text: `cannot be read: ${message}`, coded: coded('event_unreadable', { why: message }) }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function isThere(files: ReadonlyMap<string, Uint8Array>, folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  if (names.length !== files.size) return false
  for (const [name, bytes] of files) {
    const kept = await readFile(join(folder, name)).catch(() => undefined)
    if (!kept?.equals(bytes)) return false
  }
  return true
}

class Unreadable extends Error {
  readonly coded: SettingCode

  constructor(message: string, code: SettingCode) {
    super(message)
    this.coded = code
  }
}

async function readFiles(from: string): Promise<Map<string, Uint8Array>> {
  const there = await stat(from).catch(() => undefined)
  if (!there) throw new Unreadable('is not on this partition', coded('event_absent'))
  if (there.isDirectory()) {
    const names = (await readdir(from)).filter((name) => NAMES.test(name))
    const files = new Map<string, Uint8Array>()
    let total = 0
    for (const name of names) {
      total += (await stat(join(from, name))).size
      if (total > LARGEST) throw new Unreadable('is larger than 64 MB', coded('event_large', { most: 64 }))
      files.set(name, await readFile(join(from, name)))
    }
    return files.has('event.json') ? files : new Map()
  }
  if (there.size > LARGEST) throw new Unreadable('is larger than 64 MB', coded('event_large', { most: 64 }))
  return flat(await entriesOf(from, await readFile(from)))
}

async function entriesOf(from: string, bytes: Buffer): Promise<[string, Uint8Array][]> {
  if (/\.zip$/i.test(from)) {
    let total = 0
    let count = 0
    const unzipped = unzipSync(bytes, {
      filter: ({ originalSize }) => {
        total += originalSize
        if (total > LARGEST) throw tooLarge()
        if (++count > MOST_FILES) throw tooMany()
        return true
      },
    })
    return Object.entries(unzipped)
  }
  if (/\.(tar\.gz|tgz|tar)$/i.test(from)) {
    const tar = /\.tar$/i.test(from) ? bytes : gunzipped(bytes)
    let count = 0
    const filter = () => {
      if (++count > MOST_FILES) throw tooMany()
      return true
    }
    const entries = await unpackTar(new Uint8Array(tar), { strict: true, filter })
    return entries.flatMap(({ header, data }) => (header.type === 'file' && data ? [[header.name, data]] : []))
  }
  throw new Unreadable('is not a folder, and no .zip, .tar or .tar.gz', coded('event_kind'))
}

const tooLarge = () => new Unreadable('unpacks to more than 64 MB', coded('event_large', { most: 64 }))
const tooMany = () => new Unreadable(`has more than ${MOST_FILES} files`, coded('event_files', { most: MOST_FILES }))

function gunzipped(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : error
  }
}

/** The files of an event by name: those beside event.json, in whichever folder of the archive it is. */
function flat(entries: readonly [string, Uint8Array][]): Map<string, Uint8Array> {
  const home = entries
    .map(([path]) => path.replace(/^\.\//, ''))
    .find((path) => /(^|\/)event\.json$/.test(path) && !path.startsWith('__MACOSX/'))
  if (home === undefined) return new Map()
  const folder = home.slice(0, -'event.json'.length)
  const files = new Map<string, Uint8Array>()
  for (const [path, bytes] of entries) {
    const clean = path.replace(/^\.\//, '')
    const name = clean.slice(folder.length)
    if (clean.startsWith(folder) && NAMES.test(name)) files.set(name, bytes)
  }
  return files
}
