/**
 * Files that somebody else writes, and that may be anything: not there, half there, huge, or of another shape. Of these, as much as
 * is known is taken, and the rest is as if it were not there: no file of the machine keeps a gate closed.
 */
import { open } from 'node:fs/promises'

/** Far more than any of them needs. */
const MOST_BYTES = 64 * 1024

/** What the file says; undefined for none, for too much, and for what is no JSON. */
export async function readJson(path: string): Promise<unknown> {
  try {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES + 1), 0, MOST_BYTES + 1, 0)
      if (bytesRead > MOST_BYTES) return undefined
      return JSON.parse(buffer.toString('utf8', 0, bytesRead))
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}

export interface FieldsOf {
  /** Without control characters but line ends, and at most `most` characters. */
  text(name: string, most?: number): string | undefined
  /** A whole number, not negative. */
  count(name: string): number | undefined
  percent(name: string): number | null
  flag(name: string): boolean
  /** At most `most` objects. */
  list(name: string, most: number): FieldsOf[]
}

/** @returns undefined for what is no object */
export function fieldsOf(value: unknown): FieldsOf | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const at = (name: string): unknown =>
    Object.hasOwn(value, name) ? (value as { [name: string]: unknown })[name] : undefined
  const count = (name: string) => {
    const found = at(name)
    return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined
  }
  return {
    count,
    text(name, most = 300) {
      const found = at(name)
      if (typeof found !== 'string') return undefined
      return found
        .replaceAll(/[^\P{C}\n]/gu, '')
        .slice(0, most)
        .toWellFormed()
    },
    percent(name) {
      const found = count(name)
      return found === undefined ? null : Math.min(100, found)
    },
    flag: (name) => at(name) === true,
    list(name, most) {
      const found = at(name)
      return Array.isArray(found) ? found.slice(0, most).flatMap((one) => fieldsOf(one) ?? []) : []
    },
  }
}
