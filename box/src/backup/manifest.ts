/** The manifest of a backup, and the check of an archive's files against it. Pure. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

export const FORMAT = 'gatehouse-backup/1'

/** All other names in the archive are paths below one of these two folders. */
export const MANIFEST = 'manifest.json'
export const DATA = 'data'
export const EVENT = 'event'

/** Relative, with `/`; no empty part, no `.` or `..`, and no character that another system treats as a drive or a separator. */
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

/** True if a file of an archive may have this name. */
export function isNamed(path: string): boolean {
  return path === MANIFEST || NAMES.test(path)
}
const NAMES = new RegExp(PATH)

/** The archive cannot be restored; the message says why. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** @throws BackupError for anything but a manifest of this format */
export function readManifest(text: string): BackupManifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new BackupError('This is not a backup of a box: its manifest is not JSON.', { cause })
  }
  const format = (value as { format?: unknown } | null)?.format
  if (typeof format === 'string' && format.startsWith('gatehouse-backup/') && format !== FORMAT) {
    throw new BackupError(
      `This backup has the form ${format}: restore it with the Gatehouse that made it, or a newer one.`,
    )
  }
  if (!Value.Check(BackupManifest, value))
    throw new BackupError('This is not a backup of a box: its manifest lacks fields, or has others.')
  const names = new Set(value.files.map(({ path }) => path.toLowerCase()))
  if (names.size !== value.files.length)
    throw new BackupError('This backup was changed after it was made: it names a file twice.')
  if (!names.has(`${DATA}/ledger.db`)) throw new BackupError('This backup has no ledger in it.')
  return value
}

/** The first mistake in the files that were found, compared with those that the manifest names; undefined if there is none. */
export function mismatch(manifest: BackupManifest, found: readonly BackedUpFile[]): string | undefined {
  const named = new Map(manifest.files.map((file) => [file.path, file]))
  for (const { path, bytes, sha256 } of found) {
    const file = named.get(path)
    if (!file) return `${path} does not belong to it`
    if (file.bytes !== bytes || file.sha256 !== sha256) return `${path} has other contents`
    named.delete(path)
  }
  const [missing] = named.keys()
  return missing === undefined ? undefined : `${missing} is missing`
}
