/**
 * Makes a backup: the whole box at one moment, in one file. The box may be running; the copy of the ledger is
 * one snapshot, and no scan waits.
 *
 * It contains the authority's keys and the admin token: an attacker with the file has the box, unless it is encrypted (encryption.ts).
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, lstat, mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { packTar, type TarSource } from 'modern-tar/fs'
import packageJson from '../../package.json' with { type: 'json' }
import { copyLedger, openDb, settleLedger } from '../ledger/db.ts'
import { ownerOf } from '../ledger/owner.ts'
import { type BackedUpFile, type BackupManifest, DATA, EVENT, FORMAT, MANIFEST } from './manifest.ts'

/**
 * Left out: the ledger's own files (its snapshot replaces them), files that each start makes again (the evacuation sheet, which may have
 * names in it, and the search index, which has them, among them), the copy of a rehearsal, what belongs to another event, state of the last run, and the
 * key for which the other boxes encrypt what they send to this one: a restored box is another one, and a stolen backup opens nothing new.
 */
const LEFT_OUT =
  /^((ledger|search)\.db(-wal|-shm|-journal|-redo|-box|-changefeed)?|feed\/(state(\/.*)?|changefeed\.yaml)|nats(\/.*)?|evacuation(\/.*)?|(own|rehearsal)(\/.*)?|mesh-encryption\.key|(backup|restore|replaced|join)-[^/]*(\/.*)?|.*\.(new|part))$/

/** Files that all boxes of an event share. */
const SHARED = /^(admin-token|keys\.json|ca\/authority\.pem)$/

export interface BackupPlace {
  dataDir: string
  eventDir: string
  /** Unix ms. */
  now: number
  /** For a box that joins the event: leaves out everything that belongs to this box only. */
  shared?: boolean
}

export interface StagedBackup {
  /** Folder with all of its files, which do not change any more. */
  folder: string
  manifest: BackupManifest
  /** `gatehouse-<event>-<box>-<time>.backup.tar.gz` */
  name: string
}

/**
 * Copies the ledger and the files beside it into a separate folder, where nothing changes any more. Takes as much space
 * as the ledger, until `discard`.
 * @throws LedgerFileError when there is no ledger
 */
export async function stageBackup({ dataDir, eventDir, now, shared = false }: BackupPlace): Promise<StagedBackup> {
  await removeForgotten(dataDir, now)
  const staging = await mkdtemp(join(dataDir, 'backup-'))
  try {
    await mkdir(join(staging, DATA), { mode: 0o700 })
    const ledger = join(staging, DATA, 'ledger.db')
    copyLedger(join(dataDir, 'ledger.db'), ledger)
    await copyFolder(dataDir, join(staging, DATA), (path) => (shared ? SHARED.test(path) : !LEFT_OUT.test(path)))
    if (shared) forgetOwnKeys(ledger)
    await copyFolder(eventDir, join(staging, EVENT), () => true)

    const { eventId, boxId, entries } = ownerOf(ledger)
    const files = await listFiles(staging)
    const made_at = new Date(now).toISOString()
    const manifest: BackupManifest = {
      ...{ format: FORMAT, event_id: eventId, box_id: boxId, made_at, entries, files },
      software: `gatehouse/${packageJson.version}`,
    }
    await writeFile(join(staging, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    const name = `gatehouse-${eventId}-${boxId}-${made_at.slice(0, 19).replaceAll(/[:-]/g, '')}.backup.tar.gz`
    return { folder: staging, manifest, name }
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  }
}

/** The gzipped archive, produced as fast as it is read. */
export function archiveOf({ folder, manifest }: StagedBackup): Readable {
  const paths = [MANIFEST, ...manifest.files.map(({ path }) => path)]
  const sources: TarSource[] = paths.map((path) => ({ type: 'file', source: join(folder, path), target: path }))
  return packTar(sources).compose(createGzip({ level: 4 }))
}

export async function discard({ folder }: StagedBackup): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/** Writes an archive durably to `path`, or leaves no file under that name. */
export async function writeBackup(archive: Readable, path: string, signal?: AbortSignal): Promise<void> {
  const unfinished = `${path}.part`
  try {
    const file = createWriteStream(unfinished, { mode: 0o600, flush: true })
    await pipeline(archive, file, signal ? { signal } : {})
    await rename(unfinished, path)
    // fsync, because a USB stick may be pulled out as soon as the command has ended.
    const folder = await open(dirname(path), 'r')
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Path below `root`, size and digest of every file there, sorted by path. */
export async function listFiles(root: string): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = []
  for (const path of await pathsIn(root)) {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of createReadStream(join(root, path), { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
    files.push({ path, bytes, sha256: hash.digest('hex') })
  }
  return files
}

/** Removes the folders of backups that a power cut interrupted. A backup in progress is less than an hour old. */
async function removeForgotten(dataDir: string, now: number): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith('backup-')) continue
    const { mtimeMs } = await lstat(join(dataDir, name))
    if (now - mtimeMs > 3_600_000) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Removes the key of this box's log, with which another box could sign in its name, and the state of its change feed. */
function forgetOwnKeys(path: string): void {
  const db = openDb(path, 'none')
  try {
    db.secrets.set({ log_seed: undefined })
  } finally {
    db.close()
  }
  settleLedger(path)
}

async function copyFolder(from: string, to: string, wanted: (path: string) => boolean): Promise<void> {
  for (const path of (await pathsIn(from)).filter(wanted)) {
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
    await copyFile(join(from, path), join(to, path))
  }
}

/** Regular files only: a link could point anywhere, and a socket has no content. */
async function pathsIn(root: string, below = ''): Promise<string[]> {
  const paths: string[] = []
  for (const name of (await readdir(join(root, below))).sort()) {
    const path = below === '' ? name : `${below}/${name}`
    const there = await lstat(join(root, path)).catch(() => undefined)
    if (there?.isDirectory() && !LEFT_OUT.test(path)) paths.push(...(await pathsIn(root, path)))
    else if (there?.isFile()) paths.push(path)
  }
  return paths
}
