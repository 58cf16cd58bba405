/** A process of pretix's own models, for what its API cannot do or does slowly. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

const SCRIPT = join(import.meta.dirname, 'models.py')
const ANSWER = 'models: '

export class Models implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #lines: AsyncIterator<string>
  /** The end of what it has said of its mistakes. */
  #complaints = ''
  #last: Promise<unknown> = Promise.resolve()

  /** It starts while other things are prepared. */
  constructor({ python, environment, folder }: { python: string; environment: NodeJS.ProcessEnv; folder: string }) {
    this.#child = spawn(python, [SCRIPT], { env: environment, cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-4_000)
    })
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
  }

  /** One after the other. @returns what the statements have put into `answer`. @throws with Python's own words */
  run(statements: string): Promise<unknown> {
    const mine = this.#last.then(() => this.#run(statements))
    this.#last = mine.catch(() => {})
    return mine
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }

  async #run(statements: string): Promise<unknown> {
    this.#child.stdin.write(`${JSON.stringify(statements)}\n`)
    for (;;) {
      const { value, done } = await this.#lines.next()
      if (done) throw new Error(`The process of pretix's models has ended: ${this.#complaints}`)
      if (!value.startsWith(ANSWER)) continue
      const { answer, error } = JSON.parse(value.slice(ANSWER.length))
      if (error !== undefined) throw new Error(error)
      return answer
    }
  }
}
