/**
 * Keeps the last evacuation sheet on the disk, so that it is there when the box is not: after a power cut the file is at most a minute
 * and a half behind, opens in any browser, and prints without a network.
 *
 * A sheet without names is some ten kilobytes once a minute. Names make it long, and flash memory wears out: the longer the page, the
 * rarer it is written with names, while a page of figures beside it is written every minute all the same.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceDurably } from '../durable-file.ts'
import type { Event } from '../event/event.ts'
import { factsIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logger } from '../log.ts'
import { erasedSince, namesErased } from '../tickets/erasure.ts'
import type { EvacuationFigures } from './evacuation.ts'
import { drawEvacuation } from './evacuation-page.ts'
import type { PaperThreads } from './thread.ts'

export const EVACUATION_FOLDER = 'evacuation'
export const FIGURES_FILE = 'evacuation-sheet.html'
export const NAMES_FILE = 'evacuation-sheet-with-names.html'

const EVERY_MS = 60_000
/** Names are written at no more than this in the long run: a page of 5 MB every four minutes, 75 MB an hour at most. */
const NAMES_BYTES_PER_MS = 21

export interface KeeperDeps {
  dataDir: string
  event: Event
  ledger: Ledger
  logger: Logger
  /** Monotonic, ms. */
  monotonic: () => number
  /** Makes the figures, complete: waits until everything is counted. */
  figures: () => Promise<EvacuationFigures>
  threads: Pick<PaperThreads, 'run'>
}

export class EvacuationKeeper implements AsyncDisposable {
  readonly folder: string
  readonly #deps: KeeperDeps
  #timer: NodeJS.Timeout | undefined
  readonly #unsubscribe: () => void
  #keptAt: string | null = null
  #working: Promise<unknown> = Promise.resolve()
  #isDue = true
  /** Erasures that were published since the start: a page that was made across one is not kept. */
  #erasures = 0
  /** Entries of the journal when names were last written, and when they may be written again. */
  #namedSize = -1
  #namesNotBefore = Number.NEGATIVE_INFINITY

  constructor(deps: KeeperDeps) {
    this.#deps = deps
    this.folder = join(deps.dataDir, EVACUATION_FOLDER)
    this.#unsubscribe = deps.ledger.subscribe('later', (entries) => {
      const facts = [...factsIn(deps.ledger, entries)]
      if (facts.some(({ kind }) => kind === 'erasure' || kind === 'ticket_forgotten')) this.#forget()
    })
  }

  /** Writes a first sheet, and then one every minute. */
  start(everyMs = EVERY_MS): void {
    void this.keep()
    this.#timer = setInterval(() => void this.keep(), everyMs)
    this.#timer.unref()
  }

  /** Removes the page with names at once, also for one person: the next one lists the others. */
  #forget(): void {
    this.#erasures++
    this.#namedSize = -1
    void this.#inTurn(() => forgetNames(this.folder))
    void this.keep()
  }

  /** Time of the page on the disk, ISO 8601; null before the first one since the start. */
  get keptAt(): string | null {
    return this.#keptAt
  }

  /** Writes the sheet now. A disk that cannot be written fails scans as well, and those errors are reported. */
  keep(): Promise<void> {
    // A slow disk must not queue them up.
    if (!this.#isDue) return this.#working.then(() => {})
    this.#isDue = false
    return this.#inTurn(async () => {
      this.#isDue = true
      await this.#write().catch((error: Error) => {
        this.#deps.logger.warn({ event: 'evacuation_sheet', problem: error.message })
      })
    })
  }

  async #write(): Promise<void> {
    const { event, figures } = this.#deps
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const made = await figures()
    await replaceDurably(join(this.folder, FIGURES_FILE), drawEvacuation(made, event, undefined))
    this.#keptAt = made.made_at
    if (made.names === 'listed') await this.#writeNames(made)
    else await forgetNames(this.folder)
  }

  async #writeNames(made: EvacuationFigures): Promise<void> {
    const { ledger, threads, monotonic } = this.#deps
    const { size } = ledger
    if (size === this.#namedSize || monotonic() < this.#namesNotBefore) return
    const erasures = this.#erasures
    // The journal is asked itself: an erasure by the command line is published here a moment later.
    const isOutdated = () => erasures !== this.#erasures || namesErased(ledger.db) || erasedSince(ledger.db, size)
    const { page } = await threads.run({ task: 'evacuation', figures: made })
    if (isOutdated()) return
    await replaceDurably(join(this.folder, NAMES_FILE), page)
    // The command line may have erased a holder, and removed the page before, while this one was being written.
    if (isOutdated()) return forgetNames(this.folder)
    this.#namedSize = size
    this.#namesNotBefore = monotonic() + Buffer.byteLength(page) / NAMES_BYTES_PER_MS
  }

  #inTurn(work: () => Promise<unknown>): Promise<void> {
    const mine = this.#working.then(work)
    this.#working = mine.catch(() => {})
    return mine.then(
      () => {},
      () => {},
    )
  }

  /** Writes a last sheet, so that the page on the disk is the truth of a box that was stopped on purpose. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#unsubscribe()
    await this.keep()
  }
}

/**
 * Removes the page with names, and what a power cut has left of one that was being written: called with every erasure.
 * @param folder `evacuation` in the data folder
 */
export async function forgetNames(folder: string): Promise<void> {
  const files = existsSync(folder) ? await readdir(folder) : []
  for (const file of files) if (file.startsWith(NAMES_FILE)) await rm(join(folder, file), { force: true })
}
