/** Listens to the page's keyboard for scanners that type. */
import { press, QUIET, SILENCE_MS, silence } from './wedge.ts'

/**
 * @param scanned a whole code
 * @param resting while true what is read counts for nothing; all the same it presses nothing: Enter at the end of the next
 *   person's code must not answer the question that is open. Returns what ends it
 */
export function listenForWedge(scanned: (text: string) => void, resting: () => boolean): () => void {
  let burst = QUIET
  let timer: ReturnType<typeof setTimeout> | undefined

  const end = () => {
    const text = silence(burst)
    burst = QUIET
    if (text !== undefined && !resting()) scanned(text)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing || isField(event.target)) return
    clearTimeout(timer)
    const { key, timeStamp: at, repeat, ctrlKey, altKey, metaKey } = event
    const pressed = press(burst, { key, at, repeat, command: ctrlKey || altKey || metaKey })
    burst = pressed.burst
    if (pressed.swallow) {
      event.preventDefault()
      event.stopPropagation()
    }
    if (pressed.scanned !== undefined && !resting()) scanned(pressed.scanned)
    if (burst !== QUIET) timer = setTimeout(end, SILENCE_MS)
  }
  // Before any button sees the key: Enter at the end of a code would press the one that has the focus.
  window.addEventListener('keydown', onKey, { capture: true })
  return () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', onKey, { capture: true })
  }
}

/** A field keeps what is typed into it, by a person or by a scanner. */
function isField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !['button', 'checkbox', 'radio', 'range'].includes(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}
