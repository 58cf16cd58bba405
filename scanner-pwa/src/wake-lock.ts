/** Keeps the screen on while somebody scans. The system takes it back whenever the page is hidden; so it is asked for again. */
import { type ReadonlySignal, signal } from '@preact/signals'

export interface WakeLock {
  state: ReadonlySignal<'off' | 'held' | 'refused'>
  hold(): void
  release(): void
}

export function createWakeLock(): WakeLock {
  const state = signal<'off' | 'held' | 'refused'>('off')
  let wanted = 0
  let asking = false
  let sentinel: WakeLockSentinel | undefined

  const ask = async () => {
    // Two locks at once: only the second would be released, and the screen would stay on.
    if (asking || wanted === 0 || document.visibilityState !== 'visible' || state.peek() === 'held') return
    asking = true
    try {
      const mine = await navigator.wakeLock.request('screen')
      sentinel = mine
      state.value = 'held'
      mine.addEventListener('release', () => {
        state.value = 'off'
        void ask()
      })
      if (wanted === 0) await mine.release()
    } catch {
      // Battery saver, or a browser without it.
      state.value = 'refused'
    } finally {
      asking = false
    }
  }
  document.addEventListener('visibilitychange', () => void ask())
  return {
    state,
    hold() {
      wanted++
      void ask()
    },
    release() {
      wanted--
      if (wanted === 0) void sentinel?.release()
    },
  }
}
