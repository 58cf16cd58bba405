/** Shared parts of the command lines `gatehouse`, `changefeed` and `gatehouse-hq`. */

/** The command line has a mistake; the message says how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Prints the answer of a command. @returns its exit status */
export function say(text: string): 0 {
  console.log(text)
  return 0
}

/** Prints the error's message. @returns the exit status: 1 the answer is no, 2 it could not be done */
export function complain({ message }: Error, status: 1 | 2): 1 | 2 {
  console.error(message)
  return status
}

export interface Stop extends Disposable {
  /** The name of the signal. */
  readonly received: Promise<string>
  /** Aborted at the same moment. */
  readonly signal: AbortSignal
}

/**
 * Listens for the first signal only: Node handles a second one by ending the process at once.
 * @param names signals; `disconnect` means that the parent process, which opened an IPC channel to this one, has ended
 */
export function listenForStop(names: readonly string[] = ['SIGTERM', 'SIGINT']): Stop {
  const { promise: received, resolve } = Promise.withResolvers<string>()
  const stopping = new AbortController()
  const listeners = names.map((name) => {
    const listener = () => {
      dispose()
      stopping.abort()
      resolve(name)
    }
    process.on(name, listener)
    return [name, listener] as const
  })
  const dispose = () => {
    // A listener on the channel would keep the process from ending.
    for (const [name, listener] of listeners) process.off(name, listener)
  }
  return { received, signal: stopping.signal, [Symbol.dispose]: dispose }
}
