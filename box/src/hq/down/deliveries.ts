/**
 * What a source delivers, from the batch to the disk: read, applied in its order, and answered for only once it is on disk.
 * One delivery of a source at a time; another waits. Initial loads come the same way, and hold the changes up meanwhile.
 */
import type { ChangeEvent } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { comparePositions, parseLsn } from '../../feed/lsn.ts'
import type { Logger } from '../../log.ts'
import type { Applied, ApplyDeps } from './application.ts'
import { applyChanges, applyLoaded, positionOf, readAgain, removeStanding } from './apply.ts'
import { BatchError, readChange, type ShopChange } from './event.ts'

export interface DeliveriesDeps extends ApplyDeps {
  logger: Logger
}

/** A part of an initial load; `end` has no rows, and says up to where the database was read, and when. */
export type LoadStep = { step: 'begin' } | { step: 'rows' } | { step: 'end'; lsn: string; at: number }

/** Changes in one transaction: what a feed sends at once, and no more than scans wait for. */
const CHANGES_AT_ONCE = 500
/** Nobody waits for a load, and everybody at the gates for each of its transactions. */
const LOADED_AT_ONCE = 200

/** A load that was not heard of for so long was given up. */
const LOAD_GIVEN_UP_MS = 60_000

export class Deliveries {
  readonly #deps: DeliveriesDeps
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps
  }

  /**
   * Resolves when all of it is on disk.
   * @throws BatchError for what is no feed's; GatehouseError `ledger_unavailable`
   */
  deliver(source: string, events: readonly ChangeEvent[]): Promise<void> {
    return this.#inTurn(source, () => this.#deliver(source, events))
  }

  /** @throws BatchError, GatehouseError, as `deliver` */
  load(source: string, step: LoadStep, events: readonly ChangeEvent[]): Promise<void> {
    return this.#inTurn(source, () => this.#load(source, step, events))
  }

  /**
   * Reads every row that could not be applied once more; `all` of them, where the mapping has changed.
   * @returns how many could not be applied again
   */
  retry(source: string, all: boolean): Promise<number> {
    return this.#inTurn(source, () => this.#inPages((after) => readAgain(source, { after, all }, this.#deps)))
  }

  /** Reads everything anew that was read by another mapping. */
  async followMapping(): Promise<void> {
    const { rows, mapping, ledger, logger } = this.#deps
    for (const source of rows.sourcesReadOtherwise(mapping.digest)) {
      await this.retry(source, true)
      await ledger.commit(() => rows.saveSource({ ...rows.source(source), mapping: mapping.digest }))
      logger.info({ event: 'shop_mapping_followed', source })
    }
  }

  #inTurn<T>(source: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(source) ?? Promise.resolve()).then(work)
    this.#last.set(
      source,
      turn.catch(() => {}),
    )
    return turn
  }

  async #deliver(source: string, events: readonly ChangeEvent[]): Promise<void> {
    const { rows, now, mapping } = this.#deps
    const { loadingAt } = rows.source(source)
    if (loadingAt !== null && now() - loadingAt < LOAD_GIVEN_UP_MS) {
      throw new BatchError('The shop is being loaded: changes are taken again when that is done.')
    }
    // All of it, before any of it: a batch that no feed has made changes nothing.
    const changes = events.map((event) => readChange(event, mapping))
    for (const part of partsOf(changes)) {
      const [first] = part
      if (first?.op === 'truncate') await this.#truncate(source, first)
      await this.#commit(source, keysFor(source, part, this.#deps), () => applyChanges(source, part, this.#deps))
    }
  }

  /** In pages, since a whole table may be more than scans can wait for. Cut short, it comes again. */
  async #truncate(source: string, { position, table }: ShopChange): Promise<void> {
    const { rows } = this.#deps
    await this.#inPages((after) => {
      const at = positionOf(rows.source(source))
      if (at && comparePositions(position, at) <= 0) return undefined
      return removeStanding(source, { table, after }, this.#deps)
    })
  }

  /** @returns how many rows could not be applied */
  async #inPages(page: (after: number) => { last: number; applied: Applied } | undefined): Promise<number> {
    let problems = 0
    for (let after = 0; ; ) {
      const from = after
      const done = await this.#deps.ledger.commit(() => page(from))
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
    // What the shop no longer has.
    await this.#inPages((after) => removeStanding(source, { before: load, after }, this.#deps))
    await ledger.commit(() => {
      const state = rows.source(source)
      // The feed sends everything that was committed from here on: before the first event of this position.
      rows.saveSource({ ...state, ...{ commitLsn: step.lsn, eventIndex: -1, committedAt: step.at, loadingAt: null } })
    })
    logger.info({ event: 'shop_loaded', source, not_applied: Object.fromEntries(rows.problemCounts()) })
  }

  async #commit(source: string, keys: number, work: () => Applied): Promise<void> {
    const { ledger, logger, keys: stock, rows } = this.#deps
    await stock.fill(keys)
    const applied = await ledger.commit(work)
    const loading = rows.source(source).loadingAt !== null
    // How many, and of what kind: which rows they are says "gatehouse shop problems". In a load an order may come after
    // its tickets, so that most of them are none in the end.
    if (!loading && sumOf(applied.problems) > 0) {
      logger.warn({ event: 'shop_rows_not_applied', source, ...applied.problems })
    }
  }
}

/** A truncate begins a part: what comes before it is done before it. */
function partsOf(changes: readonly ShopChange[]): ShopChange[][] {
  const parts: ShopChange[][] = []
  for (const change of changes) {
    const last = parts.at(-1)
    if (last && change.op !== 'truncate' && last.length < CHANGES_AT_ONCE) last.push(change)
    else parts.push([change])
  }
  return parts
}

function keysFor(source: string, changes: readonly ShopChange[], { rows, mapping }: ApplyDeps): number {
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
