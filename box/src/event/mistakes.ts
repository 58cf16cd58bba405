/** `path` is where in the file, as in `checkpoints[2].tiers[0]`; empty for the file as a whole. */
export interface Mistake {
  readonly path: string
  readonly message: string
}

/** A hostile file can hold a million mistakes; nobody reads more than these. */
export const MOST_MISTAKES = 1000

/** One line a mistake: `checkpoints[2].tiers[0]: no tier "dya"; did you mean "day"?` */
export function formatMistakes(mistakes: readonly Mistake[]): string {
  return mistakes.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n')
}

/** An event folder that cannot be used. `message` lists every mistake, a line each. */
export class EventFileError extends Error {
  override readonly name = 'EventFileError'
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[], options?: ErrorOptions) {
    super(formatMistakes(mistakes), options)
    this.mistakes = mistakes
  }
}
