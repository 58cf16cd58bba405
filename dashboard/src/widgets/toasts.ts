/** Short notices of what was done, read out by screen readers. What goes wrong stays until it is closed. */
import { type ReadonlySignal, signal } from '@preact/signals'

const GOOD_MS = 6_000

export interface Toast {
  id: number
  text: string
  tone: 'good' | 'bad'
}

const shown = signal<readonly Toast[]>([])
export const toasts: ReadonlySignal<readonly Toast[]> = shown
const ids = { last: 0 }

/** Says it. The last four stay. */
export function toast(text: string, tone: Toast['tone'] = 'good'): void {
  const id = ++ids.last
  shown.value = [...shown.value, { id, text, tone }].slice(-4)
  if (tone === 'good') setTimeout(() => closeToast(id), GOOD_MS)
}

export function closeToast(id: number): void {
  shown.value = shown.value.filter((other) => other.id !== id)
}
