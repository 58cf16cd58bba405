/** Keeps the screen on while a code is shown. Where the browser cannot (plain HTTP), the words on the screen say what to do. */

export function canStayAwake(): boolean {
  return 'wakeLock' in navigator
}

/** @returns what lets the screen go dark again */
export function stayAwake(): () => void {
  if (!canStayAwake()) return () => {}
  let stopped = false
  let lock: WakeLockSentinel | undefined
  const ask = async () => {
    if (document.visibilityState !== 'visible') return
    try {
      const granted = await navigator.wakeLock.request('screen')
      if (stopped) await granted.release()
      else lock = granted
    } catch {
      // Refused: the battery is low, or the page is not looked at. The screen goes dark as it always does.
    }
  }
  // A page that was hidden has lost its lock.
  const onVisible = () => void ask()
  document.addEventListener('visibilitychange', onVisible)
  void ask()
  return () => {
    stopped = true
    document.removeEventListener('visibilitychange', onVisible)
    void lock?.release()
  }
}
