/** What a button starts: one at a time, so that a double press does nothing twice. */
import { type ReadonlySignal, signal } from '@preact/signals'

export interface Once<A extends unknown[]> {
  busy: ReadonlySignal<boolean>
  /** Does nothing while it is under way. */
  run: (...given: A) => Promise<void>
}

/** @param work says itself what goes wrong; what it throws all the same is thrown by `run`, and it can be tried again */
export function once<A extends unknown[]>(work: (...given: A) => Promise<unknown>): Once<A> {
  const busy = signal(false)
  return {
    busy,
    async run(...given) {
      // Read and set in one go: a double press is two calls before anything is drawn.
      if (busy.value) return
      busy.value = true
      try {
        await work(...given)
      } finally {
        busy.value = false
      }
    },
  }
}
