import { coded } from '@gatehouse/proto/said.ts'
import type { MistakeCode } from '../event/mistakes.ts'

/** Every kind of problem of a map; `box/docs/venue.md` explains each. */

/** With an error the map cannot be used. A warning is about something allowed that is probably not intended. */
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
  no_gates: 'error',
  far_from_paths: 'error',
  wrong_floor: 'error',
  ambiguous: 'error',
  checkpoint_without_place: 'warning',
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
  unreachable: 'warning',
} as const

export type ProblemKind = keyof typeof SEVERITY

export interface Problem {
  readonly kind: ProblemKind
  /** `amenity "wc-1"`, or `features[12]` where there is no kind or no id to go by; empty for the file as a whole. */
  readonly feature: string
  /** One sentence, without control characters, which a terminal would obey. */
  readonly message: string
  /** The same as codes, for apps; absent where the box says it in English alone. */
  readonly coded?: MistakeCode[]
}

/** A hostile file can have a million; nobody reads more than these. */
export const MAX_PROBLEMS = 1000

export const isError = ({ kind }: Problem): boolean => SEVERITY[kind] === 'error'

/** @param between the features of which one is meant, each by its label @param remedy what the author of the map can do */
export function ambiguous(feature: string, between: readonly string[], remedy: string): Problem {
  const names = [...new Set(between)].sort()
  const [only = 'paths', ...others] = names
  const [those, code] =
    others.length > 0
      ? [names.join(' and '), coded('ambiguous', { between: names.join(', ') })]
      : [`two ends of ${only}`, coded('ambiguous_ends', { path: only })]
  return { kind: 'ambiguous', feature, message: `equally near to ${those}: ${remedy}`, coded: [code] }
}

/** One line a problem, as in `error: amenity "wc-1": 80 m from the nearest path ...` */
export function formatProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ kind, feature, message }) => `${SEVERITY[kind]}: ${feature === '' ? '' : `${feature}: `}${message}`)
    .join('\n')
}

/** Errors first, then by feature in natural order (2 before 10), whatever the order in the source. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const rank = (problem: Problem) => (isError(problem) ? 0 : 1)
  const sorted = [...new Map(problems.map((problem) => [formatProblems([problem]), problem])).values()].sort(
    (a, b) => rank(a) - rank(b) || byCount.compare(a.feature, b.feature) || byCount.compare(a.message, b.message),
  )
  if (sorted.length <= MAX_PROBLEMS) return sorted
  const rest = sorted.length - MAX_PROBLEMS
  const last = isError(sorted[MAX_PROBLEMS] ?? LAST) ? LAST : { ...LAST, kind: 'unknown_property' as const }
  return [...sorted.slice(0, MAX_PROBLEMS), { ...last, message: `and ${rest} more problems` }]
}

const byCount = new Intl.Collator('en', { numeric: true })
const LAST: Problem = { kind: 'too_much', feature: '', message: '' }

/** A text of a file, shortened, on one line and without control characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text).replaceAll(/[\x7f-\x9f]/g, '?')
}
