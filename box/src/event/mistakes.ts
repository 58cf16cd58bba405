/** Mistakes of an event file: a sentence in English, and the same as codes for apps. */
import type { Coded, CodeOf } from '@gatehouse/proto/said.ts'

/** A mistake in an event file. */
export interface Mistake {
  /** The place in the file, as in `checkpoints[2].tiers[0]`; empty for the file as a whole. */
  readonly path: string
  readonly message: string
  /** The same as codes, for apps: each is a sentence, and they follow one another. */
  readonly coded?: MistakeCode[]
}

/** The map and the mapping of the shop beside the event have codes of their own. */
export type MistakeCode = Coded<CodeOf<'event' | 'map' | 'mapping'>>

/** A hostile file can have a million; nobody reads more than these. */
export const MAX_MISTAKES = 1000

/** One line for each mistake: `checkpoints[2].tiers[0]: no tier "dya"; did you mean "day"?` */
export function formatMistakes(mistakes: readonly Pick<Mistake, 'path' | 'message'>[]): string {
  return mistakes.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n')
}

/** An event folder that cannot be used. `message` has a line for each mistake. */
export class EventFileError extends Error {
  override readonly name = 'EventFileError'
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[], options?: ErrorOptions) {
    super(formatMistakes(mistakes), options)
    this.mistakes = mistakes
  }
}
