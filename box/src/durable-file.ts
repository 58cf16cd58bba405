/** Files that a power cut leaves whole or absent, and that only the box's own user may read. */
import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The other reader of a file, besides the box's own user. */
export interface FileAccess {
  mode: number
  /** The number of a group to which this process belongs. */
  group: number
}

/** Writes `text` to a path that does not exist yet. Returns false, and writes nothing, if it exists. */
export async function createDurably(path: string, text: string, access?: FileAccess): Promise<boolean> {
  const temporary = await writeBeside(path, text, access)
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

/** Replaces the file: a reader sees either the old or the new text as a whole. */
export async function replaceDurably(path: string, text: string, access?: FileAccess): Promise<void> {
  const temporary = await writeBeside(path, text, access)
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

async function writeBeside(path: string, text: string, access?: FileAccess): Promise<string> {
  const temporary = `${path}.${randomUUID()}.new`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    if (access) {
      await file.chown(process.getuid?.() ?? -1, access.group)
      await file.chmod(access.mode)
    }
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

/** Syncs the folder: otherwise a power cut may lose the name, although the bytes are on disk. */
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
