/**
 * Imports a file's tickets into the ledger: all of them or none. Tickets are recognised by their code: known ones are updated, new
 * ones are inserted, and those that the file does not contain stay as they are. No import changes a passage, so none can make a
 * used ticket valid again.
 *
 * The rows are written where nobody sees them, become visible in one short step, and then move to where they belong. Scans wait
 * for that one step alone.
 */
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { By } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import { CALM, type Pace } from './staging/pace.ts'
import { publishImport } from './staging/publish.ts'
import { discardImport, type Staged, type StageOptions, settleImport, stageTickets } from './staging/stage.ts'
import type { TicketDeps } from './tickets.ts'

export interface ImportOptions extends StageOptions {
  by: By
}

export interface ImportDeps extends Omit<TicketDeps, 'now'> {
  event: Event
  /** Reads and writes the rows; in this thread when absent. */
  stager?: Stager
}

/** Does what takes long: in this thread, or in one beside it (`staging/thread.ts`). */
export interface Stager {
  /** @throws GatehouseError */
  stage(file: Uint8Array, options: StageOptions): Promise<Staged>
  /** Moves the rows of the import that counts. */
  settle(): Promise<void>
  discard(id: number): Promise<void>
}

/** While the shop's feed changes the same tickets all the time, it is given up. */
const MOST_TIMES = 5

/** @throws GatehouseError `bad_request` when nothing of the file can be used; `conflict`; `ledger_unavailable` */
export async function importTickets(file: Uint8Array, options: ImportOptions, deps: ImportDeps): Promise<ImportReport> {
  const { by, ...stageOptions } = options
  const { ledger } = deps
  const stager = deps.stager ?? stagerHere(deps)
  for (let times = 0; times < MOST_TIMES; times++) {
    // An import that was interrupted after it had become visible comes first.
    await stager.settle()
    const staged = await stager.stage(file, stageOptions)
    const { id, report } = staged
    if (options.dryRun || (id === undefined && staged.products.length === 0)) return report
    options.onProgress?.('write', 0)
    let isPublished = false
    try {
      isPublished = await ledger.commit(() => publishImport(staged, by, deps), { patient: true })
    } finally {
      if (!isPublished && id !== undefined) await stager.discard(id)
    }
    if (!isPublished) continue
    await stager.settle()
    options.onProgress?.('write', 1)
    return report
  }
  throw new GatehouseError(
    'conflict',
    'Nothing was imported, because something else kept changing these tickets. Wait until the other import or the shop is done, and import the file again.',
    { reason: 'tickets_busy' },
  )
}

/** Reads and writes in this thread: scans get their turns in between. */
export function stagerHere({ event, ledger, tickets, codes }: Omit<ImportDeps, 'stager'>, pace: Pace = CALM): Stager {
  const deps = { db: ledger.db, event, tickets, codes, pace }
  return {
    stage: (file, options) => stageTickets(file, options, deps),
    settle: () => settleImport(deps),
    discard: (id) => discardImport(id, deps),
  }
}
