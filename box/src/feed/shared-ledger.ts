/**
 * Shares the ledger, and the folder `feed` with the feed's own files, with a change feed that is another user of the machine, as on
 * the appliance. Everything else in the data directory, and so every key, stays with the box's user alone.
 *
 * The feed writes to the ledger, because its slot and its position in the change log are there. It may make no file beside it: SQLite's
 * own two are made by the box, which has the ledger open before the feed finds them.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import type { FileAccess } from '../durable-file.ts'
import type { Logger } from '../log.ts'

/** The group of the feed's user, to which the box's user belongs too; undefined where both are one. */
export type FeedGroup = number | undefined

/**
 * The group, where this process may give files to it. Gates open without a change feed: a group that cannot be used is logged, and
 * the ledger stays the box's alone.
 */
export function usableFeedGroup(group: FeedGroup, logger: Logger): FeedGroup {
  if (group === undefined) return undefined
  const probe = mkdtempSync(join(tmpdir(), 'gatehouse-group-'))
  try {
    chownSync(probe, -1, group)
    return group
  } catch (error) {
    const remedy = 'Add the user of the box to GATEHOUSE_FEED_GROUP; the change feed cannot read the ledger until then.'
    logger.error({ event: 'feed_group_unusable', group, remedy, err: error as Error })
    return undefined
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}

/** The files that the box makes for its feed: it reads them, and cannot change them. */
export function readableByFeed(group: FeedGroup): FileAccess | undefined {
  return group === undefined ? undefined : { mode: 0o640, group }
}

/**
 * Gives the feed's group what it needs; again at each start, because files that were made or put back since are the box's alone.
 * @param dataDir of a box whose ledger is open
 * @param root the folder above it, or itself, from which on the folders are the box's own: the feed goes through them
 * @throws where the box's user does not belong to the group
 */
export function shareWithFeed(dataDir: string, group: FeedGroup, root: string = dataDir): void {
  if (group === undefined) return
  const give = (path: string, mode: number) => giveTo(group, path, mode)
  // To go through, and not to see what is there.
  const below = relative(root, dataDir).split(sep)
  for (let depth = 0; depth <= below.length; depth++) give(join(root, ...below.slice(0, depth)), 0o710)
  const ledger = join(dataDir, 'ledger.db')
  // The lock of the feed, which could not make it here.
  closeSync(openSync(`${ledger}-changefeed`, 'a', 0o660))
  for (const suffix of ['', '-wal', '-shm', '-changefeed']) giveByName(group, `${ledger}${suffix}`, 0o660)
  const feed = join(dataDir, 'feed')
  const state = join(feed, 'state')
  mkdirSync(state, { recursive: true, mode: 0o700 })
  give(feed, 0o750)
  give(state, 0o770)
  for (const name of readdirSync(feed)) if (name !== 'state') give(join(feed, name), 0o640)
  // Of a version whose feed was the same user as the box.
  for (const name of readdirSync(state)) give(join(state, name), 0o660)
}

/**
 * SQLite's files are never opened here: closing one ends every lock of this process on it, and the next program takes the ledger for one
 * that nobody has open. By their names nothing else can be meant: only the box makes files in this folder.
 */
function giveByName(group: number, path: string, mode: number): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there?.isFile() || !isOwn(there)) return
  lchownSync(path, there.uid, group)
  chmodSync(path, mode)
}

/**
 * Leaves alone what the feed has made, which is its own already. By an open file and not by its name: the feed could put a link to a
 * key in its place.
 */
function giveTo(group: number, path: string, mode: number): void {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  let file: number
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    // Not there, a link, or the feed's.
    if (/^(ENOENT|ELOOP|EACCES|ENXIO)$/.test((error as NodeJS.ErrnoException).code ?? '')) return
    throw error
  }
  try {
    const there = fstatSync(file)
    if (!isOwn(there)) return
    fchownSync(file, there.uid, group)
    fchmodSync(file, mode)
  } finally {
    closeSync(file)
  }
}

/** Of the box's user, and with no second name in another folder. */
function isOwn(there: Stats): boolean {
  return there.uid === process.getuid?.() && !(there.isFile() && there.nlink > 1)
}
