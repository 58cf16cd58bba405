/**
 * Meanings given to the columns of earlier files: `columns.json` in the event's folder. The next file of the same columns is read by it,
 * in the control room, on the command line and at the start. People may edit it.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { KeptMatch } from '@gatehouse/proto/wire/import-columns.ts'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { readIfThere, replaceDurably } from '../durable-file.ts'
import { sameHeader } from './import/match.ts'

export const KEPT_FILE = 'columns.json'

const KeptFile = Type.Object(
  { version: Type.Literal(1), files: Type.Array(KeptMatch, { maxItems: 1000 }) },
  { additionalProperties: false },
)

/** The oldest goes: a shop changes its export, and nobody tidies up. */
const MOST_KEPT = 32
/** No hand writes more. */
const MOST_BYTES = 4 * 1024 * 1024

export interface Kept {
  /** Oldest first; none where the file cannot be used. */
  files: readonly KeptMatch[]
  /** The file's mistake, as a sentence. */
  mistake?: string
}

/** Never throws for what is in the file: an import that needs none of it goes on. */
export async function readKept(folder: string): Promise<Kept> {
  const path = join(folder, KEPT_FILE)
  const bad = (what: string): Kept => ({
    files: [],
    mistake: `${KEPT_FILE} ${what}, so no earlier match of columns is used: correct it, or remove it.`,
  })
  try {
    const text = await readIfThere(path)
    if (text === undefined) return { files: [] }
    if (text.length > MOST_BYTES) return bad('is too large')
    const json: unknown = JSON.parse(text)
    const [error] = Value.Errors(KeptFile, json)
    if (error) return bad(`has a mistake at ${error.instancePath || '/'} (${error.message})`)
    return { files: (json as Static<typeof KeptFile>).files }
  } catch (error) {
    return bad(
      error instanceof SyntaxError ? 'is not JSON' : `cannot be read (${(error as NodeJS.ErrnoException).code})`,
    )
  }
}

/**
 * Keeps one more match, in the place of one of the same columns. A file with a mistake is left as it is.
 * @returns a sentence where it could not be kept
 */
export async function keepMatch(folder: string, one: KeptMatch): Promise<string | undefined> {
  const { files, mistake } = await readKept(folder)
  if (mistake !== undefined) return `The match of the columns was not kept: ${mistake}`
  const others = files.filter(({ header }) => !sameHeader(header, one.header))
  const kept = { version: 1, files: [...others, one].slice(-MOST_KEPT) }
  try {
    await mkdir(folder, { recursive: true })
    await replaceDurably(join(folder, KEPT_FILE), `${JSON.stringify(kept, null, 2)}\n`)
    return undefined
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'it failed'
    return `The match of the columns was not kept: ${join(folder, KEPT_FILE)} cannot be written (${code}).`
  }
}
