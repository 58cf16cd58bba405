/** This box's connections to its own nats-server: they reconnect for ever, also where the server comes back at another port. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Logger } from '../../log.ts'
import { Subscribers } from '../../subscribers.ts'

const RECONNECT_MS = 100

export interface LocalConnectionsDeps {
  /** Of the users of this box's own connections. */
  password: string
  /** The first part of the subject of answers to this box: the other servers let no other member listen there. */
  inboxPrefix: string
  logger: Logger
  /** Gives up waiting for the first connection. */
  signal?: AbortSignal | undefined
}

export class LocalConnections implements AsyncDisposable {
  readonly #deps: LocalConnectionsDeps
  readonly #connections: NatsConnection[] = []
  readonly #linkChanged = new Subscribers()
  readonly #listening = Promise.withResolvers<void>()
  #port = 0

  constructor(deps: LocalConnectionsDeps) {
    this.#deps = deps
  }

  /** The server listens at this port of loopback now. */
  listeningAt(port: number): void {
    this.#port = port
    for (const connection of this.#connections) connection.setServers([`127.0.0.1:${port}`])
    this.#listening.resolve()
  }

  /** Resolves when there is a connection. @throws the signal's reason when it is aborted before */
  async open(user: string): Promise<NatsConnection> {
    const { password, inboxPrefix, logger, signal } = this.#deps
    await untilAborted(this.#listening.promise, signal)
    for (;;) {
      try {
        const connection = await connect({
          servers: [`127.0.0.1:${this.#port}`],
          user,
          pass: password,
          name: `gatehouse ${user}`,
          inboxPrefix,
          // For ever, and without a back-off: it is a program on this machine.
          reconnect: true,
          maxReconnectAttempts: -1,
          reconnectTimeWait: RECONNECT_MS,
          reconnectJitter: 0,
          ignoreClusterUpdates: true,
          ignoreAuthErrorAbort: true,
          noAsyncTraces: true,
          pingInterval: 5_000,
          maxPingOut: 2,
          timeout: 5_000,
        })
        this.#connections.push(connection)
        void this.#watch(connection)
        return connection
      } catch (error) {
        // The server ended after it had reported its port.
        logger.debug({ event: 'nats_not_connected', user, err: error as Error })
        await untilAborted(sleep(RECONNECT_MS), signal)
      }
    }
  }

  /** Calls `listener` when a connection was lost or came back. @returns what ends that */
  onLink(listener: () => void): () => void {
    return this.#linkChanged.add(listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()))
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'reconnect') this.#linkChanged.notify()
    }
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
  return Promise.race([promise, aborted])
}
