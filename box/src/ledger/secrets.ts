/**
 * The secrets of a ledger: in a file beside it that only the box's own user may read. The ledger itself is read by the change feed,
 * which is a user of its own on the appliance, and must not have them.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { LedgerFileError } from './db-errors.ts'

export const SECRETS_FILE = 'keys.json'
const FORMAT = 'gatehouse-keys/1'

/** Each of them is described in `identity.ts` and `tickets/shared-ref.ts`. */
export const SECRET_NAMES = ['signing_seed', 'log_seed', 'ref_key', 'ticket_key'] as const
export type SecretName = (typeof SECRET_NAMES)[number]

const Hex = Type.String({ pattern: '^([0-9a-f]{2}){1,64}$' })
const File = Type.Object(
  {
    format: Type.Literal(FORMAT),
    signing_seed: Type.Optional(Hex),
    log_seed: Type.Optional(Hex),
    ref_key: Type.Optional(Hex),
    ticket_key: Type.Optional(Hex),
  },
  { additionalProperties: false },
)

export interface Secrets {
  /** @returns undefined where it was never set @throws LedgerFileError for a file that cannot be read */
  get(name: SecretName): Buffer | undefined
  /**
   * Sets some of them, all in one step and safe on the disk when it returns; `undefined` removes one. Whoever writes holds the ledger's
   * write lock, so that two processes do not make two sets of keys.
   */
  set(values: { readonly [name in SecretName]?: Buffer | undefined }): void
}

/** @param ledger path of the ledger */
export function secretsBeside(ledger: string): Secrets {
  const path = join(dirname(ledger), SECRETS_FILE)
  return {
    get(name) {
      const value = read(path)[name]
      return value === undefined ? undefined : Buffer.from(value, 'hex')
    },
    set(values) {
      const hex = Object.entries(values).map(([name, value]) => [name, value?.toString('hex')])
      replace(path, `${JSON.stringify({ ...read(path), ...Object.fromEntries(hex) })}\n`)
    },
  }
}

/** In the table `identity` from a move until nothing of what was moved is in the write-ahead log any more. */
const MOVED = 'keys_moved'

/**
 * Moves the secrets of a ledger of version 0.1, which has them in its table `identity`, to the file beside it: first there and then
 * out of here, so that a power cut in between loses none and the next opening finishes. Nothing of them is left in the ledger's bytes.
 * @throws LedgerFileError where the file has another ledger's: they would be lost, or this ledger would sign with one of them
 */
export function takeSecretsOut(sqlite: Database, secrets: Secrets): void {
  const names = SECRET_NAMES.map((name) => `'${name}'`).join(', ')
  const there = sqlite.prepare(`SELECT count(*) FROM identity WHERE name IN (${names}, '${MOVED}')`).pluck()
  if (there.get() === 0) return
  // Freed bytes are overwritten.
  sqlite.pragma('secure_delete = ON')
  const move = sqlite.transaction(() => {
    const select = sqlite.prepare(`SELECT name, value FROM identity WHERE name IN (${names})`)
    const rows = select.all() as { name: SecretName; value: Buffer }[]
    if (rows.length === 0) return
    const own = new Map(rows.map(({ name, value }) => [name, value]))
    if (!areOf(own, secrets)) throw new LedgerFileError(FOREIGN)
    secrets.set(Object.fromEntries(own))
    // The table as a whole: earlier versions of these rows may be in its unused bytes.
    sqlite.exec(`
      CREATE TEMP TABLE kept AS SELECT name, value FROM main.identity WHERE name NOT IN (${names}, '${MOVED}');
      DELETE FROM main.identity;
      INSERT INTO main.identity SELECT name, value FROM kept;
      INSERT INTO main.identity VALUES ('${MOVED}', x'01');
      DROP TABLE kept;`)
  })
  move.immediate()
  // Refused while another process reads: then the next opening does it, and this one does not wait.
  const patience = sqlite.pragma('busy_timeout', { simple: true })
  sqlite.pragma('busy_timeout = 0')
  const [{ busy } = { busy: 1 }] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  if (busy === 0) sqlite.exec(`DELETE FROM identity WHERE name = '${MOVED}'`)
  sqlite.pragma(`busy_timeout = ${patience}`)
  sqlite.pragma('secure_delete = OFF')
}

const FOREIGN = `${SECRETS_FILE} beside this ledger of version 0.1 has another ledger's keys, and this one has its own inside: move ${SECRETS_FILE} away, to the ledger that it belongs to, and start again.`

/**
 * True if the file has nothing but what this ledger has: nothing at all, or all of it, after a power cut. The key of shared refs may
 * be there already, since it is the event's.
 */
function areOf(own: ReadonlyMap<SecretName, Buffer>, secrets: Secrets): boolean {
  return SECRET_NAMES.every((name) => {
    const there = secrets.get(name)
    const here = own.get(name)
    if (there === undefined || here?.equals(there)) return true
    return name === 'ticket_key' && here === undefined && secrets.get('signing_seed') !== undefined
  })
}

function read(path: string): Static<typeof File> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return { format: FORMAT }
    const why = code === undefined ? 'is damaged' : `cannot be read (${code})`
    throw new LedgerFileError(`${path}, which has the keys of the ledger, ${why}. Restore a backup of this box.`, {
      cause,
    })
  }
  if (Value.Check(File, value)) return value
  const message = `${path} does not have the keys of a ledger of this version. Restore a backup of this box.`
  throw new LedgerFileError(message)
}

/** As `replaceDurably` does, within the transaction of whoever calls it. */
function replace(path: string, text: string): void {
  const unfinished = `${path}.new`
  rmSync(unfinished, { force: true })
  const file = openSync(unfinished, 'wx', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
