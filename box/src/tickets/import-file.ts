/** Imports a file beside people being scanned, wherever they are: in this process or in another one. */
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import { type ImportDeps, type ImportOptions, importTickets } from './import-tickets.ts'
import type { StagingThreads } from './staging/thread.ts'

/** A smaller file is imported in this thread: another one would take longer to start. */
const SMALL = 64 * 1024

export type ImportFileDeps = Omit<ImportDeps, 'stager'> & { staging: StagingThreads }

/** @throws as `importTickets` */
export async function importFile(file: Buffer, options: ImportOptions, deps: ImportFileDeps): Promise<ImportReport> {
  if (file.length < SMALL) return await importTickets(file, options, deps)
  await using stager = deps.staging.open()
  return await importTickets(file, options, { ...deps, stager })
}
