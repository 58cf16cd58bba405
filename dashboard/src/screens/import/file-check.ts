/** Checks a file before it is sent: a hundred megabytes of a workbook need not travel to be refused. */

import { actionWords as words } from '../../words/late.ts'

/** As much as the box takes. */
export const MOST_BYTES = 256 * 1024 * 1024
/** Bytes at the beginning that show the kind of a file. */
const HEAD_BYTES = 512

export type Refusal = 'empty' | 'too_large' | 'workbook' | 'pdf' | 'page' | 'archive' | 'picture'

/**
 * Null for a file that the box should look at: it knows the formats, and says more of them than a browser can.
 * @param head its first bytes
 */
export function refusalOf({ name, size }: { name: string; size: number }, head: Uint8Array): Refusal | null {
  if (size === 0) return 'empty'
  if (size > MOST_BYTES) return 'too_large'
  if (begins(head, 0x50, 0x4b)) return /\.(xlsx|xlsm|ods|numbers)$/i.test(name) ? 'workbook' : 'archive'
  // The container of Excel's old workbooks.
  if (begins(head, 0xd0, 0xcf, 0x11, 0xe0)) return 'workbook'
  if (begins(head, 0x1f, 0x8b)) return 'archive'
  if (begins(head, 0x89, 0x50, 0x4e, 0x47) || begins(head, 0xff, 0xd8, 0xff)) return 'picture'
  const text = new TextDecoder().decode(head).trimStart().toLowerCase()
  if (text.startsWith('%pdf-')) return 'pdf'
  if (text.startsWith('<!doctype html') || text.startsWith('<html')) return 'page'
  return null
}

/** The fault in its first bytes that makes sending it pointless; null when the box should look at it. */
export async function faultOf(file: File): Promise<string | null> {
  try {
    const refusal = refusalOf(file, new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))
    return refusal && words.import.refused[refusal]
  } catch {
    return words.import.refused.unreadable
  }
}

function begins(head: Uint8Array, ...bytes: number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte)
}
