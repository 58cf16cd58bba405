/** Work that a button starts: one at a time, so that a double press does nothing twice. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'

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

/** `once`, for as long as what uses it is drawn. @param work as it was given first: it looks at signals, not at properties */
export function useOnce<A extends unknown[]>(work: (...given: A) => Promise<unknown>): Once<A> {
  return useMemo(() => once(work), [])
}
