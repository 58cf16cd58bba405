/**
 * Restores a backup on a machine whose box is stopped. The archive is unpacked and checked as a whole before any file is put in
 * place.
 */
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Keys, openArchive } from '../backup/decryption.ts'
import { BackupError, type BackupManifest, DATA } from '../backup/manifest.ts'
import { putInPlace } from '../backup/put-in-place.ts'
import { unpackBackup } from '../backup/unpack.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { readEvent } from '../event/event.ts'
import { beginIncarnation } from '../feed/sources/sqlite/new-incarnation.ts'
import { openDb, settleLedger } from '../ledger/db.ts'
import { beginNewIncarnation } from '../ledger/identity.ts'
import { openLedger } from '../ledger/open.ts'
import { replaceRestoredBox, wasInMesh } from '../mesh/membership/replace.ts'

export interface RestorePlace {
  dataDir: string
  /** The path for the event folder, if nothing is there yet. */
  eventDir: string
  /** Unix ms. */
  now: () => number
  /** Move the contents of the data folder aside; otherwise a folder that has a ledger is refused. */
  replace: boolean
  actor: string
  /** Without, an encrypted archive is refused. */
  keys?: Keys
}

export interface Restored {
  manifest: BackupManifest
  /** Folder with the former contents of the data folder. */
  movedTo: string | undefined
  /** True if an event folder existed already; it was not changed. */
  keptEvent: boolean
  /** The id of the box now: a new one if it was one of several. */
  boxId: string
}

/**
 * A box that was one of several gets a new id: the others have more of its journal than the backup,
 * and its new entries would make a second version of the same log. It takes the old id's place in the list of boxes.
 * @throws BackupError if it is not a backup, was damaged, does not open with these keys, or belongs to another event than the folder; LedgerFileError if its
 *   ledger cannot be opened. Nothing is changed then
 */
export async function restoreBackup(archive: string, place: RestorePlace): Promise<Restored> {
  const { dataDir, eventDir, now, replace, actor, keys } = place
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const ledger = join(dataDir, 'ledger.db')
  const occupied = existsSync(ledger)
  if (occupied && !replace) {
    throw new BackupError(`${dataDir} has a ledger already: name another data folder, or move it aside with --replace.`)
  }
  if (!settleLedger(ledger)) throw new BackupError(`The box of ${dataDir} is running: stop it first.`)

  const staging = await mkdtemp(join(dataDir, 'restore-'))
  try {
    const bytes = createReadStream(archive, { highWaterMark: 256 * 1024 })
    const opened = openArchive(bytes, archive, keys)
    const manifest = await opened
      .then((plain) => unpackBackup(plain, archive, staging))
      .catch((error) => {
        throw error.code === 'EACCES' && error.path === archive ? unreadable(archive, error) : error
      })
    await requireItsEvent(manifest.event_id, eventDir)
    const boxId = await beginAnotherLife(join(staging, DATA), { manifest, now, actor })
    return { manifest, boxId, ...(await putInPlace(staging, { dataDir, eventDir, now: now() })) }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** For an archive that the box's user may not read: backups are private files of the user who made or copied them. */
function unreadable(archive: string, cause: Error): BackupError {
  const message = `${archive} cannot be read by the box's user: give it to that user, on the appliance with "chown gatehouse ${archive}".`
  return new BackupError(message, { cause })
}

/** Checks that ledger and folder belong to the same event: otherwise the box would not open. */
async function requireItsEvent(eventId: string, eventDir: string): Promise<void> {
  if (!existsSync(eventDir)) return
  const found = await readEvent(eventDir).then(
    ({ id }) => `holds "${id}"`,
    (error) => `cannot be used: ${error.message}`,
  )
  if (found === `holds "${eventId}"`) return
  throw new BackupError(
    `The backup is of the event "${eventId}", and ${eventDir} ${found}. On the appliance, put the folder of "${eventId}" on the card first, and start the board with it; elsewhere, name another folder with GATEHOUSE_EVENT_DIR.`,
  )
}

/** Begins a new incarnation: scanners and receivers may have positions from after the backup, which are invalid now. */
async function beginAnotherLife(
  dataDir: string,
  { manifest, now, actor }: { manifest: BackupManifest; now: () => number; actor: string },
): Promise<string> {
  const by = { ...COMMAND_LINE, actor }
  const path = join(dataDir, 'ledger.db')
  // A backup of an older version gets this one's tables.
  openDb(path).close()
  const boxId = wasInMesh(path) ? await replaceRestoredBox(dataDir, { eventId: manifest.event_id, by, now }) : undefined
  const { ledger } = openLedger({ dataDir, eventId: manifest.event_id, wallClock: now })
  try {
    beginNewIncarnation(ledger.db, now)
    const { made_at, entries } = manifest
    await ledger.commit(() => ledger.append('restore', { ...by, backup_made_at: made_at, backup_entries: entries }))
  } finally {
    ledger[Symbol.dispose]()
  }
  beginIncarnation(path, now())
  settleLedger(path)
  return boxId ?? manifest.box_id
}
