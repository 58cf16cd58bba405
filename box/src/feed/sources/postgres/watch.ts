/** Logs changes of slot and publication, which are polled: each state once, until it changes. */
import type { SinkLog } from '../../sink.ts'
import type { Situation } from './catalog.ts'
import type { PostgresOptions } from './options.ts'
import { missingTables } from './preflight.ts'

export class Watch {
  readonly #options: PostgresOptions
  readonly #log: SinkLog
  #tables: string | undefined
  #slot = 'well'

  constructor(options: PostgresOptions, log: SinkLog) {
    this.#options = options
    this.#log = log
  }

  look({ slot, publication }: Situation): void {
    if (publication) {
      const tables = publication.allTables ? 'all' : publication.tables.join(', ')
      if (this.#tables !== undefined && tables !== this.#tables) {
        const fields = { publication: this.#options.publication.name, were: this.#tables, are: tables }
        const configuredButMissing = missingTables(this.#options, publication)
        this.#log.warn({ event: 'publication_changed', ...fields, configuredButMissing })
      }
      this.#tables = tables
    }
    if (!slot) return
    const { walStatus, safeWalBytes, retainedWalBytes } = slot
    const state =
      walStatus === 'unreserved' || walStatus === 'lost'
        ? walStatus
        : walStatus === 'extended' || retainedWalBytes > this.#options.retainedWarnBytes
          ? 'growing'
          : 'well'
    if (state === this.#slot) return
    this.#slot = state
    const fields = { slot: this.#options.slot.name, walStatus, retainedWalBytes, safeWalBytes }
    if (state === 'well') this.#log.info({ event: 'slot_well', ...fields })
    else if (state === 'growing') this.#log.warn({ event: 'slot_retains_wal', ...fields })
    else this.#log.error({ event: state === 'lost' ? 'slot_lost' : 'slot_about_to_be_lost', ...fields })
  }
}
