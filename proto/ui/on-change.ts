import type { ReadonlySignal } from '@preact/signals'

/** Calls `listener` each time the signal changes; not for the value that it has now. Returns what ends it. */
export function onChange<T>(signal: ReadonlySignal<T>, listener: (value: T) => void): () => void {
  let isFirst = true
  return signal.subscribe((value) => {
    if (!isFirst) listener(value)
    isFirst = false
  })
}
