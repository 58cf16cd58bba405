/** What the engine asks of a sink. One file each under sinks/, or a module of the operator's own, loaded by path. */
import type { ChangeEvent } from './change.ts'

export type Durability = 'durable' | 'ephemeral'

/** A batch that was not taken. It is sent again after a while, unless `pause` says that nothing would change. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  /** The receiver's own word on when to come again (Retry-After). */
  readonly retryAfterMs: number | undefined
  /** The receiver wants no more (HTTP 410), or the batch can never pass (one event over the limit): pause now. */
  readonly pause: boolean

  constructor(message: string, options: ErrorOptions & { retryAfterMs?: number; pause?: boolean } = {}) {
    super(message, options)
    this.retryAfterMs = options.retryAfterMs
    this.pause = options.pause ?? false
  }
}

export interface Sink extends AsyncDisposable {
  /** How much of the queue one delivery may take. One event over `maxBytes` is handed over alone: the sink says whether it can pass. */
  readonly batch: { readonly maxEvents: number; readonly maxBytes: number }
  /**
   * Delivers one ordered batch. Resolves once the receiver has it durably (an ephemeral sink: once it is handed on).
   * One call at a time. `signal` aborts it when the sink is closed; `waiting` events are in the queue behind the batch.
   * @throws DeliveryError, or anything else, which counts as a failure to be tried again
   */
  deliver(batch: readonly ChangeEvent[], signal: AbortSignal, waiting?: number): Promise<void>
  /** Told before the next batch: so many events of an ephemeral sink were dropped between the last one and this. */
  lost?(events: number): void
  /** The sink's own figures, which stand beside the engine's in the statistics. */
  details?(): Readonly<Record<string, number | string | null>>
}

/** What a sink is made with. */
export interface SinkContext {
  readonly id: string
  readonly name: string
  readonly log: SinkLog
  /** Unix ms. */
  readonly now: () => number
  /** Serves a route at `/plugins/<id><path>`, behind the control plane's token. `path` begins with a slash. */
  route(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, handler: PluginHandler): void
}

/** A request that has already shown the token; the handler owns the answer. `url` has neither host nor token. */
export type PluginHandler = (
  request: import('node:http').IncomingMessage,
  response: import('node:http').ServerResponse,
) => void | Promise<void>

export interface SinkLog {
  info(fields: object, message?: string): void
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}

/** What a sink's file exports as `default`; a plugin's module does the same. */
export interface SinkKind {
  /** What it is when the configuration does not say. */
  readonly durability: Durability
  /** JSON Schema of its `options`, with a `description` for every key: checked with the rest of the configuration. */
  readonly options: object
  /** @param options as `options` describes them, defaults filled in. @throws when it cannot be set up; the message says what to correct */
  open(options: never, context: SinkContext): Promise<Sink>
  /** For `changefeed check`: whether the receiver can be reached, without delivering anything. @throws with advice */
  check?(options: never): Promise<void>
}
