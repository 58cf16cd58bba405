/**
 * The reservation stream (NATS JetStream): the last message of each subject says who has a right, and is written by
 * compare-and-set. It is the one thing that the boxes decide together, and it can be filled again from their journals.
 *
 * A plain stream and not the key-value interface, which reads from any replica, stale ones too, and overwrites deleted keys.
 * Nothing here is ever deleted: a release is another message.
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
import type { RefusalReason } from '../replication/signed-message.ts'
import { holdersOf, type ReservationRecord } from './record.ts'
import { openRecord, type RecordReader, type RecordSigner, sealRecord } from './signed-record.ts'
import type { StreamSubjects } from './subjects.ts'

/** `unanswered` is a third outcome: the write may still be carried out. */
export type WriteOutcome =
  | { outcome: 'written'; sequence: number }
  | { outcome: 'refused' }
  /** `unheard`: the own server knows of nobody who listens to the subject. */
  | { outcome: 'unanswered'; why: string; unheard?: boolean }

/** The last message of a subject. `record` is undefined where it cannot be read. */
export interface StoredRecord {
  sequence: number
  record: ReservationRecord | undefined
}

/** Time to wait for an answer; and once more, after the write was repeated. */
export interface Timeouts {
  firstMs: number
  againMs: number
}

/** Timeout while a person waits at a gate, for twice this at most. */
export const GATE_TIMEOUTS: Timeouts = { firstMs: 400, againMs: 400 }
/** Timeout when nobody waits. */
export const BACKGROUND_TIMEOUTS: Timeouts = { firstMs: 4_000, againMs: 4_000 }

const WRONG_LAST_SEQUENCE = 10071
const STREAM_NOT_FOUND = 10059
/** The library's name for it: it takes a subject without a listener for a server without JetStream. */
const NOBODY_LISTENS = 'JetStreamNotEnabled'
const DUPLICATE_WINDOW_NS = 120e9
/** A server without a leader refuses at once. The next leader is elected within seconds, or has just been. */
const NO_LEADER_PAUSE_MS = 50
/** An answer that is late is still awaited, so that it is not taken for the answer to another write. */
const LATE_MS = 10_000
const API_MS = 3_000
const PAGE = 512

export interface ReservationStreamDeps {
  nats: NatsConnection
  /** JetStream domain of the core. */
  domain: string
  replicas: 1 | 3
  subjects: StreamSubjects
  /** Signs what this box writes, and opens what boxes of the event wrote. */
  records: RecordSigner & RecordReader
  /** Ids of the voters, who keep the stream. */
  voters: () => readonly string[]
  /** Called for each record that no box of the event has signed. @param deliveredBy the voter that leads the stream */
  onRefused: (deliveredBy: string | null, why: RefusalReason) => void
}

export class ReservationStream {
  readonly subjects: StreamSubjects
  readonly #deps: ReservationStreamDeps
  readonly #client: JetStreamClient
  #leading: Promise<string | null> | undefined
  #manager: Promise<JetStreamManager> | undefined

  constructor(deps: ReservationStreamDeps) {
    this.#deps = deps
    this.subjects = deps.subjects
    this.#client = jetstream(deps.nats, { domain: deps.domain, timeout: API_MS })
  }

  /**
   * Finds the stream, and creates it where there is none and `mayCreate` is set.
   * @returns its identity, which no other stream of this name ever has; undefined where it is out of reach
   */
  async open({ mayCreate }: { mayCreate: boolean }): Promise<string | undefined> {
    try {
      const manager = await this.#management()
      const { stream } = this.subjects
      const info = await manager.streams.info(stream).catch((error: unknown) => {
        if (mayCreate && isApiError(error, STREAM_NOT_FOUND)) return this.#create(manager)
        throw error
      })
      // A stream that was created anew is another one, and empty.
      return `${stream} ${info.created}`
    } catch {
      return undefined
    }
  }

  /** The bytes that are stored under a subject. */
  sealed(record: ReservationRecord, subject: string): Uint8Array {
    return sealRecord(record, subject, this.#deps.records)
  }

  /**
   * Writes under a subject whose last message has the sequence `expected`; 0 for none.
   * @param id names this attempt: sent twice, it is written once
   * @param onUnanswered called after each wait that ended without an answer
   */
  async write(
    subject: string,
    { body, id, expected }: { body: Uint8Array; id: string; expected: number },
    timeouts: Timeouts,
    onUnanswered: () => void = () => {},
  ): Promise<WriteOutcome> {
    let why = ''
    let unheard = false
    for (const [i, ms] of [timeouts.firstMs, timeouts.againMs].entries()) {
      if (i > 0 && ms <= 0) break
      const write = this.#client
        .publish(subject, body, { msgID: id, expect: { lastSubjectSequence: expected }, timeout: LATE_MS })
        // A duplicate was written before, and may no longer be the last message: reading tells.
        .then(
          (ack): WriteOutcome => (ack.duplicate ? { outcome: 'refused' } : { outcome: 'written', sequence: ack.seq }),
        )
        .catch((error: unknown): WriteOutcome => {
          if (isApiError(error, WRONG_LAST_SEQUENCE)) return { outcome: 'refused' }
          const unheard = (error as Error).name === NOBODY_LISTENS
          return { outcome: 'unanswered', why: (error as Error).message, unheard }
        })
      const answer = await within(ms, write)
      if (answer && answer.outcome !== 'unanswered') return answer
      why = answer?.why ?? 'no answer in time'
      unheard = answer?.unheard ?? false
      onUnanswered()
      if (i === 0) await sleep(Math.min(NO_LEADER_PAUSE_MS, answer ? ms : 0))
    }
    return { outcome: 'unanswered', why, unheard }
  }

  /** The last message of a subject, read from the leader: a replica may be behind. */
  async last(subject: string, ms: number): Promise<StoredRecord | 'empty' | 'unanswered'> {
    const read = async (): Promise<StoredRecord | 'empty'> => {
      const manager = await this.#management()
      const message = await manager.streams.getMessage(this.subjects.stream, { last_by_subj: subject })
      return message ? { sequence: message.seq, record: this.#opened(message.data, subject) } : 'empty'
    }
    const reading = read().catch(() => 'unanswered' as const)
    return (await within(ms, reading)) ?? 'unanswered'
  }

  /** The subjects of rights that have a message. @throws where the stream is out of reach */
  async used(): Promise<Set<string>> {
    const manager = await this.#management()
    const filter = { subjects_filter: this.subjects.subjects[0] ?? '>' }
    const info = await manager.streams.info(this.subjects.stream, filter)
    return new Set(Object.keys(info.state.subjects ?? {}))
  }

  /**
   * The reservations that name a box, a page at a time, up to the message that is the last one now.
   * @param from sequence to begin at
   * @returns with each page, the sequence to go on from
   * @throws where the stream is out of reach, or stops answering
   */
  async *reservationsOf(
    box: string,
    from: number,
  ): AsyncGenerator<{ reservations: ReservationRecord[]; next: number }> {
    const manager = await this.#management()
    const { stream, rightSubject } = this.subjects
    // From the leader. The replica that is read may be behind, and is read until it has come to this.
    const { state } = await manager.streams.info(stream)
    const ordered = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from }
    const consumer = await this.#client.consumers.get(stream, ordered)
    try {
      for (let next = from; next <= state.last_seq; ) {
        const reservations: ReservationRecord[] = []
        const before = next
        for await (const { data, seq, subject } of await consumer.fetch({ max_messages: PAGE, expires: API_MS })) {
          next = seq + 1
          const record = Buffer.from(data).includes(box) ? this.#opened(data, subject) : undefined
          const isWhole = record?.right && rightSubject(record.right.ticket, record.right.slot) === subject
          if (isWhole && record.kind === 'claim' && holdersOf(record).includes(box)) reservations.push(record)
          if (seq >= state.last_seq) break
        }
        if (next === before) throw new Error('the reservation stream has stopped answering')
        yield { reservations, next }
      }
    } finally {
      // A consumer that cannot be deleted now expires by itself.
      await consumer.delete().catch(() => {})
    }
  }

  /** Undefined for a record that is refused: then nobody knows who has the right, and nobody is refused for it. */
  #opened(data: Uint8Array, subject: string): ReservationRecord | undefined {
    const { records, onRefused } = this.#deps
    const opened = openRecord(data, subject, records)
    if ('record' in opened) return opened.record
    this.#leading ??= this.#leader().finally(() => {
      this.#leading = undefined
    })
    void this.#leading.then((leader) => onRefused(leader, opened.refused))
    return undefined
  }

  /** The voter that delivers what is read. Null where that cannot be found out. */
  async #leader(): Promise<string | null> {
    const [only, ...more] = this.#deps.voters()
    if (more.length === 0) return only ?? null
    try {
      const { cluster } = await (await this.#management()).streams.info(this.subjects.stream)
      // The name of a server that came back with an empty store is its box's, and a number.
      return cluster?.leader?.replace(/_\d+$/, '') ?? null
    } catch {
      return null
    }
  }

  #management(): Promise<JetStreamManager> {
    const { nats, domain } = this.#deps
    // Without `checkAPI` this sends no request.
    this.#manager ??= jetstreamManager(nats, { domain, timeout: API_MS, checkAPI: false })
    return this.#manager
  }

  #create(manager: JetStreamManager) {
    const { replicas, subjects } = this.#deps
    return manager.streams.add({
      name: subjects.stream,
      subjects: subjects.subjects,
      storage: StorageType.File,
      num_replicas: replicas,
      // Nothing may be deleted, by hand or by age: a reservation that is forgotten is a ticket that enters twice.
      deny_delete: true,
      deny_purge: true,
      max_msgs_per_subject: 1,
      allow_direct: false,
      duplicate_window: DUPLICATE_WINDOW_NS,
    })
  }
}

/**
 * @returns undefined when `work` has not ended within `ms`. An answer that arrived while this process was busy counts: the wait
 *   ends only after the event loop has looked at the network once more.
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
