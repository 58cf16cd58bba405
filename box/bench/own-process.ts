/**
 * A process of its own for what takes milliseconds at a time: it would keep the process that times scans from seeing their answers.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'

export class OwnProcess implements AsyncDisposable {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** @param file whose `serve` answers. @returns when it can be asked */
  static async start(file: string): Promise<OwnProcess> {
    const child = fork(file)
    await nextMessage(child)
    return new OwnProcess(child)
  }

  /** One question at a time. @throws if the process ends */
  async ask(question: object): Promise<unknown> {
    this.#child.send(question)
    return await nextMessage(this.#child)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }
}

/** In that process: answers each question. It inherits the core of the process that times scans (`pinLoad`), and gives way to it. */
export function serve<T extends object>(answer: (question: T) => Promise<object>): void {
  setPriority(constants.priority.PRIORITY_LOW)
  process.on('message', async (question: T) => process.send?.(await answer(question)))
  process.send?.('ready')
}

/** @throws if the process ends; the reason is on its standard error */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const settled = new AbortController()
  const { signal } = settled
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${child.spawnargs.at(-1)} has ended: see above.`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended])
    return message
  } finally {
    ended.catch(() => {})
    settled.abort()
  }
}
