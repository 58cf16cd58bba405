/** Listens to the page's keyboard for scanners that type. */
import { createWedgeReader } from './reader.ts'

/**
 * @param scanned a whole code
 * @param resting while true what is read counts for nothing; all the same it presses nothing: Enter at the end of the next
 *   person's code must not answer the question that is open. Returns what ends it
 */
export function listenForWedge(scanned: (text: string) => void, resting: () => boolean): () => void {
  const timers = { after: (ms: number, act: () => void) => setTimeout(act, ms), cancel: clearTimeout }
  const reader = createWedgeReader(timers, (text) => {
    if (!resting()) scanned(text)
  })
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing || isField(event.target)) return
    const { key, timeStamp: at, repeat, ctrlKey, altKey, metaKey } = event
    if (!reader.press({ key, at, repeat, command: ctrlKey || altKey || metaKey })) return
    event.preventDefault()
    event.stopPropagation()
  }
  // Before any button sees the key: Enter at the end of a code would press the one that has the focus.
  window.addEventListener('keydown', onKey, { capture: true })
  return () => {
    reader.stop()
    window.removeEventListener('keydown', onKey, { capture: true })
  }
}

/** A field keeps what is typed into it, by a person or by a scanner. */
function isField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !['button', 'checkbox', 'radio', 'range'].includes(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}
