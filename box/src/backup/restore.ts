/**
 * Puts a backup back on a machine whose box is not running. The archive is unpacked and checked as a whole before anything of
 * it is in place; the ledger comes last, so that a power cut leaves either no ledger or all of it.
 *
 * What an attacker controls: every byte of the archive. So its names are held against a pattern before a file is made, links
 * and devices are no part of it, and nothing is believed that the manifest does not name with its digest.
 */
import { createReadStream, existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { unpackTar } from 'modern-tar/fs'
import { settleLedger } from '../db.ts'
import { readEvent } from '../event/event.ts'
import { beginNewLife } from '../feed/sources/sqlite/new-life.ts'
import { COMMAND_LINE } from '../http/actor.ts'
import { beginNewIncarnation } from '../ledger/identity.ts'
import { openLedger } from '../ledger/open.ts'
import { ownerOf } from '../ledger/owner.ts'
import { takePlace, wasOneOfSeveral } from '../mesh/join/replace.ts'
import { listFiles } from './backup.ts'
import { BackupError, type BackupManifest, DATA, EVENT, isNamed, MANIFEST, mismatch, readManifest } from './manifest.ts'

export interface RestorePlace {
  dataDir: string
  /** Where the event folder goes, when nothing is there. */
  eventDir: string
  /** Unix ms. */
  now: () => number
  /** Move what is in the data folder aside; without it, a folder with a ledger in it is refused. */
  replace: boolean
  actor: string
}

export interface Restored {
  manifest: BackupManifest
  /** Where what was there before is now. */
  movedTo: string | undefined
  /** An event folder was there already, and is as it was. */
  keptEvent: boolean
  /** What the box is called now: another name where it was one of several. */
  boxId: string
}

/**
 * A box that was one of several comes back as another one: its neighbours have heard more of its journal than the backup has,
 * and what it wrote now would be a second record of one log. It takes the old one's place in their list.
 * @throws BackupError for an archive that is none, not as it was made, or of another event than the folder; LedgerFileError for a ledger that cannot be opened.
 *   Nothing is changed then
 */
export async function restoreBackup(archive: string, place: RestorePlace): Promise<Restored> {
  const { dataDir, eventDir, now, replace, actor } = place
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
    const manifest = await unpackBackup(bytes, archive, staging).catch((error) => {
      throw error.code === 'EACCES' && error.path === archive ? unreadable(archive, error) : error
    })
    await requireItsEvent(manifest.event_id, eventDir)
    const boxId = await beginAnotherLife(join(staging, DATA), { manifest, now, actor })
    return { manifest, boxId, ...(await putInPlace(staging, { dataDir, eventDir, now: now() })) }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** A copy of a backup is its owner's alone, and the box's own user is none of those who copy. */
function unreadable(archive: string, cause: Error): BackupError {
  const message = `${archive} cannot be read by the box's user: give it to that user, on the appliance with "chown gatehouse ${archive}".`
  return new BackupError(message, { cause })
}

/** The ledger of one event with the folder of another would never open. */
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

/**
 * What is in `staging`, durably, to where the box reads it; what was there before goes aside. The ledger last, so that a power
 * cut leaves either no ledger or all of it.
 */
export async function putInPlace(
  staging: string,
  { dataDir, eventDir, now }: { dataDir: string; eventDir: string; now: number },
): Promise<{ movedTo: string | undefined; keptEvent: boolean }> {
  await syncTree(staging)
  const keptEvent = existsSync(eventDir)
  if (!keptEvent && existsSync(join(staging, EVENT))) await moveFolder(join(staging, EVENT), eventDir)
  const occupied = existsSync(join(dataDir, 'ledger.db'))
  const movedTo = occupied ? await moveAside(dataDir, now) : undefined
  const data = join(staging, DATA)
  for (const name of (await readdir(data)).sort(ledgerLast)) {
    // Left by a start that never got as far as a ledger.
    if (!occupied) await rm(join(dataDir, name), { recursive: true, force: true })
    await rename(join(data, name), join(dataDir, name))
  }
  await sync(dataDir)
  return { movedTo, keptEvent }
}

/**
 * Unpacks an archive, and believes nothing of it that its manifest does not name.
 * @param from the archive's bytes, from anybody
 * @param archive what messages call it
 * @throws BackupError for an archive that is none, or not as it was made; an error of the system for a disk that fails
 */
export async function unpackBackup(from: Readable, archive: string, staging: string): Promise<BackupManifest> {
  const problem: { name?: string } = {}
  const unpacking = unpackTar(staging, {
    strict: true,
    fmode: 0o600,
    dmode: 0o700,
    filter: ({ type, name }) => {
      if (type === 'file' && isNamed(name)) return true
      problem.name ??= name
      return false
    },
  })
  try {
    await pipeline(from, createGunzip(), unpacking)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall) throw cause
    throw new BackupError(`${archive} is no backup, or is cut short: copy it again.`, { cause })
  }
  if (problem.name !== undefined) throw new BackupError(`${archive} has something in it that no backup has.`)
  const text = await readFile(join(staging, MANIFEST), 'utf8').catch(() => {
    throw new BackupError(`${archive} is no backup of a box.`)
  })
  const manifest = readManifest(text)
  const wrong = mismatch(
    manifest,
    (await listFiles(staging)).filter(({ path }) => path !== MANIFEST),
  )
  if (wrong) throw new BackupError(`${archive} is not as it was made: ${wrong}.`)
  const { eventId, boxId, entries } = ownerOf(join(staging, DATA, 'ledger.db'))
  if (eventId !== manifest.event_id || boxId !== manifest.box_id || entries !== manifest.entries) {
    throw new BackupError(`${archive} is not as it was made: its ledger is another one than it says.`)
  }
  return manifest
}

/** What came after the backup may have been seen by scanners and receivers: none of their positions may be believed again. */
async function beginAnotherLife(
  dataDir: string,
  { manifest, now, actor }: { manifest: BackupManifest; now: () => number; actor: string },
): Promise<string> {
  const by = { ...COMMAND_LINE, actor }
  const path = join(dataDir, 'ledger.db')
  const boxId = wasOneOfSeveral(path) ? await takePlace(dataDir, { eventId: manifest.event_id, by, now }) : undefined
  const { ledger } = openLedger({ dataDir, eventId: manifest.event_id, wallClock: now })
  try {
    beginNewIncarnation(ledger.db, now)
    const { made_at, entries } = manifest
    await ledger.commit(() => ledger.append('restore', { ...by, backup_made_at: made_at, backup_entries: entries }))
  } finally {
    ledger[Symbol.dispose]()
  }
  beginNewLife(path, now())
  settleLedger(path)
  return boxId ?? manifest.box_id
}

async function moveAside(dataDir: string, now: number): Promise<string> {
  const aside = join(dataDir, `replaced-${new Date(now).toISOString().slice(0, 19).replaceAll(/[:-]/g, '')}`)
  await mkdir(aside, { mode: 0o700 })
  // The ledger first: were the power cut in between, a ledger with another's authority beside it must not start.
  for (const name of (await readdir(dataDir)).sort(ledgerLast).reverse()) {
    if (!/^(restore|replaced|backup|join)-/.test(name)) await rename(join(dataDir, name), join(aside, name))
  }
  await sync(dataDir)
  return aside
}

function ledgerLast(a: string, b: string): number {
  const isLedger = (name: string) => Number(name.startsWith('ledger.db'))
  return isLedger(a) - isLedger(b) || (a < b ? -1 : 1)
}

/** Event and data may be on two file systems: all of it is there under that name, or nothing. */
async function moveFolder(from: string, to: string): Promise<void> {
  const unfinished = `${to}.part`
  await mkdir(dirname(to), { recursive: true })
  await rm(unfinished, { recursive: true, force: true })
  await cp(from, unfinished, { recursive: true })
  await syncTree(unfinished)
  await rename(unfinished, to)
  await sync(dirname(to))
}

async function syncTree(root: string): Promise<void> {
  for (const name of await readdir(root, { recursive: true })) {
    await sync(join(root, name))
  }
  await sync(root)
}

/** A file, or the names in a folder. */
async function sync(path: string): Promise<void> {
  const opened = await open(path, 'r')
  await opened.sync().finally(() => opened.close())
}
