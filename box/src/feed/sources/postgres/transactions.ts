/** Makes the engine's events, and ends of transactions, of pgoutput's messages. */
import type { Buffer } from 'node:buffer'
import type { ChangeEvent } from '../../change.ts'
import { formatLsn, type Lsn } from '../../lsn.ts'
import type { SourceListener } from '../../source.ts'
import { commitTime } from './commit-time.ts'
import { SourceError } from './faults.ts'
import { Decoder, ProtocolError, type Relation } from './pgoutput.ts'

/** The text of a value may be twice as long as it was, and the longest text of the runtime is 512 MiB. */
const LARGEST_CHANGE = 256 * 1024 * 1024

/** Size of an event without its images and names: id, positions, time, and the encoding around them. */
const OVERHEAD_BYTES = 128

interface Transaction {
  readonly commitLsn: Lsn
  readonly lsnText: string
  readonly time: string
  index: number
}

/** The changes of one session. It may end in the middle of a transaction, which then comes again as a whole. */
export class Transactions {
  readonly #listener: SourceListener
  readonly #onBegin: (begun: { commitLsn: Lsn; commitTime: string }) => void
  readonly #decoder = new Decoder()
  #current: Transaction | undefined
  #upper = -1
  #upperHex = ''

  /** @param onBegin a transaction is about to be passed on */
  constructor(listener: SourceListener, onBegin: (begun: { commitLsn: Lsn; commitTime: string }) => void = () => {}) {
    this.#listener = listener
    this.#onBegin = onBegin
  }

  /** True while no transaction is under way: everything before a position in a keepalive has been passed on then. */
  get between(): boolean {
    return this.#current === undefined
  }

  /**
   * @param bytes with one message of pgoutput from `from` to their end
   * @param upper, lower halves of the change's position in the log
   * @throws ProtocolError
   */
  take(bytes: Buffer, from: number, upper: number, lower: number): void {
    if (bytes.length - from > LARGEST_CHANGE) this.#refuse(bytes, from)
    const message = this.#decoder.decode(bytes, from)
    switch (message.kind) {
      case 'begin':
        if (this.#current) throw new ProtocolError('a transaction that begins inside another')
        this.#current = {
          commitLsn: message.commitLsn,
          lsnText: formatLsn(message.commitLsn),
          time: timeOf(message.committedAt),
          index: 0,
        }
        this.#onBegin({ commitLsn: message.commitLsn, commitTime: this.#current.time })
        break
      case 'commit': {
        const { commitLsn, end } = message
        if (this.#open().commitLsn !== commitLsn)
          throw new ProtocolError('a commit that its transaction did not promise')
        this.#current = undefined
        this.#listener.commit({ commitLsn, end })
        break
      }
      case 'truncate':
        for (const relation of message.relations) this.#emit('truncate', relation, upper, lower, '', '', 0)
        break
      case 'other':
        break
      default: {
        const { kind, relation, beforeJson, afterJson } = message
        this.#emit(kind, relation, upper, lower, beforeJson, afterJson, message.bytes)
      }
    }
  }

  /** @throws SourceError that names the change; without effect on messages that are no change of a row */
  #refuse(bytes: Buffer, from: number): void {
    const relation = this.#decoder.relationOf(bytes, from)
    if (!relation) return
    const { commitLsn, lsnText, index } = this.#open()
    const behind = formatLsn(commitLsn + 1n)
    throw new SourceError(
      `The change ${lsnText}:${index} of ${relation.schema}.${relation.table} takes ${bytes.length - from} bytes, and ${LARGEST_CHANGE} is the most that can be carried. To go on behind its transaction, stop the feed, move the slot (SELECT pg_replication_slot_advance('<slot>', '${behind}')), and start with slot.onLost: recreate once: the sinks are told of the gap`,
    )
  }

  #emit(
    op: ChangeEvent['op'],
    { schema, table }: Relation,
    upper: number,
    lower: number,
    beforeJson: string,
    afterJson: string,
    imageBytes: number,
  ): void {
    const transaction = this.#open()
    const { commitLsn, lsnText } = transaction
    const index = transaction.index++
    this.#listener.event({
      id: `${lsnText}:${index}`,
      lsn: `${this.#upperText(upper)}${lower.toString(16).toUpperCase()}`,
      commitLsn: lsnText,
      commitTime: transaction.time,
      schema,
      table,
      op,
      beforeJson,
      afterJson,
      position: { commitLsn, index },
      bytes: imageBytes + schema.length + table.length + OVERHEAD_BYTES,
    })
  }

  /** The upper half of a position changes every 4 GiB of log. */
  #upperText(upper: number): string {
    if (upper !== this.#upper) {
      this.#upper = upper
      this.#upperHex = `${upper.toString(16).toUpperCase()}/`
    }
    return this.#upperHex
  }

  #open(): Transaction {
    if (!this.#current) throw new ProtocolError('a change outside of a transaction')
    return this.#current
  }
}

function timeOf(committedAt: bigint): string {
  try {
    return commitTime(committedAt)
  } catch (cause) {
    throw new ProtocolError('a commit at a time that no calendar has', { cause })
  }
}
