/** Waits for the end of what a hand scanner types. */
import { type Press, press, QUIET, silence, waitAfter } from './wedge.ts'

export interface Timers<T> {
  /** Calls it once, after that many milliseconds. */
  after(ms: number, act: () => void): T
  cancel(timer: T): void
}

export interface WedgeReader {
  /** @returns whether the key belongs to a scanner, and nothing else may have it */
  press(key: Press): boolean
  stop(): void
}

/**
 * Where the page is busy when the wait ends, keys may stand in its queue and the timer be called first: each of these turns
 * lets the queue go before. Browsers let a key wait for no more than one other task.
 */
const TURNS = 2

/** @param scanned a whole code */
export function createWedgeReader<T>({ after, cancel }: Timers<T>, scanned: (text: string) => void): WedgeReader {
  let burst = QUIET
  let timer: T | undefined

  const stop = () => {
    if (timer !== undefined) cancel(timer)
    timer = undefined
  }
  const wait = (ms: number, turns: number) => {
    timer = after(ms, () => {
      timer = undefined
      if (turns > 0) return wait(0, turns - 1)
      const quiet = silence(burst)
      burst = quiet.burst
      if (quiet.scanned !== undefined) scanned(quiet.scanned)
    })
  }
  return {
    press(key) {
      stop()
      const pressed = press(burst, key)
      burst = pressed.burst
      if (burst.text !== '' && !burst.taken) wait(waitAfter(burst), TURNS)
      if (pressed.scanned !== undefined) scanned(pressed.scanned)
      return pressed.swallow
    },
    stop,
  }
}
