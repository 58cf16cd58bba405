/** A program of the organiser's that changes DNS: `PROGRAM present|remove RECORD VALUE`, without a shell. */

import { type ChildProcess, spawn } from 'node:child_process'
import { coded } from '@gatehouse/proto/said.ts'
import { KnownFailure } from '../failure.ts'
import type { DnsChange, TxtRecord } from './change.ts'

export interface CommandOptions {
  program: string
  /** It is killed after this time, with whatever it has started. */
  patienceMs: number
}

/** Of what it writes to standard error, this much is told. */
const MOST_CHARACTERS = 300
/** The box's own settings hold an invite, at times; the program gets none of them. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TZ']

export function command({ program, patienceMs }: CommandOptions): DnsChange {
  const run = (action: 'present' | 'remove', { record, value }: TxtRecord, signal: AbortSignal) =>
    runProgram(program, [action, record, value], { patienceMs, signal })
  return {
    present: (record, signal) => run('present', record, signal),
    remove: (record, signal) => run('remove', record, signal),
  }
}

function runProgram(
  program: string,
  args: readonly string[],
  { patienceMs, signal }: { patienceMs: number; signal: AbortSignal },
): Promise<void> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const env = Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]))
  return new Promise((resolve, reject) => {
    // A group of its own, so that what it has started ends with it.
    const child = spawn(program, args, { detached: true, env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MOST_CHARACTERS)
    })
    const stop = () => killGroup(child)
    patience.addEventListener('abort', stop, { once: true })
    const end = (problem?: string) => {
      patience.removeEventListener('abort', stop)
      // Something that it left running may hold the pipe open for ever.
      child.stderr.destroy()
      if (problem === undefined) resolve()
      else
        reject(
          new KnownFailure(`The program ${program} ${problem}.`, coded('program_failed', { program, why: problem })),
        )
    }
    child.once('error', ({ message }) => end(`cannot be run: ${message}`))
    child.once('exit', (code) => {
      if (code === 0) end()
      else if (patience.aborted) end(`did not end within ${patienceMs / 1000} s`)
      else end(`failed (${code ?? 'killed'})${said === '' ? '' : `: ${oneLine(said)}`}`)
    })
  })
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
}
