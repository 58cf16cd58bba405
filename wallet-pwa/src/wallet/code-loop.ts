/** Shows a new code in each slot, for as long as somebody looks. */
import { slotTimes } from './clock.ts'

export interface ShownCode {
  /** Null where there is no key to make one with. */
  text: string | null
  slot: number
  /** Of the slot, when the code was shown, ms. */
  elapsedMs: number
}

export interface CodeLoop {
  /** The phone woke up, or its clock was set: the code on the screen may be an old one. */
  again(): void
  stop(): void
}

export interface CodeLoopDeps {
  /** Unix ms by the box. */
  now: () => number
  codeAt: (slot: number) => Promise<string | null>
  show: (code: ShownCode) => void
  /** @returns what takes it back */
  after: (ms: number, run: () => void) => () => void
}

export function codeLoop({ now, codeAt, show, after }: CodeLoopDeps): CodeLoop {
  let stopped = false
  let round = 0
  let cancel = () => {}

  const next = async () => {
    cancel()
    const mine = ++round
    const { slot } = slotTimes(now())
    const text = await codeAt(slot).catch(() => null)
    // Stopped, or overtaken by a later round, while the code was made.
    if (stopped || mine !== round) return
    const { slot: current, elapsedMs, remainingMs } = slotTimes(now())
    if (current === slot) show({ text, slot, elapsedMs })
    // A timer may fire a little early: then it would find the same slot once more, and stop there until the next.
    cancel = after(current === slot ? remainingMs + 5 : 0, () => void next())
  }
  void next()
  return {
    again: () => void next(),
    stop() {
      stopped = true
      cancel()
    },
  }
}
