/**
 * A backup: everything that this box is, as it was at one moment, in one file. Made beside a running box; the ledger's copy is
 * one snapshot of it, and no scan waits.
 *
 * It holds the keys of the authority and the admin token: whoever has the file has the box.
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
import { copyLedger, openDb, settleLedger } from '../db.ts'
import { forgetLogSeed } from '../ledger/identity.ts'
import { ownerOf } from '../ledger/owner.ts'
import { type BackedUpFile, type BackupManifest, DATA, EVENT, FORMAT, MANIFEST } from './manifest.ts'

/** What the copy of the ledger stands for, what is made anew at each start, and what belongs to this machine's last run. */
const LEFT_OUT =
  /^(ledger\.db(-wal|-shm|-journal)?|feed\/(state(\/.*)?|changefeed\.yaml)|nats(\/.*)?|(backup|restore|replaced|join)-[^/]*(\/.*)?|.*\.(new|part))$/

/** What every box of an event has in common. */
const SHARED = /^(admin-token|ca\/authority\.pem)$/

export interface BackupPlace {
  dataDir: string
  eventDir: string
  /** Unix ms. */
  now: number
  /** Only what a box that joins the event is to have: nothing that is this box's alone. */
  shared?: boolean
}

export interface StagedBackup {
  /** Where everything of it is, and stays as it is. */
  folder: string
  manifest: BackupManifest
  /** `gatehouse-<event>-<box>-<time>.backup.tar.gz` */
  name: string
}

/**
 * Copies the ledger and everything beside it into a folder of its own, where nothing changes any more. Takes as much room
 * again as the ledger has, until `discard` gives it back.
 * @throws LedgerFileError when there is no ledger
 */
export async function stageBackup({ dataDir, eventDir, now, shared = false }: BackupPlace): Promise<StagedBackup> {
  await removeForgotten(dataDir, now)
  const staging = await mkdtemp(join(dataDir, 'backup-'))
  try {
    await mkdir(join(staging, DATA), { mode: 0o700 })
    const ledger = join(staging, DATA, 'ledger.db')
    copyLedger(join(dataDir, 'ledger.db'), ledger)
    if (shared) forgetOwnKeys(ledger)
    await copyFolder(dataDir, join(staging, DATA), (path) => (shared ? SHARED.test(path) : !LEFT_OUT.test(path)))
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

/** The archive, gzipped; made as fast as it is taken. */
export function archiveOf({ folder, manifest }: StagedBackup): Readable {
  const paths = [MANIFEST, ...manifest.files.map(({ path }) => path)]
  const sources: TarSource[] = paths.map((path) => ({ type: 'file', source: join(folder, path), target: path }))
  return packTar(sources).compose(createGzip({ level: 4 }))
}

export async function discard({ folder }: StagedBackup): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/** Writes the archive to `path`: all of it and on the disk, or no file of that name. */
export async function writeBackup(backup: StagedBackup, path: string, signal?: AbortSignal): Promise<void> {
  const unfinished = `${path}.part`
  try {
    const file = createWriteStream(unfinished, { mode: 0o600, flush: true })
    await pipeline(archiveOf(backup), file, signal ? { signal } : {})
    await rename(unfinished, path)
    // A stick may be pulled out as soon as the command has ended.
    const folder = await open(dirname(path), 'r')
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Path below `root`, size and digest of every file there, in one order. */
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

/** A power cut in the middle of a backup leaves its folder behind. One that is being made is not an hour old. */
async function removeForgotten(dataDir: string, now: number): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith('backup-')) continue
    const { mtimeMs } = await lstat(join(dataDir, name))
    if (now - mtimeMs > 3_600_000) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

/** With the key of this box's log, another box could sign in its name. What a feed follows here is no other box's either. */
function forgetOwnKeys(path: string): void {
  const db = openDb(path, 'none')
  try {
    forgetLogSeed(db)
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

/** Regular files alone: a link might lead anywhere, and a socket nowhere. */
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
