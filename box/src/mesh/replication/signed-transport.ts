/**
 * The transport with signatures: signs what this box sends, and hands on only what a box on the list has signed, before anything
 * of it is read. Everything else is counted, and has no other effect: a forged message does not slow down the journal of the box
 * whose name it bears, and a forged answer does not end the waiting for the true one. Checks go from the cheap to the expensive:
 * length, tag, sender, number, budget, signature.
 */
import { type KeyObject, randomBytes } from 'node:crypto'
import type { HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import { type NoteKey, readVerifierKey } from '../../seal/note.ts'
import { boxesWithJournal } from '../membership/membership.ts'
import type { Topology } from '../topology.ts'
import { withoutTag, withTag } from './member-tag.ts'
import { LONGEST, MessageBudget } from './message-bounds.ts'
import { numbered, numberOf, withoutNumber } from './message-number.ts'
import type { RefusalCounts } from './refused-messages.ts'
import { type MessageContext, openMessage, RefusedMessageError, signMessage } from './signed-message.ts'
import type { Carrier, Transport } from './transport.ts'

/**
 * A sender's numbers may begin lower after this long without a higher one, milliseconds: somebody with its key may have sent one that
 * is far ahead. Until then a box that is there sends a higher one each second.
 */
const NUMBERED_MS = 60_000

export interface SignedTransportDeps {
  carrier: Carrier
  /** The event's id. */
  event: string
  /** The id of this box. */
  self: string
  /** Ed25519, private: the key of this box's log. */
  logKey: KeyObject
  /** Of `tagSecret`: the same at all boxes of the event. */
  tagSecret: Uint8Array
  /** The list of boxes, with the key of each. */
  topology: () => Topology | undefined
  /** Numbers what this box sends: it never goes back. */
  clock: Pick<HybridLogicalClock, 'now'>
  refusals: Pick<RefusalCounts, 'count'>
  /** Milliseconds that never jump. */
  monotonic: () => number
}

interface Opened {
  readonly by: string
  readonly content: Uint8Array
}

export class SignedTransport implements Transport {
  readonly #deps: SignedTransportDeps
  readonly #budget: MessageBudget
  #keys: ReadonlyMap<string, KeyObject> = new Map()
  /** The list that `#keys` was read from. */
  #keysOf: Topology | undefined
  /** By kind and sender: the number of the last message that was taken. */
  readonly #numbers = new Map<string, { number: bigint; at: number }>()

  constructor(deps: SignedTransportDeps) {
    this.#deps = deps
    this.#budget = new MessageBudget(deps.monotonic)
  }

  /** @throws RefusedMessageError where nothing came but what the box has not signed */
  async request(box: string, question: Uint8Array): Promise<Uint8Array> {
    const signed = this.#sign(this.#numbered(question), { kind: 'ask', to: box })
    let refused: RefusedMessageError | undefined
    const accept = (answer: Uint8Array) => {
      try {
        return this.#open(answer, { kind: 'answer', question: signed }, box).content
      } catch (error) {
        refused = this.#refused(error, box)
        return undefined
      }
    }
    return this.#deps.carrier.request(box, signed, accept).catch((error) => {
      throw refused ?? error
    })
  }

  answer(answer: (question: Uint8Array) => Uint8Array): void {
    const { carrier, self } = this.#deps
    carrier.answer((message) => {
      const question = this.#taken(null, () => this.#open(message, { kind: 'ask', to: self }))
      if (!question) return undefined
      const page = this.#budget.answerTo(question.by, () => answer(question.content))
      if (!page) this.#deps.refusals.count(question.by, 'too_many')
      return page && this.#sign(page, { kind: 'answer', question: message })
    })
  }

  push(page: Uint8Array): void {
    this.#deps.carrier.push(this.#sign(this.#numbered(page), { kind: 'push' }))
  }

  onPush(listener: (box: string, page: Uint8Array) => void): void {
    this.#deps.carrier.onPush((box, message) => {
      const page = this.#taken(box, () => this.#open(message, { kind: 'push' }, box))
      if (page) listener(box, page.content)
    })
  }

  pushUrgent(page: Uint8Array): void {
    this.#deps.carrier.pushUrgent(this.#sign(this.#numbered(page), { kind: 'urgent' }))
  }

  onUrgent(listener: (box: string, page: Uint8Array) => void): void {
    this.#deps.carrier.onUrgent((box, message) => {
      const page = this.#taken(box, () => this.#open(message, { kind: 'urgent' }, box))
      if (page) listener(box, page.content)
    })
  }

  onLink(listener: () => void): () => void {
    return this.#deps.carrier.onLink(listener)
  }

  #numbered(content: Uint8Array): Uint8Array {
    return numbered(content, this.#deps.clock.now(), randomBytes(8))
  }

  #sign(content: Uint8Array, context: MessageContext): Uint8Array {
    const { event, self, logKey, tagSecret } = this.#deps
    return withTag(signMessage(content, context, { event, by: self, key: logKey }), context, tagSecret)
  }

  /**
   * @param by who has to have sent it; any box on the list where absent
   * @throws RefusedMessageError
   */
  #open(tagged: Uint8Array, context: MessageContext, by?: string): Opened {
    const { event, tagSecret } = this.#deps
    const { kind } = context
    if (tagged.length > LONGEST[kind]) throw new RefusedMessageError('too_long')
    const message = withoutTag(tagged, context, tagSecret)
    if (message === 'untagged') throw new RefusedMessageError('unsigned')
    if (message === 'wrong') throw new RefusedMessageError('forged')
    let number: bigint | undefined
    const opened = openMessage(message, context, {
      event,
      keyOf: (box) => this.#listed().get(box),
      by,
      check: (sender, content) => {
        if (kind !== 'answer') number = this.#numberOf(content, kind, sender)
        if (!this.#budget.take(kind, sender, message.length)) throw new RefusedMessageError('too_many')
      },
    })
    this.#budget.giveBack(kind, opened.by, message.length)
    // An answer has the question, and so its number, under its signature.
    if (number === undefined) return opened
    this.#numbers.set(`${kind} ${opened.by}`, { number, at: this.#deps.monotonic() })
    return { by: opened.by, content: withoutNumber(opened.content) }
  }

  /** @throws RefusedMessageError for a message that is not newer than the last one of its sender */
  #numberOf(content: Uint8Array, kind: string, sender: string): bigint {
    const number = numberOf(content)
    if (number === undefined) throw new RefusedMessageError('unsigned')
    const last = this.#numbers.get(`${kind} ${sender}`)
    const isOld = last !== undefined && number <= last.number && this.#deps.monotonic() - last.at < NUMBERED_MS
    if (isOld) throw new RefusedMessageError('replayed')
    return number
  }

  #taken(deliveredBy: string | null, open: () => Opened): Opened | undefined {
    try {
      return open()
    } catch (error) {
      this.#refused(error, deliveredBy)
      return undefined
    }
  }

  #refused(error: unknown, deliveredBy: string | null): RefusedMessageError {
    if (!(error instanceof RefusedMessageError)) throw error
    this.#deps.refusals.count(deliveredBy, error.why)
    return error
  }

  /** A machine that only votes has no journal, and nothing to send here; a removed box is not on the list any more. */
  #listed(): ReadonlyMap<string, KeyObject> {
    const topology = this.#deps.topology()
    if (topology === this.#keysOf) return this.#keys
    this.#keysOf = topology
    this.#keys = new Map(
      (topology ? boxesWithJournal(topology) : []).flatMap(({ id, log_key }) => {
        const key = keyIn(log_key)
        return key ? [[id, key.publicKey] as const] : []
      }),
    )
    return this.#keys
  }
}

/** A box whose key cannot be read is not believed; the list itself was signed, and the others on it are. */
function keyIn(verifierKey: string): NoteKey | undefined {
  try {
    return readVerifierKey(verifierKey)
  } catch {
    return undefined
  }
}
