/** Work that somebody starts and that may fail: whether it is under way, and why it failed. */
import { type Signal, useSignal } from '@preact/signals'
import { sentenceOf } from '../session/answered.ts'
import { Dismissed } from '../session/session.ts'
import { type Once, useOnce } from './once.ts'

export interface Attempt<A extends unknown[]> extends Once<A> {
  /** Null once it is started again. */
  problem: Signal<string | null>
}

/**
 * @param work as it was given first: it looks at signals, not at properties. What it throws becomes the `problem`
 * @param options `explain`: an error in words, or null where there is nothing to read; `first`: the problem before the first run
 */
export function useAttempt<A extends unknown[]>(
  work: (...given: A) => Promise<unknown>,
  { explain = problemOf, first = null }: { explain?: (error: unknown) => string | null; first?: string | null } = {},
): Attempt<A> {
  const problem = useSignal(first)
  const { busy, run } = useOnce(async (...given: A) => {
    problem.value = null
    try {
      await work(...given)
    } catch (error) {
      problem.value = explain(error)
    }
  })
  return { busy, problem, run }
}

/** Nothing was done where somebody would not say who they are. */
function problemOf(error: unknown): string | null {
  return error instanceof Dismissed ? null : sentenceOf(error)
}
