/** Reads the JSON value of a folder's `event.json`, or says in a sentence why it cannot. */

import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { coded } from '@gatehouse/proto/said.ts'
import { EventFileError, type MistakeCode } from './mistakes.ts'

const MAX_BYTES = 4 * 1024 * 1024

/** @throws EventFileError */
export async function readJson(folder: string): Promise<unknown> {
  return jsonOf(textOf(await bytesOf(folder)))
}

async function bytesOf(folder: string): Promise<Buffer> {
  const file = join(folder, 'event.json')
  const found = await stat(file).catch((cause) => unusable(whyUnreadable(folder, cause), { cause }))
  // Before it is opened, because opening a named pipe would wait for ever.
  if (!found.isFile()) return unusable(`${file} is not a file`)
  if (found.size > MAX_BYTES) return unusable(`${file} is larger than 4 MiB`, { code: coded('file_too_large') })
  return readFile(file).catch((cause) => unusable(whyUnreadable(folder, cause), { cause }))
}

function whyUnreadable(folder: string, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOTDIR') return `${folder} is a file; give the folder that holds event.json`
  if (code !== 'ENOENT') return `${join(folder, 'event.json')} cannot be read (${code ?? cause})`
  return existsSync(folder) ? `the folder ${folder} holds no event.json` : `there is no folder ${folder}`
}

/** UTF-8, with or without the byte order mark that Windows editors write. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    const utf16 = ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2))
    return utf16
      ? unusable('event.json is UTF-16; save it as UTF-8', { cause, code: coded('utf16') })
      : unusable('event.json is not UTF-8 text', { cause, code: coded('not_utf8') })
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    const [, position] = / at position (\d+)/.exec(said) ?? []
    const before = text.slice(0, position === undefined ? firstUnexpectedToken(text) : Number(position)).split('\n')
    const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1]
    const path = `line ${line}, column ${column}`
    // V8 adds the position or an excerpt of the file, which may contain what a terminal obeys.
    const what = said.replace(/(( in JSON)? at position |, (\.\.\.)?").*/s, '').replaceAll(/\p{Cc}/gu, '?')
    const mistake = { path, message: `not JSON: ${what}`, coded: [coded('not_json', { line, column })] }
    throw new EventFileError([mistake], { cause })
  }
}

/** The place of the one kind of mistake that V8 gives no position of. A text that is cut off before it has another kind. */
function firstUnexpectedToken(text: string): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (hasUnexpectedToken(text.slice(0, middle + 1))) high = middle
    else low = middle + 1
  }
  return low
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    return error instanceof Error && error.message.startsWith('Unexpected token')
  }
}

function unusable(message: string, { code, cause }: { code?: MistakeCode; cause?: unknown } = {}): never {
  throw new EventFileError([{ path: '', message, ...(code && { coded: [code] }) }], { cause })
}
