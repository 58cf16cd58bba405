/**
 * The stream of claims (NATS JetStream): one message for each right that is used up, written by compare-and-set. The one
 * thing that the boxes decide together; everything in it can be told again from their journals.
 *
 * A plain stream, not the key-value interface: that one reads from any replica, stale ones too, and writes over what was
 * deleted. Nothing here is ever deleted; a right that is given back is another message.
 */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import {
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  StorageType,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ClaimNames } from './names.ts'
import { boxesOf, type ClaimRecord, decodeClaim } from './record.ts'

/** What became of a write. `unheard` is a third outcome: it may be carried out yet. */
export type Written =
  | { outcome: 'written'; sequence: number }
  | { outcome: 'refused' }
  | { outcome: 'unheard'; why: string }

/** What stands under a right. `record` is undefined where it cannot be read. */
export interface Standing {
  sequence: number
  record: ClaimRecord | undefined
}

/** How long an answer is waited for: once, and, where none came, once more. */
export interface Patience {
  firstMs: number
  againMs: number
}

/** Somebody waits at a gate: twice this, in all. */
export const AT_THE_GATE: Patience = { firstMs: 400, againMs: 400 }
/** Nobody waits. */
export const AT_LEISURE: Patience = { firstMs: 4_000, againMs: 4_000 }

const WRONG_LAST_SEQUENCE = 10071
const STREAM_NOT_FOUND = 10059
const DUPLICATE_WINDOW_NS = 120e9
/** A box whose server knows of no leader is told so at once; the next one is elected in seconds, or was just elected. */
const NOBODY_PAUSE_MS = 50
/** An answer that comes later than it was waited for is still read, so that it is not taken for somebody else's. */
const LATE_MS = 10_000
const API_MS = 3_000
const PAGE = 512

export interface ClaimStreamDeps {
  nats: NatsConnection
  /** JetStream domain of the core. */
  domain: string
  replicas: 1 | 3
  names: ClaimNames
}

export class ClaimStream {
  readonly names: ClaimNames
  readonly #deps: ClaimStreamDeps
  readonly #client: JetStreamClient
  #manager: Promise<JetStreamManager> | undefined

  constructor(deps: ClaimStreamDeps) {
    this.#deps = deps
    this.names = deps.names
    this.#client = jetstream(deps.nats, { domain: deps.domain, timeout: API_MS })
  }

  /**
   * Finds the stream, and makes it where there is none and this box has a vote.
   * @returns what it is, which no other stream of this name will ever be; undefined where it is out of reach
   */
  async open({ mayMake }: { mayMake: boolean }): Promise<string | undefined> {
    try {
      const manager = await this.#managing()
      const { stream } = this.names
      const info = await manager.streams.info(stream).catch((error: unknown) => {
        if (mayMake && isApiError(error, STREAM_NOT_FOUND)) return this.#make(manager)
        throw error
      })
      // One that was made anew is another one, and knows nothing of what this one was told.
      return `${stream} ${info.created}`
    } catch {
      return undefined
    }
  }

  /**
   * Writes under a subject whose last message is the one at `expected`; 0 for none.
   * @param id names this attempt: written twice, it is written once
   * @param onSilence told of each wait that ended without an answer
   */
  async write(
    subject: string,
    { body, id, expected }: { body: Uint8Array; id: string; expected: number },
    patience: Patience,
    onSilence: () => void = () => {},
  ): Promise<Written> {
    let why = ''
    for (const [i, ms] of [patience.firstMs, patience.againMs].entries()) {
      if (i > 0 && ms <= 0) break
      const written = this.#client
        .publish(subject, body, { msgID: id, expect: { lastSubjectSequence: expected }, timeout: LATE_MS })
        // Written once already, and perhaps no longer the last word: what stands there says so.
        .then((ack): Written => (ack.duplicate ? { outcome: 'refused' } : { outcome: 'written', sequence: ack.seq }))
        .catch((error: unknown): Written => {
          if (isApiError(error, WRONG_LAST_SEQUENCE)) return { outcome: 'refused' }
          return { outcome: 'unheard', why: (error as Error).message }
        })
      const answer = await within(ms, written)
      if (answer && answer.outcome !== 'unheard') return answer
      why = answer?.why ?? 'no answer in time'
      onSilence()
      if (i === 0) await sleep(Math.min(NOBODY_PAUSE_MS, answer ? ms : 0))
    }
    return { outcome: 'unheard', why }
  }

  /** What stands last under a subject, asked of the leader: a replica may not have heard yet. */
  async last(subject: string, ms: number): Promise<Standing | 'nothing' | 'unheard'> {
    const read = async (): Promise<Standing | 'nothing'> => {
      const manager = await this.#managing()
      const message = await manager.streams.getMessage(this.names.stream, { last_by_subj: subject })
      return message ? { sequence: message.seq, record: decodeClaim(message.data) } : 'nothing'
    }
    const reading = read().catch(() => 'unheard' as const)
    return (await within(ms, reading)) ?? 'unheard'
  }

  /** Subjects under which something stands. @throws where the stream is out of reach */
  async subjects(): Promise<Set<string>> {
    const manager = await this.#managing()
    const info = await manager.streams.info(this.names.stream, { subjects_filter: this.names.subjects[0] ?? '>' })
    return new Set(Object.keys(info.state.subjects ?? {}))
  }

  /**
   * The claims that name a box, a page at a time, up to whatever stands last now.
   * @param from sequence to begin at
   * @returns with each page, the sequence to go on from
   * @throws where the stream is out of reach, or falls silent
   */
  async *naming(box: string, from: number): AsyncGenerator<{ claims: ClaimRecord[]; next: number }> {
    const manager = await this.#managing()
    const { stream, claimOf } = this.names
    // Of the leader: the copy that is read may be behind, and is read until it has come to this.
    const { state } = await manager.streams.info(stream)
    const ordered = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from }
    const consumer = await this.#client.consumers.get(stream, ordered)
    try {
      for (let next = from; next <= state.last_seq; ) {
        const claims: ClaimRecord[] = []
        const before = next
        for await (const { data, seq, subject } of await consumer.fetch({ max_messages: PAGE, expires: API_MS })) {
          next = seq + 1
          const record = Buffer.from(data).includes(box) ? decodeClaim(data) : undefined
          const isOne = record?.right && claimOf(record.right.ticket, record.right.slot) === subject
          if (isOne && record.kind === 'claim' && boxesOf(record).includes(box)) claims.push(record)
          if (seq >= state.last_seq) break
        }
        if (next === before) throw new Error('the stream of claims has fallen silent')
        yield { claims, next }
      }
    } finally {
      // One that is not deleted ends by itself.
      await consumer.delete().catch(() => {})
    }
  }

  #managing(): Promise<JetStreamManager> {
    const { nats, domain } = this.#deps
    // Nothing is asked of anybody yet.
    this.#manager ??= jetstreamManager(nats, { domain, timeout: API_MS, checkAPI: false })
    return this.#manager
  }

  #make(manager: JetStreamManager) {
    const { replicas, names } = this.#deps
    return manager.streams.add({
      name: names.stream,
      subjects: names.subjects,
      storage: StorageType.File,
      num_replicas: replicas,
      // By hand or by age, nothing goes: a claim that is forgotten is a ticket that enters twice.
      ...{ deny_delete: true, deny_purge: true, max_msgs_per_subject: 1 },
      allow_direct: false,
      duplicate_window: DUPLICATE_WINDOW_NS,
    })
  }
}

/**
 * @returns undefined when nothing has come of it within `ms`. An answer that arrived while this process was busy counts: the
 *   wait is over when the network was looked at after it.
 */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const over = new AbortController()
  const wait = async () => {
    await sleep(ms, undefined, { signal: over.signal })
    await turn()
    await turn()
    return undefined
  }
  try {
    return await Promise.race([work, wait().catch(() => undefined)])
  } finally {
    over.abort()
  }
}

function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code
}
