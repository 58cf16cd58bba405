/** The interface of a sink: one file each under sinks/, or a module of the operator's own, loaded by its path. */
import type { ChangeEvent } from './change.ts'
import type { SourceGap } from './source.ts'

export type Durability = 'durable' | 'ephemeral'

/** A batch was not acknowledged. It is sent again after a wait, unless `pause` says that nothing would change. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  /** When to try again, as the receiver asks for it (Retry-After). */
  readonly retryAfterMs: number | undefined
  /** The receiver wants no more (HTTP 410), or the sink can never send the batch (one event over its own limit): pause now. */
  readonly pause: boolean
  /** The receiver has answered that it does not want these events as they are: another one may be accepted. */
  readonly refused: boolean
  /** The receiver finds the batch too large: the next attempt has fewer events. */
  readonly tooLarge: boolean
  /** The id of the event of the batch that cannot be delivered, where the sink knows it. */
  readonly event: string | undefined

  constructor(
    message: string,
    options: ErrorOptions & {
      retryAfterMs?: number
      pause?: boolean
      refused?: boolean
      tooLarge?: boolean
      event?: string
    } = {},
  ) {
    super(message, options)
    this.retryAfterMs = options.retryAfterMs
    this.pause = options.pause ?? false
    this.refused = options.refused ?? false
    this.tooLarge = options.tooLarge ?? false
    this.event = options.event
  }
}

export interface Sink extends AsyncDisposable {
  /** The most that one delivery takes of the queue. One event over `maxBytes` is delivered alone: the sink decides whether it can be sent. */
  readonly batch: { readonly maxEvents: number; readonly maxBytes: number }
  /**
   * Delivers one ordered batch. Resolves when the receiver has acknowledged it durably (an ephemeral sink: when it is sent).
   * One call at a time. `signal` aborts it when the sink is closed; `waiting` events are in the queue behind the batch.
   * `open`: the transaction of its last event goes on in the next batch.
   * @throws DeliveryError, or anything else, which counts as a failure to be retried
   */
  deliver(batch: readonly ChangeEvent[], signal: AbortSignal, waiting?: number, open?: boolean): Promise<void>
  /** Called before the next batch: so many events of an ephemeral sink were dropped since the last one. */
  lost?(events: number): void
  /**
   * Called before the next batch: changes are missing before it, or others than those that were delivered are in the database.
   * Called again with each attempt, until that batch is taken.
   */
  gap?(gap: SourceGap): void
  /** Called before the first event: the last one that was delivered in the run before, by its id. */
  resumed?(id: string): void
  /** The sink's own figures, shown beside the engine's in the statistics. */
  details?(): Readonly<Record<string, number | string | null>>
}

/** The arguments that open a sink. */
export interface SinkContext {
  readonly id: string
  readonly name: string
  readonly log: SinkLog
  /** Unix ms. */
  readonly now: () => number
  /** Serves a route at `/plugins/<id><path>`, behind the control plane's token. `path` begins with a slash. */
  route(method: PluginMethod, path: string, handler: PluginHandler): void
}

export type PluginMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** Handles a request whose token is already checked, and owns the answer. `url` has neither host nor token. */
export type PluginHandler = (
  request: import('node:http').IncomingMessage,
  response: import('node:http').ServerResponse,
) => void | Promise<void>

export interface SinkLog {
  info(fields: object, message?: string): void
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}

/** The default export of a sink's file, and of a plugin's module. */
export interface SinkKind {
  /** Used where the configuration does not say. */
  readonly durability: Durability
  /** Reason why it can only be ephemeral: the configuration refuses `durable` with these words. */
  readonly neverDurable?: string
  /** JSON Schema of its `options`, with a `description` for every key: checked with the rest of the configuration. */
  readonly options: object
  /** @param options as `options` describes them, with defaults. @throws when it cannot be set up; the message says what to correct */
  open(options: never, context: SinkContext): Promise<Sink>
  /** For `changefeed check`: whether the receiver can be reached, without delivering anything. @throws with advice */
  check?(options: never): Promise<void>
}
