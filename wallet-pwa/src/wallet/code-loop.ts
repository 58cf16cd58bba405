/** Shows a new code in each slot, for as long as somebody looks. */
import { slotTimes } from '../box/clock.ts'

export interface ShownCode {
  /** Null where this phone has no key of the ticket. */
  text: string | null
  slot: number
  /** Part of the slot that had passed when the code was shown, ms. */
  elapsedMs: number
}

export interface CodeLoop {
  /** Makes the code again: the phone woke up, or its clock was set, and the code on the screen may be old. */
  again(): void
  stop(): void
}

export interface CodeLoopDeps {
  /** Unix ms by the box. */
  now: () => number
  codeAt: (slot: number) => Promise<string | null>
  show: (code: ShownCode) => void
  /** @returns what cancels it */
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
    // The loop was stopped, or a later round has begun, while the code was made.
    if (stopped || mine !== round) return
    const { slot: current, elapsedMs, remainingMs } = slotTimes(now())
    if (current === slot) show({ text, slot, elapsedMs })
    // A timer may fire a little early, and would find the same slot again: hence the 5 ms.
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
