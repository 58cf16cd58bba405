/** A list that the box answers page by page, newest first: goes on by cursor, and leaves out what is not looked for. */
import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { sentenceOf } from '../../session/answered.ts'

export interface Page<T, C> {
  rows: readonly T[]
  /** Cursor of the next page; null after the last. */
  next: C | null
}

export interface PageSource<T, C> {
  /** @param after null for the first page */
  fetch: (after: C | null) => Promise<Page<T, C>>
  keyOf: (row: T) => string | number
  /** Filters what the box has no filter for. */
  keep?: (row: T) => boolean
}

export interface Pages<T, C> {
  rows: ReadonlySignal<readonly T[]>
  /** `more`: there may be older ones. */
  state: ReadonlySignal<'loading' | 'more' | 'end' | 'failed'>
  problem: ReadonlySignal<string | null>
  /** Begins anew with another source, or the same one. What was under way is forgotten. */
  start: (source: PageSource<T, C>) => Promise<void>
  more: () => Promise<void>
  /** The first page again; what is shown stays until it is there. */
  refresh: () => Promise<void>
  /** A row that has changed meanwhile. */
  replace: (row: T) => void
}

/** Pages asked for at one press when they come back empty: then the person decides whether to go on. */
const MOST_PAGES = 12

/** @param wanted rows that one press of "more" should bring, at least */
export function pages<T, C>(wanted: number): Pages<T, C> {
  const rows = signal<readonly T[]>([])
  const state = signal<'loading' | 'more' | 'end' | 'failed'>('loading')
  const problem = signal<string | null>(null)
  let source: PageSource<T, C> | undefined
  let after: C | null = null
  let run = 0

  async function load(from: C | null, there: readonly T[]): Promise<void> {
    if (!source) return
    run += 1
    const [mine, { fetch, keyOf, keep }] = [run, source]
    batch(() => {
      state.value = 'loading'
      problem.value = null
    })
    try {
      const goal = there.length + wanted
      let [next, all] = [from, there]
      for (let asked = 0; asked < MOST_PAGES; asked += 1) {
        const page = await fetch(next)
        // The person has changed the filter, or left: this answer is to another question.
        if (mine !== run) return
        const known = new Set(all.map(keyOf))
        all = [...all, ...page.rows.filter((row) => !known.has(keyOf(row)) && (keep?.(row) ?? true))]
        next = after = page.next
        rows.value = all
        if (next === null || all.length >= goal) break
      }
      state.value = after === null ? 'end' : 'more'
    } catch (error) {
      if (mine !== run) return
      batch(() => {
        problem.value = sentenceOf(error)
        state.value = 'failed'
      })
    }
  }

  return {
    rows,
    state,
    problem,
    start(from) {
      source = from
      after = null
      rows.value = []
      return load(null, [])
    },
    more: () => (state.value === 'loading' ? Promise.resolve() : load(after, rows.value)),
    refresh: () => load(null, []),
    replace(row) {
      const key = source?.keyOf(row)
      rows.value = rows.value.map((old) => (source?.keyOf(old) === key ? row : old))
    },
  }
}
