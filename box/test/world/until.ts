import { setTimeout as sleep } from 'node:timers/promises'

/** Limit for events that must follow within a second: one in the full form, on a quiet machine, and five beside other tests. */
export const SOON_MS = process.env.GATEHOUSE_TEST_LONG === undefined ? 5000 : 1000

/**
 * Waits until a condition holds, here or in another process: on a slow machine it takes longer, and no test fails for it.
 * @throws after a minute, or as many as it is given, for a test that would hang
 */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what = isTrue.toString(),
  minutes = 1,
): Promise<void> {
  const end = performance.now() + minutes * 60_000
  // Polling a busy machine without pauses slows its answer.
  for (let pause = 5; performance.now() < end; pause = Math.min(50, 1.2 * pause)) {
    if (await isTrue()) return
    await sleep(pause)
  }
  throw new Error(`It did not happen within ${minutes} min: ${what}`)
}
