/** Imports a file beside people being scanned, wherever they are: in this process or in another one. */
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import { type KeptMatch, MOST_TIERS_MATCHED } from '@gatehouse/proto/wire/import-columns.ts'
import { headerOf } from './import/look.ts'
import { sameHeader } from './import/match.ts'
import { type ImportDeps, type ImportOptions, importTickets } from './import-tickets.ts'
import { keepMatch, readKept } from './kept-columns.ts'
import type { StagingThreads } from './staging/thread.ts'

/** A smaller file is imported in this thread: another one would take longer to start. */
const SMALL = 64 * 1024

export type ImportFileDeps = Omit<ImportDeps, 'stager'> & {
  staging: StagingThreads
  /** Folder of the event, or of the event that the guide is about to make: matches of columns are kept there. */
  columnsDir: string
  /** Unix ms. */
  now: () => number
}

/**
 * A match of columns by which tickets were imported is kept for the next file; a preview keeps none.
 *
 * @throws as `importTickets`
 */
export async function importFile(
  file: Buffer,
  options: Omit<ImportOptions, 'kept'>,
  deps: ImportFileDeps,
): Promise<ImportReport> {
  const { files, mistake } = await readKept(deps.columnsDir)
  const report = await stagedImport(file, { ...options, kept: files }, deps)
  const { matched, dry_run, added, changed, unchanged } = report
  const isKept = matched && !dry_run && added + changed + unchanged > 0
  const warning = isKept ? await keep(file, { options, files }, deps) : matched && mistake
  if (!warning) return report
  const { warnings, warned = [] } = report
  // The sentence names a path and an error of the box's machine.
  const coded = { code: isKept ? 'columns_not_kept' : 'columns_unreadable' }
  return {
    ...report,
    warnings: [...warnings, warning],
    warned: [...warned, { text: warning, rows: [], count: 0, coded }],
  }
}

/** @returns a sentence where it could not be kept */
async function keep(
  file: Buffer,
  { options: { match, tierMap }, files }: { options: Omit<ImportOptions, 'kept'>; files: readonly KeptMatch[] },
  { columnsDir, now }: ImportFileDeps,
): Promise<string | undefined> {
  const header = headerOf(file)
  const before = files.findLast((one) => sameHeader(one.header, header))
  const chosen = Object.entries(tierMap)
  const used = match ?? before?.match
  if (!used || (!match && chosen.length === 0)) return undefined
  const earlier = before?.tiers.filter(({ product }) => tierMap[product] === undefined) ?? []
  const tiers = [...earlier, ...chosen.map(([product, tier]) => ({ product, tier }))].slice(-MOST_TIERS_MATCHED)
  return keepMatch(columnsDir, { kept_at: new Date(now()).toISOString(), header, match: used, tiers })
}

async function stagedImport(file: Buffer, options: ImportOptions, deps: ImportFileDeps): Promise<ImportReport> {
  if (file.length < SMALL) return await importTickets(file, options, deps)
  await using stager = deps.staging.open()
  return await importTickets(file, options, { ...deps, stager })
}
