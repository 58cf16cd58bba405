/** Starts `process.ts`, and ends it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineFolder } from './running.ts'

export class EngineProcess implements AsyncDisposable {
  readonly child: ChildProcess
  readonly exited: Promise<unknown>

  constructor(folder: EngineFolder, address: string, sizes: readonly number[], rowBytes = 200) {
    const args = [join(import.meta.dirname, 'process.ts'), folder.path, address, sizes.join(), String(rowBytes)]
    this.child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    this.exited = once(this.child, 'exit')
  }

  /** Resident memory at its highest, in bytes. */
  get highestMemory(): number {
    const [, kib] = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8')) ?? []
    return Number(kib) * 1024
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
  }

  /** Waits until everything is acknowledged. @throws when it ends otherwise */
  async end(): Promise<void> {
    await this.exited
    if (this.child.exitCode !== 0) throw new Error(`the feed ended with ${this.child.exitCode}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill()
  }
}
