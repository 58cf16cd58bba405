/** The event's folder as the guide writes it: each file is replaced as a whole, and only if nobody has changed it meanwhile. */
import { createHash } from 'node:crypto'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnEvent } from '../config.ts'
import { createDurably, type FileAccess, readIfThere, replaceDurably } from '../durable-file.ts'
import { GatehouseError } from '../errors.ts'
import { rewriteJson } from './rewrite.ts'

const EVENT_FILE = 'event.json'
export const MAP_FILE = 'venue.geojson'
type FileName = typeof EVENT_FILE | typeof MAP_FILE

export interface EventText {
  /** Undefined where there is no file. */
  text: string | undefined
  /** SHA-256 of the file, hex. */
  revision: string | null
}

export async function readEventText(folder: string, name: FileName = EVENT_FILE): Promise<EventText> {
  const text = await readIfThere(join(folder, name))
  return { text, revision: text === undefined ? null : revisionOf(text) }
}

export function revisionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * The text of a JSON file with this content; what has not changed stays as people have written it.
 * @param before as it was read
 */
export function textOf(value: unknown, before: string | undefined): string {
  try {
    return rewriteJson(before, value)
  } catch {
    // The file before was no JSON: there is nothing in it to keep.
    return rewriteJson(undefined, value)
  }
}

/** @throws GatehouseError `conflict` where the folder cannot be written */
export async function writeEventText(folder: string, text: string, name: FileName = EVENT_FILE): Promise<void> {
  const path = join(folder, name)
  try {
    await mkdir(folder, { recursive: true })
    await replaceDurably(path, text, await accessOf(path))
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'it failed'
    throw new GatehouseError(
      'conflict',
      `The file ${path} cannot be written (${why}): make its folder writable for the box.`,
      { cause, reason: 'box_cannot_write', values: { why } },
    )
  }
}

/** @throws GatehouseError `conflict` where it cannot be removed */
export async function removeFile(folder: string, name: FileName): Promise<void> {
  const path = join(folder, name)
  try {
    await rm(path, { force: true })
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'it failed'
    throw new GatehouseError('conflict', `The file ${path} cannot be removed (${why}).`, {
      cause,
      reason: 'box_cannot_write',
      values: { why },
    })
  }
}

/** Keeps the group and mode of the file, so that its readers can still read it. */
async function accessOf(path: string): Promise<FileAccess | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found || !process.getgroups?.().includes(found.gid)) return undefined
  return { mode: found.mode & 0o777, group: found.gid }
}

/**
 * Prepares the data folder of the first event of its own that a box on the demo gets. It keeps the admin token: whoever sits in
 * front of the guide stays signed in. Everything else begins anew, because the demo's ledger is the demo's.
 */
export async function prepareOwnData({ dataDir }: OwnEvent, demoDataDir: string): Promise<void> {
  const token = await readIfThere(join(demoDataDir, 'admin-token'))
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (token !== undefined) await createDurably(join(dataDir, 'admin-token'), token)
}
