/** Runs `gatehouse` as an operator does: a process, its output, and its exit status. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../src/config.ts'
import { cli } from './programs.ts'

export const BIN = join(import.meta.dirname, '../../bin/gatehouse.mjs')

interface Ran {
  code: number | null
  out: string
  err: string
}

interface How {
  environment?: Environment & Record<string, string>
  cwd?: string
  /** Starts the command's own file with it, which looks for the Node of the project. */
  node?: string
}

export function startGatehouse(args: readonly string[], { environment = {}, cwd = tmpdir(), node }: How = {}) {
  const env = { PATH: process.env.PATH, ...environment }
  return spawn(node ?? process.execPath, [node ? BIN : cli(), ...args], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs it to its end. */
export async function gatehouse(args: readonly string[], how: How = {}): Promise<Ran> {
  const child = startGatehouse(args, how)
  const ran = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    ran.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ran.err += text
  })
  const [code] = await once(child, 'close')
  return { code, ...ran }
}
