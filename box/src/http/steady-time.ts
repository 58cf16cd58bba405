/** Delays answers to a constant time, so that an attacker cannot infer from it what was found. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Well above the time to find a ticket, and too short for a person to notice. */
export const STEADY_MS = 25

/** Settles as `work` does, but not before `STEADY_MS` have passed. */
export async function inSteadyTime<T>(work: () => Promise<T> | T): Promise<T> {
  const waited = sleep(STEADY_MS)
  try {
    return await work()
  } finally {
    await waited
  }
}
