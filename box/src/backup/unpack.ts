/**
 * Unpacks a backup. An attacker controls every byte of the archive: names are checked against a pattern before a file is made,
 * links and devices are refused, and only files that the manifest names with their digest are used.
 */
import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { unpackTar } from 'modern-tar/fs'
import { ownerOf } from '../ledger/owner.ts'
import { listFiles } from './backup.ts'
import { BOUNDS, UnpackBudget } from './bounds.ts'
import { BackupError, type BackupManifest, DATA, isNamed, MANIFEST, mismatch, readManifest } from './manifest.ts'

/**
 * Unpacks an archive, and uses only the files that its manifest names.
 * @param from the archive's bytes, which nobody has checked
 * @param archive what messages call it
 * @param bounds how much it may unpack to; beyond that it is refused, before more is written
 * @throws BackupError if it is not a backup, or was changed or damaged; a system error if the disk fails
 */
export async function unpackBackup(
  from: Readable,
  archive: string,
  staging: string,
  bounds = BOUNDS,
): Promise<BackupManifest> {
  const disk = await statfs(staging)
  const unpacked = new UnpackBudget(archive, { bounds, room: disk.bavail * disk.bsize })
  const unpacking = unpackTar(staging, {
    strict: true,
    fmode: 0o600,
    dmode: 0o700,
    filter: ({ type, name, size }) => {
      if (type !== 'file' || !isNamed(name))
        throw new BackupError(`${archive} contains something that is never in a backup.`)
      unpacked.admit(name, size)
      return true
    },
  })
  try {
    await pipeline(from, unpacked.packed(), createGunzip(), unpacked.unpacked(), unpacking)
  } catch (cause) {
    if (cause instanceof BackupError) throw cause
    if ((cause as NodeJS.ErrnoException).syscall) throw cause
    throw new BackupError(`${archive} is not a backup, or is cut short: copy it again.`, { cause })
  }
  const text = await readFile(join(staging, MANIFEST), 'utf8').catch(() => {
    throw new BackupError(`${archive} is not a backup of a box.`)
  })
  const manifest = readManifest(text)
  const wrong = mismatch(
    manifest,
    (await listFiles(staging)).filter(({ path }) => path !== MANIFEST),
  )
  if (wrong) throw new BackupError(`${archive} was changed after it was made: ${wrong}.`)
  const { eventId, boxId, entries } = ownerOf(join(staging, DATA, 'ledger.db'))
  if (eventId !== manifest.event_id || boxId !== manifest.box_id || entries !== manifest.entries) {
    throw new BackupError(
      `${archive} was changed after it was made: its ledger is not the one that its manifest describes.`,
    )
  }
  return manifest
}
