/** Checks of an update file before it is sent. Pure. */

const MOST_BYTES = 1024 ** 3

/** @returns why the file is not worth sending; undefined when it is */
export function refusalOf({ name, size }: { name: string; size: number }): 'notUpdate' | 'tooLarge' | undefined {
  if (!/\.update$/i.test(name) || size === 0) return 'notUpdate'
  return size > MOST_BYTES ? 'tooLarge' : undefined
}
