import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for what must come to pass, here or in another process: a slow machine takes longer, and fails nothing.
 * @throws after a minute, or as many as it is given, for a test that would hang
 */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what = isTrue.toString(),
  minutes = 1,
): Promise<void> {
  const end = performance.now() + minutes * 60_000
  // To ask a busy machine all the time makes it wait for its own answer.
  for (let pause = 5; performance.now() < end; pause = Math.min(50, 1.2 * pause)) {
    if (await isTrue()) return
    await sleep(pause)
  }
  throw new Error(`It did not come to pass within ${minutes} min: ${what}`)
}
