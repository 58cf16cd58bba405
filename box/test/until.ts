import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for what must come to pass, here or in another process: a slow machine takes longer, and fails nothing.
 * @throws after a minute, for a test that would hang
 */
export async function until(isTrue: () => boolean | Promise<boolean>, what = isTrue.toString()): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await sleep(5)) {
    if (await isTrue()) return
  }
  throw new Error(`It did not come to pass within a minute: ${what}`)
}
