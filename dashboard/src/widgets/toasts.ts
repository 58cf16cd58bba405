/** Short notices of what was done, one at a time, read out by screen readers. What goes wrong stays until it is closed. */
import { computed, type ReadonlySignal, signal } from '@preact/signals'

const GOOD_MS = 6_000

export interface Toast {
  id: number
  text: string
  tone: 'good' | 'bad'
}

export interface Toasts {
  /** The newest; one that went wrong comes back after it, until it is closed. Null for nothing. */
  shown: ReadonlySignal<Toast | null>
  /** Shows a notice, `good` unless said otherwise, in the place of another good one. Four bad ones at most wait to be closed. */
  toast(text: string, tone?: Toast['tone']): void
  close(id: number): void
}

export function createToasts(): Toasts {
  const waiting = signal<readonly Toast[]>([])
  let lastId = 0
  const close = (id: number) => {
    waiting.value = waiting.value.filter((other) => other.id !== id)
  }
  return {
    shown: computed(() => waiting.value.at(-1) ?? null),
    close,
    toast(text, tone = 'good') {
      // A read that a sign-out has called off has nothing to say.
      if (text === '') return
      const id = ++lastId
      waiting.value = [...waiting.value.filter((one) => one.tone === 'bad'), { id, text, tone }].slice(-4)
      if (tone === 'good') setTimeout(() => close(id), GOOD_MS)
    },
  }
}
