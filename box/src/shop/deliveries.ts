/**
 * Takes a source's batches to the disk: they are read, applied in order, and acknowledged only when they are on disk. Deliveries
 * of one source take turns. An initial load comes the same way, and changes are refused meanwhile.
 */
import type { ChangeEvent } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { Turns } from '../feed/grpc/turns.ts'
import { comparePositions, parseLsn } from '../feed/lsn.ts'
import type { Logger } from '../log.ts'
import type { Applied, ApplyDeps } from './applier.ts'
import { applyChanges, applyLoaded, positionOf, readAgain, removePresent } from './apply.ts'
import { BatchError, type Change, readChange } from './event.ts'

export interface DeliveriesDeps extends ApplyDeps {
  logger: Logger
}

/** A part of an initial load; `end` has no rows, and says up to which LSN the database was read, and when. */
export type LoadStep = { step: 'begin' } | { step: 'rows' } | { step: 'end'; lsn: string; at: number }

/** Changes in one transaction: a feed's usual batch, and few enough for the scans that wait meanwhile. */
const CHANGES_AT_ONCE = 500
/** Fewer in a load: it is not urgent, and scans at the gates wait for each transaction. */
const LOADED_AT_ONCE = 200

/** A load without a step for this long is taken to be abandoned. */
const LOAD_GIVEN_UP_MS = 60_000

export class Deliveries {
  readonly #deps: DeliveriesDeps
  readonly #turns = new Turns()

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps
  }

  /**
   * Resolves when all of it is on disk.
   * @throws BatchError for a batch that no feed sends; GatehouseError `ledger_unavailable`
   */
  deliver(source: string, events: readonly ChangeEvent[]): Promise<void> {
    return this.#turns.take(source, () => this.#deliver(source, events))
  }

  /** @throws BatchError, GatehouseError, as `deliver` */
  load(source: string, step: LoadStep, events: readonly ChangeEvent[]): Promise<void> {
    return this.#turns.take(source, () => this.#load(source, step, events))
  }

  /**
   * Applies the rows with a problem again; `all` rows where the mapping has changed.
   * @returns how many still have a problem
   */
  retry(source: string, all: boolean): Promise<number> {
    return this.#turns.take(source, () => this.#inPages((after) => readAgain(source, { after, all }, this.#deps)))
  }

  /** Applies the rows of every source again that were applied with another mapping. */
  async applyNewMapping(): Promise<void> {
    const { rows, mapping, ledger, logger } = this.#deps
    for (const source of rows.sourcesOfOtherMappings(mapping.digest)) {
      await this.retry(source, true)
      await ledger.commit(() => rows.saveSource({ ...rows.source(source), mapping: mapping.digest }))
      logger.info({ event: 'shop_mapping_followed', source })
    }
  }

  async #deliver(source: string, events: readonly ChangeEvent[]): Promise<void> {
    const { rows, now, mapping } = this.#deps
    const { loadingAt } = rows.source(source)
    if (loadingAt !== null && now() - loadingAt < LOAD_GIVEN_UP_MS) {
      throw new BatchError('The shop is being loaded: changes are taken again when that is done.')
    }
    // All changes are read before any is applied: an invalid batch changes nothing.
    const changes = events.map((event) => readChange(event, mapping))
    for (const part of partsOf(changes)) {
      const [first] = part
      if (first?.op === 'truncate') await this.#truncate(source, first)
      await this.#commit(source, keysFor(source, part, this.#deps), () => applyChanges(source, part, this.#deps))
    }
  }

  /** In pages, since scans cannot wait for a whole large table. When it is interrupted, the batch comes again. */
  async #truncate(source: string, { position, table }: Change): Promise<void> {
    const { rows } = this.#deps
    await this.#inPages((after) => {
      const at = positionOf(rows.source(source))
      if (at && comparePositions(position, at) <= 0) return undefined
      return removePresent(source, { table, after }, this.#deps)
    })
  }

  /** @returns how many rows could not be applied */
  async #inPages(page: (after: number) => { last: number; applied: Applied } | undefined): Promise<number> {
    let problems = 0
    for (let after = 0; ; ) {
      const from = after
      const done = await this.#deps.ledger.commit(() => page(from), { patient: true })
      if (!done) return problems
      problems += sumOf(done.applied.problems)
      after = done.last
    }
  }

  async #load(source: string, step: LoadStep, events: readonly ChangeEvent[]): Promise<void> {
    const { ledger, rows, mapping, now, logger } = this.#deps
    if (step.step === 'begin') {
      await ledger.commit(() => {
        const state = rows.source(source)
        rows.saveSource({ ...state, load: state.load + 1, loadingAt: now(), mapping: mapping.digest })
      })
      logger.info({ event: 'shop_load_begun', source })
      return
    }
    const { load, loadingAt } = rows.source(source)
    if (loadingAt === null) throw new BatchError('No load is under way: begin one.')
    if (step.step === 'rows') {
      const changes = events.map((event) => readChange(event, mapping))
      for (let from = 0; from < changes.length; from += LOADED_AT_ONCE) {
        const part = changes.slice(from, from + LOADED_AT_ONCE).filter((change) => change.op === 'row')
        await this.#commit(source, keysFor(source, part, this.#deps), () => applyLoaded(source, part, this.#deps))
      }
      return
    }
    const lsn = parseLsn(step.lsn)
    if (lsn === undefined) throw new BatchError('The end of a load has no LSN.')
    // Rows that this load has not seen are no longer in the shop.
    await this.#inPages((after) => removePresent(source, { before: load, after }, this.#deps))
    await ledger.commit(() => {
      const state = rows.source(source)
      // Index -1: the feed sends everything from this position on, and its first event has index 0.
      rows.saveSource({ ...state, commitLsn: step.lsn, eventIndex: -1, committedAt: step.at, loadingAt: null })
    })
    logger.info({ event: 'shop_loaded', source, not_applied: Object.fromEntries(rows.problemCounts()) })
  }

  async #commit(source: string, keys: number, work: () => Applied): Promise<void> {
    const { ledger, logger, keys: stock, rows } = this.#deps
    await stock.fill(keys)
    const applied = await ledger.commit(work, { patient: true })
    const loading = rows.source(source).loadingAt !== null
    // Counts by kind; "gatehouse shop problems" lists the rows. Not during a load, where an order may come after its tickets
    // and most problems resolve.
    if (!loading && sumOf(applied.problems) > 0) {
      logger.warn({ event: 'shop_rows_not_applied', source, ...applied.problems })
    }
  }
}

/** A truncate begins a part, so that everything before it is applied before it. */
function partsOf(changes: readonly Change[]): Change[][] {
  const parts: Change[][] = []
  for (const change of changes) {
    const last = parts.at(-1)
    if (last && change.op !== 'truncate' && last.length < CHANGES_AT_ONCE) last.push(change)
    else parts.push([change])
  }
  return parts
}

function keysFor(source: string, changes: readonly Change[], { rows, mapping }: ApplyDeps): number {
  let keys = 0
  for (const change of changes) {
    if (change.op !== 'row') continue
    if (mapping.tables.get(change.table)?.tickets) keys += change.inserted ? 1 : 0
    else keys += rows.waiting(source, change)
  }
  return keys
}

function sumOf(problems: Applied['problems']): number {
  return Object.values(problems).reduce((sum, n) => sum + n, 0)
}
