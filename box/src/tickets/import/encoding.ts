/** Finds the encoding of a file. */
import { isUtf8 } from 'node:buffer'
import { GatehouseError } from '../../errors.ts'
import { type Sentence, sentence } from './row.ts'
import { unusable } from './unusable.ts'

const MAX_BYTES = 256 * 1024 * 1024
const HEAD_BYTES = 64 * 1024

const NOT_TEXT: readonly [magic: readonly number[], what: string][] = [
  [[0x50, 0x4b, 0x03, 0x04], 'This is an Excel workbook or another ZIP file'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'This is an old Excel workbook'],
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF'],
  [[0x1f, 0x8b], 'This is a gzip file'],
]

interface Decoded {
  /** UTF-8 without a byte order mark. */
  text: Buffer
  /** For the organiser, where the encoding had to be guessed. */
  note?: Sentence
}

/**
 * Converts a file to UTF-8. It reads UTF-8 and UTF-16 with or without a byte order mark, and everything else as Windows-1252, in
 * which Excel saves on a western Windows unless somebody chooses UTF-8.
 *
 * @throws GatehouseError `bad_request` for what is not text or is empty, `too_large` over 256 MiB
 */
export function decode(bytes: Uint8Array): Decoded {
  if (bytes.length > MAX_BYTES) {
    throw new GatehouseError('too_large', 'The file is larger than 256 MiB: split it, and import the parts.', {
      reason: 'file_too_large',
      values: { mebibytes: 256 },
    })
  }
  for (const [magic, what] of NOT_TEXT) {
    if (magic.every((byte, at) => bytes[at] === byte)) {
      const advice = 'open it, save the sheet as "CSV UTF-8", and import that file.'
      throw new GatehouseError('bad_request', `${what}: ${advice}`, { reason: 'file_not_text' })
    }
  }

  const decoded = toUtf8(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  const head = decoded.text.toString('utf8', 0, HEAD_BYTES)
  if (/^\s*$/.test(head)) {
    throw new GatehouseError('bad_request', 'The file is empty: export it again, and check that it holds tickets.', {
      reason: 'file_empty',
    })
  }
  if (/^\s*</.test(head)) {
    throw unusable(
      'web_page',
      'This is a web page, not an export: sign in to the shop again, download the CSV, and import that file.',
    )
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells a binary file
  if (/[\0-\x08\x0e-\x1f]/.test(head)) {
    throw new GatehouseError('bad_request', 'This is not a text file: export the tickets as CSV UTF-8 or as JSON.', {
      reason: 'file_not_text',
    })
  }
  return decoded
}

function toUtf8(bytes: Buffer): Decoded {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3)
  else {
    const utf16 = utf16Of(bytes)
    if (utf16) return { text: Buffer.from(new TextDecoder(utf16).decode(bytes)) }
  }
  if (isUtf8(bytes)) return { text: bytes }
  return {
    text: Buffer.from(new TextDecoder('windows-1252').decode(bytes)),
    note: sentence(
      'not_utf8',
      'The file is not UTF-8 and was read as Windows-1252: check names with accents, or save it as "CSV UTF-8".',
    ),
  }
}

/** The UTF-16 that this is, if any. Without a byte order mark, a header in ASCII shows it: every second byte is zero. */
function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  const head = bytes.subarray(0, 64)
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const most = head.length * 0.4
  if (odd > most && even === 0) return 'utf-16le'
  if (even > most && odd === 0) return 'utf-16be'
  return undefined
}
