/** From messages to what the engine hears: events with their ids, and the ends of transactions. */
import type { Buffer } from 'node:buffer'
import type { ChangeEvent } from '../../change.ts'
import { formatLsn, type Lsn } from '../../lsn.ts'
import type { SourceListener } from '../../source.ts'
import { commitTime } from './commit-time.ts'
import { Decoder, ProtocolError, type Relation } from './pgoutput.ts'

/** What an event takes beside its images and names: its id, positions and time, and the marks between them. */
const OVERHEAD_BYTES = 128

interface Transaction {
  readonly commitLsn: Lsn
  readonly lsnText: string
  readonly time: string
  index: number
}

/** The changes of one session, which may end in the middle of a transaction: that comes again as a whole. */
export class Transactions {
  readonly #listener: SourceListener
  readonly #decoder = new Decoder()
  #current: Transaction | undefined
  /** No change was told whose commit ends behind this; one that is being told ends behind its beginning. */
  reached: Lsn = 0n

  constructor(listener: SourceListener) {
    this.#listener = listener
  }

  /** Whether everything before a position that the server names now has been told. */
  get between(): boolean {
    return this.#current === undefined
  }

  /**
   * @param bytes with one message of pgoutput from `from` to their end
   * @param upper, lower halves of the change's position in the log
   * @throws ProtocolError
   */
  take(bytes: Buffer, from: number, upper: number, lower: number): void {
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
        this.reached = message.commitLsn + 1n
        break
      case 'commit': {
        const { commitLsn, end } = message
        if (this.#open().commitLsn !== commitLsn)
          throw new ProtocolError('a commit that its transaction did not promise')
        this.#current = undefined
        this.reached = end
        this.#listener.commit({ commitLsn, end })
        break
      }
      case 'truncate':
        for (const relation of message.relations) this.#tell('truncate', relation, upper, lower, '', '', 0)
        break
      case 'other':
        break
      default: {
        const { kind, relation, beforeJson, afterJson } = message
        this.#tell(kind, relation, upper, lower, beforeJson, afterJson, message.bytes)
      }
    }
  }

  #tell(
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
      lsn: `${upper.toString(16).toUpperCase()}/${lower.toString(16).toUpperCase()}`,
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
