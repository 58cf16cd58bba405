/** Two answers to the same call, held against each other in what an app reads of them. */
import type { Answer } from '../world/pretix-app.ts'

/**
 * Fields by their place in an answer, as `results.0.id`. `value`: the same value. `kind`: the same JSON type; where pretix has null, apps
 * take null and a value. `differs`: there in both, and the types may differ.
 */
export type Reads = Readonly<Record<string, 'value' | 'kind' | 'differs'>>

export function all(prefix: string, names: string, how: Reads[string] = 'kind'): Reads {
  return Object.fromEntries(names.split(' ').map((name) => [`${prefix}${name}`, how]))
}

export class Comparison {
  readonly differences: string[] = []
  calls = 0
  fields = 0

  take(what: string, theirs: Answer, ours: Answer, reads: Reads): void {
    this.calls++
    if (ours.status !== theirs.status)
      this.differences.push(`${what}: ${ours.status}, and pretix says ${theirs.status} ${theirs.text.slice(0, 200)}`)
    for (const [path, how] of Object.entries(reads)) {
      this.fields++
      const difference = differenceOf(at(ours.json, path), at(theirs.json, path), how)
      if (difference !== undefined) this.differences.push(`${what}: ${path} ${difference}`)
    }
  }
}

function differenceOf(mine: unknown, other: unknown, how: Reads[string]): string | undefined {
  if (other === undefined) return 'is missing at pretix'
  if (mine === undefined) return `is missing; pretix has ${JSON.stringify(other)}`
  const said = `is ${JSON.stringify(mine)}; pretix has ${JSON.stringify(other)}`
  if (how === 'value') return JSON.stringify(mine) === JSON.stringify(other) ? undefined : said
  if (how === 'differs' || other === null) return undefined
  return kindOf(mine) === kindOf(other) ? undefined : `${said}, which is of another type`
}

function at(json: unknown, path: string): unknown {
  const into = (found: unknown, name: string) => (found as Record<string, unknown> | null | undefined)?.[name]
  return path.split('.').reduce<unknown>(into, json)
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}
