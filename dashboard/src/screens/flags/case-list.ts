/**
 * The cases of a choice, read page by page, beside the live figures that count them. List and figures come in separate answers, and either
 * may be the older one: "no open cases" is said only where both agree.
 */
import type { Flag } from '@gatehouse/proto/wire/admin.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import { actionWords as words } from '../../words/late.ts'
import { type Page, type Pages, pages } from '../log/pages.ts'
import { type Choice, countOf } from './case.ts'

const FEW = 20

export interface CaseListOptions {
  /** The first one. */
  choice: Choice
  stats: ReadonlySignal<Pick<Stats, 'flags_by_kind'> | null>
  /** @param after null for the first page */
  fetch: (state: Choice['state'], after: string | null) => Promise<Page<Flag, string>>
}

export interface CaseList {
  choice: ReadonlySignal<Choice>
  set: (part: Partial<Choice>) => void
  cases: Pages<Flag, string>
  /** The figures count more or fewer than when the list was read. An empty list is read again by itself. */
  changed: ReadonlySignal<boolean>
  /** Stands in the place of the cases where the list ends without one. */
  none: ReadonlySignal<string>
  again: () => void
  /** One is no longer open, and everybody here knows. */
  closed: () => void
  /** Reads the list of each choice. @returns what ends it */
  follow: () => () => void
}

export function caseList({ choice: first, stats, fetch }: CaseListOptions): CaseList {
  const choice = signal(first)
  const cases = pages<Flag, string>(FEW)
  const count = computed(() => countOf(choice.value, stats.value))
  /** As many as there were when the list was read. */
  const listed = signal<number | null>(null)
  const isEmpty = computed(() => cases.state.value === 'end' && cases.rows.value.length === 0)
  /** Nothing is listed, and the figures count some. */
  const disagree = computed(() => isEmpty.value && count.value !== null && count.value > 0)
  const again = () => {
    listed.value = count.peek()
    void cases.refresh()
  }
  return {
    choice,
    set: (part) =>
      batch(() => {
        choice.value = { ...choice.value, ...part }
        listed.value = null
      }),
    cases,
    changed: computed(
      () => !isEmpty.value && count.value !== null && listed.value !== null && count.value !== listed.value,
    ),
    none: computed(() => (disagree.value ? words.list.loading : noneOf(choice.value))),
    again,
    closed: () => {
      if (choice.value.state === 'open' && listed.value !== null) listed.value -= 1
    },
    follow: () => {
      const stops = [
        effect(() => {
          const { state, kind } = choice.value
          const keep = (flag: Flag) => kind === null || flag.kind === kind
          const source = { keyOf: ({ id }: Flag) => id, keep, fetch: (after: string | null) => fetch(state, after) }
          untracked(() => void cases.start(source))
        }),
        // The figures may come after the list.
        effect(() => {
          if (count.value !== null && listed.value === null) listed.value = count.value
        }),
        whileTheyDisagree(disagree, stats, again),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

/** Once for each of the figures: where these are the older ones, the next have the answer. */
function whileTheyDisagree(disagree: ReadonlySignal<boolean>, stats: ReadonlySignal<unknown>, again: () => void) {
  let askedFor: unknown
  return effect(() => {
    const figures = stats.value
    if (!disagree.value || figures === askedFor) return
    askedFor = figures
    untracked(again)
  })
}

function noneOf({ state, kind }: Choice): string {
  return (kind === null ? words.flags.none : words.flags.noneOfKind)[state]
}
