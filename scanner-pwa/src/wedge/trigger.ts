/**
 * Keys of a Bluetooth trigger, and of the phone's own side where a browser tells the page of them: a press clears the verdict, as a press
 * on the screen does. Nothing has to be pressed to scan: the camera reads all the time. Enter is not among them, because a verdict's
 * button has the focus and takes it.
 */
const TRIGGERS: ReadonlySet<string> = new Set([
  'AudioVolumeUp',
  'AudioVolumeDown',
  // Older Firefox.
  'VolumeUp',
  'VolumeDown',
  'MediaPlayPause',
  'MediaTrackNext',
  'Camera',
])

/** @param pressed returns whether it had something to clear: only then the key does nothing else. Returns what ends it */
export function listenForTrigger(pressed: () => boolean): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (!TRIGGERS.has(event.key) || event.repeat) return
    if (pressed()) event.preventDefault()
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}
