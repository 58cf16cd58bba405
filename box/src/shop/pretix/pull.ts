/**
 * Reads pretix all the time: every order once, then what was changed, and now and then every order again. What a page says and how
 * far it was read are one transaction, so that a crash at any moment neither loses nor repeats anything that counts. No scan waits
 * for pretix.
 */
import { coded } from '@gatehouse/proto/said.ts'
import type { ShopNotice } from '@gatehouse/proto/wire/shop.ts'
import type { Event } from '../../event/event.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Logger } from '../../log.ts'
import type { CodeReader } from '../../tickets/codes.ts'
import { readSignedCode } from '../../tickets/pretix-sig1.ts'
import type { Tickets } from '../../tickets/tickets.ts'
import { KeyStock } from '../key-stock.ts'
import { RowStore } from '../rows.ts'
import type { PretixApi } from './api.ts'
import { CatalogReader, catalogOf, type ShopCatalog } from './catalog.ts'
import type { ShopConnection } from './connection.ts'
import { PretixError } from './errors.ts'
import type { PretixMapping } from './mapping.ts'
import { backoffOf, nextStep } from './next-step.ts'
import { noticesOf } from './notices.ts'
import { PullRuns } from './runs.ts'
import { comparisonWantedAt, keptCatalog, NO_STATUS, readStatus, type ShopStatus, writeStatus } from './state.ts'

export interface PullDeps {
  api: PretixApi
  connection: ShopConnection
  mapping: PretixMapping
  event: Event
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** True if people were scanned a moment ago. */
  areScanned?: () => boolean
}

/** The event is near from so long before it begins until so long after it ends. */
const BEFORE_MS = 6 * 3_600_000
const AFTER_MS = 3 * 3_600_000
/** After a scan the doors are taken to be open for so long, whatever the event's times. */
const SCANNED_MS = 1_800_000
/** A status that has not changed is written so often. */
const STATUS_MS = 10_000
/** After an answer that pretix asks for fewer requests, polls stay slower for so long. */
const SLOWER_FOR_MS = 600_000
const NOTHING_KNOWN_MS = 60_000

/** The name of the shop's rows and of its journal entries. */
export function sourceOf({ url, organizer, event }: Pick<ShopConnection, 'url' | 'organizer' | 'event'>): string {
  return `pretix/${new URL(url).host}/${organizer}/${event}`
}

export class Pull implements AsyncDisposable {
  readonly #deps: PullDeps
  readonly #catalogs: CatalogReader
  readonly #runs: PullRuns
  readonly #ending = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #shop: ShopCatalog | undefined
  #catalogAt: number | null = null
  #changesAt: number | null = null
  #scannedAt = Number.NEGATIVE_INFINITY
  #failures = 0
  #isHinted = false
  #slower = { times: 1, until: 0 }
  #status: ShopStatus
  #writtenAt = 0
  #wake: () => void = () => {}

  constructor(deps: PullDeps) {
    this.#deps = deps
    const { api, connection, event, ledger, codes } = deps
    this.#catalogs = new CatalogReader(api, connection, event)
    const rows = new RowStore(ledger.db)
    const source = sourceOf(connection)
    const files = keptCatalog(ledger.db, source)
    this.#shop = files && catalogOf(files, connection, event)
    this.#runs = new PullRuns({ ...deps, rows, keys: new KeyStock(codes), source }, () => this.#shop)
    this.#status = { ...NO_STATUS, ...readStatus(ledger.db) }
  }

  /** Asks until it is disposed. */
  start(): void {
    this.#running = this.#loop()
  }

  /** Asks for changes at once: somebody says that there are some. */
  poke(): void {
    this.#changesAt = null
    this.#wake()
  }

  /**
   * A caller that proves nothing says that there are changes: pretix is asked as soon as it would be near the doors, and while it fails
   * not before its next turn.
   */
  hint(): void {
    if (this.#isHinted || this.#failures > 0) return
    this.#isHinted = true
    this.#wake()
  }

  /** See `LateTickets`. */
  bring(code: string): Promise<void> | undefined {
    return this.#runs.standIns.bring(code)
  }

  isSigned(code: string): boolean {
    return readSignedCode(code, this.#shop?.signers ?? []) !== undefined
  }

  /** Of a series, as they were last read; null for an event without dates. */
  get dates(): ShopCatalog['dates'] | undefined {
    return this.#shop?.dates
  }

  /** Notices about pretix or the mapping that need a person; none before the first answer. */
  get notices(): readonly ShopNotice[] {
    return this.#shop ? noticesOf(this.#shop, this.#deps.mapping) : []
  }

  get status(): ShopStatus {
    return this.#status
  }

  /** One step, or the wait for it. @returns how long to wait before the next one, in ms */
  async step(): Promise<number> {
    const { now, ledger } = this.#deps
    const state = this.#runs.state()
    const step = nextStep({
      ...{ now: now(), state, catalogAt: this.#catalogAt, changesAt: this.#changesAt },
      ...{ isNear: this.#isHinted || this.#isNear(), wantedAt: comparisonWantedAt(ledger.db), digest: this.#digest() },
      slower: now() < this.#slower.until ? this.#slower.times : 1,
    })
    if (step.do === 'wait') return step.ms
    try {
      await this.#do(step.do)
      this.#succeeded()
      return 0
    } catch (error) {
      if (this.#ending.signal.aborted) return 0
      return this.#failed(error as Error)
    }
  }

  /** Ends the client too. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    this.#wake()
    await this.#deps.api[Symbol.asyncDispose]()
    await this.#running
  }

  async #loop(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const ms = await this.step()
      if (ms > 0) await this.#sleep(ms)
      else await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #do(what: 'catalog' | 'changes' | 'full' | 'check'): Promise<void> {
    const { now } = this.#deps
    if (what === 'catalog') {
      this.#shop = await this.#catalogs.read()
      await this.#runs.takeCatalog(this.#shop)
      this.#catalogAt = now()
      return
    }
    const shop = this.#shop
    if (!shop) return
    if (what === 'changes') {
      const began = now()
      this.#isHinted = false
      await this.#runs.changes(shop)
      this.#changesAt = began
    } else if (what === 'full') await this.#runs.fullPage(shop, this.#digest() ?? '')
    else await this.#runs.checkMissing(shop)
  }

  #digest(): string | undefined {
    return this.#shop && `${this.#deps.mapping.digest}${this.#shop.digest}`
  }

  #isNear(): boolean {
    const { event, now, areScanned } = this.#deps
    if (areScanned?.() === true) this.#scannedAt = now()
    if (now() - this.#scannedAt < SCANNED_MS) return true
    return now() > Date.parse(event.starts_at) - BEFORE_MS && now() < Date.parse(event.ends_at) + AFTER_MS
  }

  #succeeded(): void {
    this.#failures = 0
    const { clockDifferenceMs } = this.#runs
    this.#say({ askedAt: this.#deps.now(), error: null, since: null, clockDifferenceMs })
  }

  /** @returns how long to wait */
  #failed(error: Error): number {
    const { now, logger } = this.#deps
    const isKnown = error instanceof PretixError
    this.#failures++
    if (isKnown && error.kind === 'busy') {
      this.#slower = { times: this.#slower.until > now() ? this.#slower.times * 2 : 2, until: now() + SLOWER_FOR_MS }
    }
    const message = isKnown ? error.message : 'The box could not take what pretix says: see its log.'
    if (this.#status.error !== message) {
      if (isKnown) logger.warn({ event: 'shop_pretix', kind: error.kind, problem: message })
      else logger.error({ event: 'shop_pretix', err: error })
    }
    const codes = isKnown ? error.coded : [coded('box_fails')]
    this.#say({ ...this.#status, error: message, coded: [...codes], since: this.#status.since ?? now() })
    if (isKnown && !error.isPassing) return NOTHING_KNOWN_MS
    return Math.max(backoffOf(this.#failures), (isKnown && error.retryAfterMs) || 0)
  }

  #say(status: ShopStatus): void {
    const { ledger, now } = this.#deps
    const isOld = now() - this.#writtenAt >= STATUS_MS
    const isNew = this.#status.error !== status.error
    this.#status = status
    if (!isOld && !isNew) return
    this.#writtenAt = now()
    try {
      writeStatus(ledger.db, status)
    } catch {
      // A full disk, or another process that writes for long: the next step says it again.
      this.#writtenAt = 0
    }
  }
}
