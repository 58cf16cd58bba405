/** Moves unpacked files to where the box reads them. */
import { existsSync } from 'node:fs'
import { cp, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DATA, EVENT } from './manifest.ts'

/**
 * Moves the files of `staging` durably to where the box reads them, and the former files aside. The ledger is last, so that a power
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
  // Of a ledger that somebody took away.
  await rm(join(dataDir, 'ledger.db-redo'), { force: true })
  for (const name of (await readdir(data)).sort(ledgerLast)) {
    // Left by a start that did not reach the point where it makes a ledger.
    if (!occupied) await rm(join(dataDir, name), { recursive: true, force: true })
    await rename(join(data, name), join(dataDir, name))
  }
  await sync(dataDir)
  return { movedTo, keptEvent }
}

async function moveAside(dataDir: string, now: number): Promise<string> {
  const aside = join(dataDir, `replaced-${new Date(now).toISOString().slice(0, 19).replaceAll(/[:-]/g, '')}`)
  await mkdir(aside, { mode: 0o700 })
  // The ledger first: after a power cut in between, a box must not start on a ledger with another box's authority beside it.
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

/** Copies, because event and data may be on two file systems, and then renames: the folder is complete, or absent. */
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
