/** Files that a power cut leaves whole or absent, and that only the box's own user may read. */
import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes `text` to a path where nothing is yet. Returns false, and writes nothing, when another was first. */
export async function createDurably(path: string, text: string): Promise<boolean> {
  const temporary = await writeBeside(path, text)
  try {
    // A link fails where a rename would silently replace what a second process has just made.
    await link(temporary, path)
    await syncFolder(path)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Replaces what is at the path: a reader sees the old text or the new one, never a part. */
export async function replaceDurably(path: string, text: string): Promise<void> {
  const temporary = await writeBeside(path, text)
  try {
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(path)
}

/** Undefined when there is no such file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

async function writeBeside(path: string, text: string): Promise<string> {
  const temporary = `${path}.${randomUUID()}.new`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } catch (error) {
    // On a full disk, attempt after attempt would leave another name behind.
    await rm(temporary, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return temporary
}

/** Without this the name itself may be lost in a power cut, though the bytes are on disk. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
