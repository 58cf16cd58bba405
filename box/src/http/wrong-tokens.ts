/**
 * Wrong admin tokens: counted for the dashboard, logged without the token, and answered slower and slower, by network. A right
 * token is answered at any rate, also from a network that guesses: it has 256 random bits, which no rate finds, and whoever
 * shares an address with a guesser must not be locked out. What the wait bounds is work and noise.
 */
import type { WrongTokens as Seen } from '@gatehouse/proto/wire/stats.ts'
import { GatehouseError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { networkOf } from '../network.ts'

/** So many are answered at once: a person mistypes, and a page with an old token asks several routes. */
const FREE = 10
/** The wait after each further one doubles, from a second to this. */
const LONGEST_WAIT_S = 60
/** Without a wrong token for this long, a network begins anew. */
const FORGET_MS = 15 * 60_000
/** Networks that are remembered; with more of them, the one that was quiet for the longest is forgotten. */
const MOST_NETWORKS = 2_000
/** At most one log line in this time, whatever comes. */
const LOG_EVERY_MS = 10_000

interface Network {
  wrong: number
  /** Monotonic ms. */
  at: number
  /** Monotonic ms: until then it is answered `rate_limited`. */
  until: number
}

export interface WrongTokensDeps {
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Milliseconds, monotonic. */
  monotonic: () => number
}

export class WrongTokens {
  readonly #deps: WrongTokensDeps
  /** In the order of their last wrong token. */
  readonly #networks = new Map<string, Network>()
  #count = 0
  #unlogged = 0
  #logAt = Number.NEGATIVE_INFINITY
  #last: { at: number; address: string } | undefined

  constructor(deps: WrongTokensDeps) {
    this.#deps = deps
  }

  /** One more wrong token from this address. @throws GatehouseError `rate_limited` while the address has to wait */
  note(address: string): void {
    const { now, monotonic } = this.#deps
    const at = monotonic()
    this.#count++
    this.#last = { at: now(), address: address.replace(/^::ffff:/i, '') }
    this.#log(at, this.#last.address)
    const network = this.#network(networkOf(address), at)
    network.at = at
    // Not made longer by what comes meanwhile: the wait ends, whatever is sent.
    if (at < network.until) throw tooMany((network.until - at) / 1000)
    network.wrong++
    if (network.wrong <= FREE) return
    const waitSeconds = Math.min(LONGEST_WAIT_S, 2 ** (network.wrong - FREE - 1))
    network.until = at + waitSeconds * 1000
  }

  /** Since the box started; undefined where there was none. */
  seen(): Seen | undefined {
    if (!this.#last) return undefined
    const { at, address } = this.#last
    return { count: this.#count, last_at: new Date(at).toISOString(), last_address: address }
  }

  #network(key: string, at: number): Network {
    const known = this.#networks.get(key)
    this.#networks.delete(key)
    const network = known && at - known.at < FORGET_MS ? known : { wrong: 0, at, until: at }
    this.#networks.set(key, network)
    const [oldest] = this.#networks.keys()
    if (this.#networks.size > MOST_NETWORKS && oldest !== undefined) this.#networks.delete(oldest)
    return network
  }

  #log(at: number, address: string): void {
    this.#unlogged++
    if (at < this.#logAt) return
    this.#deps.logger.warn({ event: 'wrong_admin_token', address, count: this.#unlogged })
    this.#unlogged = 0
    this.#logAt = at + LOG_EVERY_MS
  }
}

function tooMany(retryAfterSeconds: number): GatehouseError {
  const message =
    'Too many wrong admin tokens from here: wait, then enter the one from the file admin-token of the box.'
  return new GatehouseError('rate_limited', message, { retryAfterSeconds })
}
