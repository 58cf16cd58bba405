/** Imports the ticket file in the event's folder: once, and again only when the file has changed. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { By } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Logger } from '../log.ts'
import { readTickets } from './import/read.ts'
import { type ImportDeps, importTickets } from './import-tickets.ts'
import { readKept } from './kept-columns.ts'

/** Names of the ticket file, the first that is there being imported. */
export const FOLDER_FILES = ['tickets.csv', 'tickets.json']
/** The journal's actor for these imports, which nobody asks for. */
const FOLDER: By = { actor: 'admin', address: 'event folder' }
const SEEN = 'folder_tickets'

/** @throws GatehouseError for a file of which nothing can be used */
export async function importFolder(
  folder: string,
  { logger, ...deps }: ImportDeps & { logger: Logger },
): Promise<void> {
  const { db } = deps.ledger
  for await (const { name, file } of filesOf(folder)) {
    // A restart must not undo what an admin has imported since then.
    const digest = createHash('sha256').update(file).digest()
    if (readValue(db, SEEN)?.equals(digest)) return
    const {
      format,
      added,
      changed,
      rejected,
      warnings,
      tiers_kept = 0,
    } = await importTickets(
      file,
      { format: 'auto', tierMap: {}, kept: (await readKept(folder)).files, dryRun: false, by: FOLDER },
      deps,
    )
    db.transaction(() => writeValue(db, SEEN, digest))
    logger.info({ event: 'tickets_imported', file: name, format, added, changed, rejected: rejected.length })
    // The reasons quote the file, and so may name people: the log only says where to look.
    if (rejected.length + warnings.length + tiers_kept > 0) {
      logger.warn({ event: 'tickets_to_check', file: name, see: `gatehouse import ${name} --dry-run` })
    }
    return
  }
}

/** Reads what `importFolder` would import, without importing it. @returns why it cannot be imported; undefined if it can */
export async function checkTickets(
  folder: string,
  { tiers, timezone }: Event,
): Promise<{ name: string; problem: string } | undefined> {
  const { files: kept, mistake } = await readKept(folder)
  for await (const { name, file } of filesOf(folder)) {
    try {
      await readTickets(file, { format: 'auto', tierMap: {}, kept, tiers, timezone, pause: setImmediate })
      return undefined
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error
      return { name, problem: mistake === undefined ? error.message : `${error.message} ${mistake}` }
    }
  }
  return undefined
}

async function* filesOf(folder: string): AsyncGenerator<{ name: string; file: Buffer }> {
  for (const name of FOLDER_FILES) {
    const file = await readFile(join(folder, name)).catch((error) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    })
    if (file) yield { name, file }
  }
}
