/** The change feed, composed: configuration -> source -> engine -> sinks, and the control plane beside them. */
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { takeLock } from '../file-lock.ts'
import type { Logger } from '../log.ts'
import type { FeedConfig, SinkConfig } from './config/config.ts'
import { openControlPlane } from './control/control-plane.ts'
import { PluginRoutes } from './control/plugin-routes.ts'
import { newToken } from './control/token.ts'
import { readPage } from './control/ui/page.ts'
import { openSource } from './daemon-source.ts'
import { Engine } from './engine/engine.ts'
import type { Sink, SinkContext } from './sink.ts'

export interface DaemonDeps {
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Milliseconds, never going back. */
  monotonic: () => number
  /** From 0 to under 1. */
  random: () => number
  environment: Readonly<Record<string, string | undefined>>
}

export interface Daemon extends AsyncDisposable {
  /** Of the control plane. */
  readonly url: string
  readonly authToken: string
  /**
   * Resolves when streaming has begun, which waits for as long as the database cannot be reached.
   * Rejects with NotReadyError, in the words of `changefeed check`, or because the daemon was closed before.
   */
  readonly started: Promise<void>
}

/** The feed cannot start until a person has corrected what the message names. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError'
}

/**
 * Opens the control plane, so that what happens from then on can be watched, and begins to stream.
 * @throws NotReadyError
 */
export async function openDaemon(config: FeedConfig, deps: DaemonDeps): Promise<Daemon> {
  const { logger, now, monotonic, random } = deps
  const { authToken = newToken(), host, port } = config.server
  const routes = new PluginRoutes()
  await using opening = new AsyncDisposableStack()
  await refusing(() => mkdir(config.stateDir, { recursive: true, mode: 0o700 }))
  const lock = opening.use(lockState(config.stateDir, logger))
  const sinks = []
  for (const sink of config.sinks) {
    const { file = join(config.stateDir, `dead-letters-${sink.id}.jsonl`), ...deadLetters } = sink.deadLetters
    const opened = opening.use(await openSink(sink, routes, deps))
    const { maxDiskBytes: maxBytes } = sink.queue
    // With one sink there is nobody to hold up.
    const spills = config.sinks.length > 1 && sink.durability === 'durable' && maxBytes > 0
    const spill = spills ? { path: join(config.stateDir, `queue-${sink.id}`), maxBytes } : undefined
    sinks.push({ ...sink, sink: opened, spill, deadLetters: { ...deadLetters, path: resolve(file) } })
  }
  const source = opening.use(await refusing(() => openSource(config, deps)))
  const positionsPath = join(config.stateDir, 'positions.json')
  const engine = new Engine({ source, sinks, positionsPath, log: logger, now, monotonic, random })
  const tls = await refusing(() => config.server.tls && readTls(config.server.tls))
  const parts = { engine, source, routes, page: readPage() }
  const plane = await refusing(() => openControlPlane({ host, port }, { authToken, tls, logger, monotonic, ...parts }))
  // Nothing can fail from here on. The engine owns source and sinks and is closed first: the control plane shows how it
  // ends. The lock is released last, since positions may be written until then.
  opening.move()
  const running = new AsyncDisposableStack()
  running.use(lock)
  running.use(plane)
  running.use(engine)
  const started = refusing(() => engine.start())
  // Not every caller awaits it, and an unhandled rejection would end the process.
  started.catch(() => {})
  return { url: plane.url, authToken, started, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** Two feeds in one folder would write over each other's positions. @throws NotReadyError */
function lockState(stateDir: string, logger: Logger): Disposable | undefined {
  let lock: Disposable | undefined
  try {
    lock = takeLock(join(stateDir, 'lock'))
  } catch (error) {
    // A disk that refuses the lock refuses the positions too: deliveries go on without them.
    logger.warn({ event: 'state_not_locked', stateDir, err: error })
    return undefined
  }
  if (lock) return lock
  throw new NotReadyError(`Another change feed is using ${stateDir}: set another stateDir, or stop that one.`)
}

async function openSink(config: SinkConfig, routes: PluginRoutes, { logger, now }: DaemonDeps): Promise<Sink> {
  const { id, name, kind, options } = config
  const context: SinkContext = {
    id,
    name,
    now,
    log: logger.child({ sink: id }),
    route: (method, path, handler) => routes.mount(id, method, path, handler),
  }
  try {
    return await kind.open(options as never, context)
  } catch (error) {
    throw new NotReadyError(`The sink "${id}" cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}

function readTls({ cert, key }: { cert: string; key: string }): { cert: string; key: string } {
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

/** Turns what keeps the feed from starting into a message for the operator. @throws NotReadyError */
async function refusing<T>(attempt: () => T | Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    // A fault of the program, which keeps its stack.
    if (error instanceof TypeError || error instanceof ReferenceError) throw error
    throw new NotReadyError((error as Error).message, { cause: error })
  }
}
