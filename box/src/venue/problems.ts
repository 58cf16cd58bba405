/** What can be wrong with a map: every kind of problem, each explained in `box/docs/venue.md`. */

/** An error keeps the map from being used; a warning is allowed, and yet unlikely to be meant. */
export const SEVERITY = {
  unreadable: 'error',
  too_much: 'error',
  bad_feature: 'error',
  bad_property: 'error',
  bad_geometry: 'error',
  far_away: 'error',
  duplicate_id: 'error',
  unknown_zone: 'error',
  unknown_gate: 'error',
  unknown_checkpoint: 'error',
  unknown_node: 'error',
  dangling_node: 'error',
  no_paths: 'error',
  far_from_paths: 'error',
  unreachable: 'error',
  checkpoint_without_place: 'error',
  left_out: 'warning',
  guessed: 'warning',
  unknown_property: 'warning',
  unknown_category: 'warning',
  empty_path: 'warning',
  zone_not_drawn: 'warning',
  border_elsewhere: 'warning',
  open_border: 'warning',
  unconnected: 'warning',
  steps_only: 'warning',
} as const

export type ProblemKind = keyof typeof SEVERITY

export interface Problem {
  readonly kind: ProblemKind
  /** `amenity "wc-1"`, or `features[12]` where there is no kind or no id to go by; empty for the file as a whole. */
  readonly feature: string
  /** One sentence, without a control character that a terminal would obey. */
  readonly message: string
}

/** A hostile file can hold a million; nobody reads more than these. */
export const MOST_PROBLEMS = 1000

export const isError = ({ kind }: Problem): boolean => SEVERITY[kind] === 'error'

/** One line a problem, as in `error: amenity "wc-1": 80 m from the nearest path ...` */
export function formatProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ kind, feature, message }) => `${SEVERITY[kind]}: ${feature === '' ? '' : `${feature}: `}${message}`)
    .join('\n')
}

/** Errors first, then by feature as people count (2 before 10): the order of the source does not matter. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const rank = (problem: Problem) => (isError(problem) ? 0 : 1)
  const sorted = [...new Map(problems.map((problem) => [formatProblems([problem]), problem])).values()].sort(
    (a, b) => rank(a) - rank(b) || byCount.compare(a.feature, b.feature) || byCount.compare(a.message, b.message),
  )
  if (sorted.length <= MOST_PROBLEMS) return sorted
  const rest = sorted.length - MOST_PROBLEMS
  const last = isError(sorted[MOST_PROBLEMS] ?? LAST) ? LAST : { ...LAST, kind: 'unknown_property' as const }
  return [...sorted.slice(0, MOST_PROBLEMS), { ...last, message: `and ${rest} more problems` }]
}

const byCount = new Intl.Collator('en', { numeric: true })
const LAST: Problem = { kind: 'too_much', feature: '', message: '' }

/** Words out of a file, short and on one line: a control character in them would be obeyed by a terminal. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text).replaceAll(/[\x7f-\x9f]/g, '?')
}
