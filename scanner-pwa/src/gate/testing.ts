/** A phone for tests, with a database in memory that outlives the page, a fetch and a clock of the test's. */
import 'fake-indexeddb/auto'
import { bestVerifier, type Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import { orderedUuid } from '@gatehouse/proto/ordered-uuid.ts'
import { sleep } from '@gatehouse/proto/sleep.ts'
import type { Deps } from './deps.ts'
import type { Scanner } from './model.ts'
import { openScanner } from './scanner.ts'

export interface PhoneOptions {
  origin: string
  fetch: (request: Request) => Promise<Response>
  /** Unix ms. */
  now?: () => number
  /** WebCrypto by default. */
  ed25519?: Promise<Ed25519Verifier>
}

/** A box that computes on a busy machine is no silent box: waits of a phone are longer by as much as a scan takes, up to this. */
const SLOW_MS = 10_000

/** One phone: closing the page and opening it again keeps what is stored, and nothing else. */
export class Phone {
  readonly deps: Deps
  /** False: the network is gone, requests fail at once. */
  online = true
  /** Delay of each answer, ms. */
  delayMs: (path: string) => number = () => 0
  /** Scans whose answer no `delayMs` holds back. */
  readonly #asked = new Set<Promise<unknown>>()
  #locked = false
  #scanner: Scanner | undefined
  readonly #network = new Set<(online: boolean) => void>()

  constructor({ origin, fetch, now = () => Date.now(), ed25519 = bestVerifier() }: PhoneOptions) {
    this.deps = {
      fetch: async (request) => {
        if (!this.online) throw new TypeError('Failed to fetch')
        const { pathname } = new URL(request.url)
        const delayMs = this.delayMs(pathname)
        const answer = fetch(request)
        if (pathname === '/v1/scan' && delayMs === 0) this.#note(answer)
        const response = await answer
        if (delayMs > 0) await sleep(delayMs, request.signal)
        if (!this.online) throw new TypeError('Failed to fetch')
        return response
      },
      ed25519: () => ed25519,
      now,
      monotonic: () => performance.now(),
      random: Math.random,
      uuid: () => orderedUuid(Date.now()),
      // Databases of the same name in one process are one: each phone has its own.
      otherOrigins: async () => undefined,
      origin,
      database: `scanner ${crypto.randomUUID()}`,
      version: 'test/1',
      scantRoom: async () => undefined,
      reopen: () => {},
      sleep: async (ms, signal) => {
        await sleep(ms, signal)
        await Promise.race([Promise.allSettled(this.#asked), sleep(SLOW_MS, signal)])
      },
      lock: async () => {
        if (this.#locked) return undefined
        this.#locked = true
        return () => {
          this.#locked = false
        }
      },
      storageKeeping: async () => true,
      battery: async () => 0.5,
      onNetwork: (changed) => {
        this.#network.add(changed)
        return () => this.#network.delete(changed)
      },
    }
  }

  get scanner(): Scanner {
    if (!this.#scanner) throw new Error('the page is not open')
    return this.#scanner
  }

  async open(): Promise<Scanner> {
    this.#scanner = await openScanner(this.deps)
    return this.#scanner
  }

  async close(): Promise<void> {
    await this.#scanner?.close()
    this.#scanner = undefined
  }

  async reopen(): Promise<Scanner> {
    await this.close()
    return this.open()
  }

  /** The network comes or goes, and the device reports it. */
  go(online: boolean): void {
    this.online = online
    for (const changed of this.#network) changed(online)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #note(answer: Promise<unknown>): void {
    const settled = answer.catch(() => {}).finally(() => this.#asked.delete(settled))
    this.#asked.add(settled)
  }
}
