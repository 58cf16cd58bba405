/** Something that a person asked for and that may be refused: under way, done, or why not. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { ScannerError } from '../gate/model.ts'
import { words } from '../words/words.ts'

export interface Attempt {
  busy: ReadonlySignal<boolean>
  /** The reason and the remedy, in words; null while there is no problem. */
  problem: ReadonlySignal<string | null>
  /** True when it was done. A second press while it is under way does nothing. */
  run(what: () => Promise<unknown>): Promise<boolean>
}

export function createAttempt(): Attempt {
  const busy = signal(false)
  const problem = signal<string | null>(null)
  return {
    busy,
    problem,
    async run(what) {
      if (busy.peek()) return false
      busy.value = true
      problem.value = null
      try {
        await what()
        return true
      } catch (error) {
        if (!(error instanceof ScannerError)) console.error(error)
        problem.value = error instanceof ScannerError ? error.message : words.unexpected
        return false
      } finally {
        busy.value = false
      }
    },
  }
}
