import { readFile } from 'node:fs/promises'

/** Linux has an id for each boot. On other systems a machine is assumed never to go down. */
export async function bootOfMachine(): Promise<string> {
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => 'unknown',
  )
}
