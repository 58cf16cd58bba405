/** An entry's bytes, of whoever may have written them. */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'

/** @returns what they say; undefined for anything but the one spelling of a JSON object */
export function readEntry(bytes: Buffer): { readonly [name: string]: unknown } | undefined {
  const text = bytes.toString()
  try {
    const said: unknown = JSON.parse(text)
    if (typeof said !== 'object' || said === null || canonicalJson(said) !== text) return undefined
    // Bytes that are not UTF-8 have become another text.
    return Buffer.from(text).equals(bytes) ? (said as { readonly [name: string]: unknown }) : undefined
  } catch {
    return undefined
  }
}
