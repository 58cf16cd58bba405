/** Answers that take the same time whatever was found: how long the box looked must not tell what it found. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Well above what finding a ticket takes, and nothing that a person would notice. */
export const STEADY_MS = 25

/** Settles as `work` does, and not before `STEADY_MS` have passed. */
export async function inSteadyTime<T>(work: () => Promise<T> | T): Promise<T> {
  const waited = sleep(STEADY_MS)
  try {
    return await work()
  } finally {
    await waited
  }
}
