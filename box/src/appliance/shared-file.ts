/**
 * Reads files that other programs write, and that may be absent, incomplete, huge, or of another shape. Whatever is valid
 * in them is used, and the rest is ignored: no file of the machine may keep a gate closed.
 */
import { open } from 'node:fs/promises'

/** Size limit in bytes, far above any valid file. */
const MOST_BYTES = 64 * 1024

const MOST_VALUES = 8
const LONGEST_VALUE = 4_000

/** The parsed file; undefined if it is absent, too large or not JSON. */
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
  /** Without control characters except line ends, and at most `most` characters. */
  text(name: string, most?: number): string | undefined
  /** A whole number, not negative. */
  count(name: string): number | undefined
  percent(name: string): number | null
  flag(name: string): boolean
  /** The texts and whole numbers among the fields of an object, eight at most. */
  values(name: string): Record<string, string | number>
  /** At most `most` objects. */
  list(name: string, most: number): FieldsOf[]
}

/** @returns undefined for anything but an object */
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
    values(name) {
      const found = at(name)
      const fields = fieldsOf(found)
      const names = fields ? Object.keys(found as object).slice(0, MOST_VALUES) : []
      return Object.fromEntries(
        names.flatMap((key) => {
          const value = fields?.text(key, LONGEST_VALUE) ?? fields?.count(key)
          return value === undefined ? [] : [[key.slice(0, 60), value]]
        }),
      )
    },
    list(name, most) {
      const found = at(name)
      return Array.isArray(found) ? found.slice(0, most).flatMap((one) => fieldsOf(one) ?? []) : []
    },
  }
}
