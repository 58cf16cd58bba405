/** Notes the statements that write to a database, in their order, so that they can be run again. */
import type { Database, Statement as Prepared } from 'better-sqlite3'
import type { Statement } from './record.ts'

export class Recorder {
  #noted: Statement[] | undefined
  readonly #onOther: () => void

  /** @param onOther called before a statement that writes while nothing is recorded */
  constructor(sqlite: Database, onOther: () => void) {
    this.#onOther = onOther
    const prepare = sqlite.prepare.bind(sqlite) as (sql: string) => Prepared
    sqlite.prepare = ((sql: string) => {
      const prepared = prepare(sql)
      return prepared.readonly ? prepared : this.#noting(sql, prepared)
    }) as Database['prepare']
  }

  /** Number of statements since `begin`: to be given to `forget`. */
  get length(): number {
    return this.#noted?.length ?? 0
  }

  begin(): void {
    this.#noted = []
  }

  /** Forgets those that were undone. @param length how many stay */
  forget(length: number): void {
    if (this.#noted) this.#noted.length = length
  }

  /** @returns what was noted since `begin` */
  end(): Statement[] {
    const noted = this.#noted ?? []
    this.#noted = undefined
    return noted
  }

  /** Notes each run that has not failed; a statement that fails has changed nothing. */
  #noting(sql: string, prepared: Prepared): Prepared {
    for (const name of ['run', 'get', 'all'] as const) {
      const act = prepared[name].bind(prepared) as (...params: unknown[]) => never
      prepared[name] = (...params: unknown[]) => {
        if (!this.#noted) this.#onOther()
        const result = act(...params)
        this.#noted?.push({ sql, params })
        return result
      }
    }
    return prepared
  }
}
