/** Passphrases and identities for a command: from files or typed in, never from the command line, which every process can read. */
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from '../usage.ts'

/** A larger file is another one. */
const MOST_BYTES = 64 * 1024

/**
 * The first line of a file, as it would be typed: without its line end, and without the mark that some editors put before it.
 * @param path `-` for standard input; a terminal is asked, and shows nothing of what is typed
 */
export async function readPassphrase(path: string, question = 'Passphrase: '): Promise<string> {
  if (path === '-' && process.stdin.isTTY) return askHidden(question)
  const text = path === '-' ? await standardInput() : await smallFile(path)
  const [line = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)
  if (line === '') throw new UsageError(`The passphrase is the first line of ${named(path)}, and that is empty.`)
  return line
}

/** The lines of identity files, as "age-keygen" writes them. */
export async function readIdentities(paths: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(paths.map(smallFile))
  const identities = texts
    .flatMap((text) => text.split(/\r?\n/))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (identities.length === 0) throw new UsageError(`There is no identity in ${paths.join(', ')}.`)
  return identities
}

async function smallFile(path: string): Promise<string> {
  const bytes = await readFile(path)
  if (bytes.length > MOST_BYTES) throw new UsageError(`${path} is too long for a passphrase or an identity.`)
  return bytes.toString('utf8')
}

async function standardInput(): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    parts.push(part)
    length += part.length
    if (length > MOST_BYTES) throw new UsageError('Standard input is too long for a passphrase.')
  }
  return Buffer.concat(parts).toString('utf8')
}

async function askHidden(question: string): Promise<string> {
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nothing, terminal: true })
  // Only now: what is typed before the terminal is quiet would be shown.
  process.stderr.write(question)
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () => reject(new UsageError('Given up.')))
      lines.once('close', () => reject(new UsageError('No passphrase was typed.')))
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

function named(path: string): string {
  return path === '-' ? 'standard input' : path
}
