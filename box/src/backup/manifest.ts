/** What a backup says of itself, and whether the files that came with it are the ones that it names. Pure. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

export const FORMAT = 'gatehouse-backup/1'

/** Every other name in the archive is a path below one of these two folders. */
export const MANIFEST = 'manifest.json'
export const DATA = 'data'
export const EVENT = 'event'

/** Relative, with `/`; no empty part, no `.` or `..`, nothing that another system would read as a drive or a separator. */
const PATH = '^(data|event)(/(?!\\.{1,2}(/|$))[A-Za-z0-9._ ()+@-]{1,120}){1,8}$'

export const BackupManifest = Type.Object(
  {
    format: Type.Literal(FORMAT),
    event_id: Type.String({ minLength: 1, maxLength: 128 }),
    box_id: Type.String({ minLength: 1, maxLength: 128 }),
    /** ISO 8601 */
    made_at: Type.String({ minLength: 1, maxLength: 40 }),
    software: Type.String({ maxLength: 80 }),
    /** Journal entries in it. */
    entries: Type.Integer({ minimum: 0 }),
    files: Type.Array(
      Type.Object(
        {
          path: Type.String({ pattern: PATH }),
          bytes: Type.Integer({ minimum: 0 }),
          sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 10_000 },
    ),
  },
  { additionalProperties: false },
)
export type BackupManifest = Static<typeof BackupManifest>
export type BackedUpFile = BackupManifest['files'][number]

/** Whether a file of an archive may have this name. */
export function isNamed(path: string): boolean {
  return path === MANIFEST || NAMES.test(path)
}
const NAMES = new RegExp(PATH)

/** The archive cannot be restored; the message says why. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** @throws BackupError for anything that is no manifest of this format */
export function readManifest(text: string): BackupManifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new BackupError('This is no backup of a box: its manifest is no JSON.', { cause })
  }
  const format = (value as { format?: unknown } | null)?.format
  if (typeof format === 'string' && format.startsWith('gatehouse-backup/') && format !== FORMAT) {
    throw new BackupError(
      `This backup has the form ${format}: restore it with the Gatehouse that made it, or a newer one.`,
    )
  }
  if (!Value.Check(BackupManifest, value)) throw new BackupError('This is no backup of a box: its manifest is not one.')
  const names = new Set(value.files.map(({ path }) => path.toLowerCase()))
  if (names.size !== value.files.length)
    throw new BackupError('This backup names a file twice: it is not as it was made.')
  if (!names.has(`${DATA}/ledger.db`)) throw new BackupError('This backup has no ledger in it.')
  return value
}

/** What is wrong with the files that were found, against those that are named; undefined when nothing is. */
export function mismatch(manifest: BackupManifest, found: readonly BackedUpFile[]): string | undefined {
  const named = new Map(manifest.files.map((file) => [file.path, file]))
  for (const { path, bytes, sha256 } of found) {
    const file = named.get(path)
    if (!file) return `${path} does not belong to it`
    if (file.bytes !== bytes || file.sha256 !== sha256) return `${path} is not as it was`
    named.delete(path)
  }
  const [missing] = named.keys()
  return missing === undefined ? undefined : `${missing} is missing`
}
