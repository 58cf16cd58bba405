/** Says in the language of this page what the box has said in English, where it has sent the code. See `proto/said.ts`. */
import { type Coded, type CodeOf, SAID, type Subject } from '@gatehouse/proto/said.ts'
import type { Forms } from '@gatehouse/proto/speech.ts'
import type { MeshStanding } from '@gatehouse/proto/wire/mesh.ts'
import { boxWords } from './late.ts'
import { speech } from './words.ts'

/** A value stands in braces in its sentence: `{name}`. Counted sentences have the plural forms of `n`. */
export type Sentence = string | Forms

/** A sentence for every code of every subject: `boxWords` of each language. */
export type BoxWords = { [S in Subject]: Record<CodeOf<S>, Sentence> }

/** As it came: of a newer box with codes that are not known here, and of whatever else answers in its place. */
interface Came {
  code?: unknown
  values?: unknown
}

/**
 * @param came one code, or several whose sentences follow one another
 * @param text the box's own sentence: shown where there is no code, and for a code that is not known here
 */
export function saidBy(
  subject: Subject | readonly Subject[],
  came: Coded | readonly Coded[] | null | undefined,
  text: string,
): string {
  const all: readonly Came[] = came == null ? [] : [came].flat()
  if (all.length === 0) return text
  const sentences = all.map((one) => sentenceOf([subject].flat(), one ?? {}))
  return sentences.every((one) => one !== undefined) ? sentences.join(' ') : text
}

/** Why a box is in its mode. */
export function modeReason({ reason, reason_coded }: Pick<MeshStanding, 'reason' | 'reason_coded'>): string {
  return saidBy(['mode', 'peer'], reason_coded, reason)
}

function sentenceOf(subjects: readonly Subject[], { code, values }: Came): string | undefined {
  const key = String(code)
  const subject = subjects.find((one) => Object.hasOwn(SAID[one], key))
  if (subject === undefined) return undefined
  const sentence = (boxWords[subject] as Readonly<Record<string, Sentence>>)[key]
  return sentence === undefined ? undefined : filled(sentence, namesOf(subject, key), values)
}

function namesOf(subject: Subject, code: string): readonly string[] {
  return (SAID[subject] as Readonly<Record<string, readonly string[]>>)[code] ?? []
}

/** Undefined where a value did not come. */
function filled(sentence: Sentence, names: readonly string[], values: unknown): string | undefined {
  const given = (typeof values === 'object' && values !== null ? values : {}) as Readonly<Record<string, unknown>>
  const said = new Map<string, string>()
  for (const name of names) {
    const value = Object.hasOwn(given, name) ? textOf(name, given[name]) : undefined
    if (value === undefined) return undefined
    said.set(name, value)
  }
  const text = typeof sentence === 'string' ? sentence : speech.count(Number(given.n), sentence)
  return text.replace(/\{(\w+)\}/g, (all, name) => said.get(name) ?? all)
}

function textOf(name: string, value: unknown): string | undefined {
  if (typeof value === 'number') return name.endsWith('_ms') ? speech.duration(value) : speech.number(value)
  return typeof value === 'string' ? value : undefined
}
