/**
 * Tells wallets of an announcement at once: each holds a request that is answered as server-sent events, while somebody looks at it. A
 * wallet that finds no room here asks for the announcements now and then, as every wallet does beside its stream.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatehouseError } from '../errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { networkOf } from '../network.ts'
import { announces } from './announcement-bytes.ts'

/** Streams at one time: each is a connection with its TLS, in memory. */
const MOST_STREAMS = 4_000
/** Streams of one network, which may be a whole venue behind one address: half of the connections that it may have. */
const MOST_OF_NETWORK = 256
/** An announcement waits so long for others, ms. */
const TOGETHER_MS = 50
/** Written to so many before the event loop turns: a live scan waits for one slice at most. */
const SLICE = 16
/** A wallet that has taken less of what was sent before is gone, or as good as gone. */
const MOST_UNSENT_BYTES = 256 * 1024
/** A browser waits so long before it connects again, from and to, ms: not all in one second when a box starts. */
const RETRY_MS = [2_000, 30_000] as const
/** Of a phone that left without closing its connection, the system notices it after about this time. */
const KEEP_ALIVE_MS = 60_000
/** As long as a wallet is told to wait for a place, in seconds. */
const FULL_FOR_SECONDS = 60

export interface WalletStreamDeps {
  ledger: Ledger
  /** Those in force, as JSON. */
  current: () => Buffer
  /** From 0 to under 1, for the jitter. */
  random: () => number
  mostOfNetwork?: number
}

interface Reader {
  readonly reply: FastifyReply
  readonly network: string
}

export class WalletStreams implements Disposable {
  readonly #deps: WalletStreamDeps
  readonly #readers = new Set<Reader>()
  readonly #networks = new Map<string, number>()
  readonly #unsubscribe: () => void
  #due: NodeJS.Timeout | undefined
  /** The list that the readers were sent last. */
  #sent: Buffer | undefined
  #isWriting = false
  #closed = false

  constructor(deps: WalletStreamDeps) {
    this.#deps = deps
    // Also those of other boxes.
    this.#unsubscribe = deps.ledger.subscribe('committed', (entries) => {
      if (entries.some(announces)) this.#plan()
    })
  }

  get size(): number {
    return this.#readers.size
  }

  /**
   * Takes over the reply, and sends the list at once: one may have been made since the wallet has asked.
   * @throws GatehouseError `rate_limited` where there is no room for another, or where the request was sent behind one on the same
   * connection: its answer would begin at that one's end, and Node reports no end of it when the connection closes
   */
  open(request: FastifyRequest, reply: FastifyReply): void {
    const network = networkOf(request.ip)
    const ofNetwork = this.#networks.get(network) ?? 0
    const isBehind = reply.raw.socket === null
    if (isBehind || this.#readers.size >= MOST_STREAMS || ofNetwork >= (this.#deps.mostOfNetwork ?? MOST_OF_NETWORK)) {
      throw new GatehouseError('rate_limited', 'As many wallets as there may be are told at once: ask now and then.', {
        retryAfterSeconds: FULL_FOR_SECONDS,
      })
    }
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    // A closing listener waits for its answers, and this one never ends.
    if (this.#closed) return void raw.end()
    const list = this.#deps.current()
    if (this.#readers.size === 0) this.#sent = list
    const reader: Reader = { reply, network }
    this.#readers.add(reader)
    this.#networks.set(network, ofNetwork + 1)
    raw.once('close', () => this.#forget(reader))
    raw.on('error', () => this.#forget(reader))
    raw.socket?.setKeepAlive(true, KEEP_ALIVE_MS)
    const [least, most] = RETRY_MS
    raw.write(`retry: ${Math.round(least + this.#deps.random() * (most - least))}\n`)
    raw.write(eventOf(list))
  }

  /** Ends every stream, and each that is opened from here on. */
  [Symbol.dispose](): void {
    this.#closed = true
    this.#unsubscribe()
    clearTimeout(this.#due)
    for (const reader of this.#readers) this.#drop(reader)
  }

  /** Soon: several announcements, and entries of other boxes that change nothing, cost one look. */
  #plan(): void {
    if (this.#due || this.#readers.size === 0) return
    this.#due = setTimeout(() => {
      this.#due = undefined
      void this.#tell()
    }, TOGETHER_MS)
    this.#due.unref()
  }

  /** Sends the list to everybody where it is another one. One list at a time: a wallet gets them in order. */
  async #tell(): Promise<void> {
    if (this.#isWriting) return void this.#plan()
    const list = this.#deps.current()
    if (this.#sent?.equals(list)) return
    this.#sent = list
    this.#isWriting = true
    const event = eventOf(list)
    let written = 0
    for (const reader of [...this.#readers]) {
      const { raw } = reader.reply
      if (raw.writableLength > MOST_UNSENT_BYTES) this.#drop(reader)
      else if (this.#readers.has(reader)) raw.write(event)
      if (++written % SLICE === 0) await nextTurn()
    }
    this.#isWriting = false
  }

  #drop(reader: Reader): void {
    this.#forget(reader)
    reader.reply.raw.destroy()
  }

  #forget(reader: Reader): void {
    if (!this.#readers.delete(reader)) return
    const left = (this.#networks.get(reader.network) ?? 1) - 1
    if (left === 0) this.#networks.delete(reader.network)
    else this.#networks.set(reader.network, left)
  }
}

function eventOf(list: Buffer): Buffer {
  return Buffer.concat([Buffer.from('event: announcements\ndata: '), list, Buffer.from('\n\n')])
}
