/** The event's folder as the guide writes it: one file, replaced as a whole, and only if nobody has changed it meanwhile. */
import { createHash } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnEvent } from '../config.ts'
import { createDurably, type FileAccess, readIfThere, replaceDurably } from '../durable-file.ts'
import { GatehouseError } from '../errors.ts'
import { rewriteJson } from './rewrite.ts'

export interface EventText {
  /** Undefined where there is no file. */
  text: string | undefined
  /** SHA-256 of the file, hex. */
  revision: string | null
}

export async function readEventText(folder: string): Promise<EventText> {
  const text = await readIfThere(join(folder, 'event.json'))
  return { text, revision: text === undefined ? null : revisionOf(text) }
}

export function revisionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * The text of event.json with this content; what has not changed stays as people have written it.
 * @param before as it was read
 */
export function textOf(event: unknown, before: string | undefined): string {
  try {
    return rewriteJson(before, event)
  } catch {
    // The file before was no JSON: there is nothing in it to keep.
    return rewriteJson(undefined, event)
  }
}

/** @throws GatehouseError `conflict` where the folder cannot be written */
export async function writeEventText(folder: string, text: string): Promise<void> {
  const path = join(folder, 'event.json')
  try {
    await mkdir(folder, { recursive: true })
    await replaceDurably(path, text, await accessOf(path))
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'it failed'
    throw new GatehouseError(
      'conflict',
      `The file ${path} cannot be written (${why}): make its folder writable for the box.`,
      {
        cause,
      },
    )
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
