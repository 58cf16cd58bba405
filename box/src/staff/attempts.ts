/**
 * Wrong PINs: counted by person and network together, so that a guesser locks out nobody who sits elsewhere. A name that many
 * networks guess at is answered slower where it has never signed in, and as always where it has; so is a network that tries many names.
 */
import type { FailedSignIns } from '@gatehouse/proto/wire/stats.ts'
import { GatehouseError } from '../errors.ts'
import { TokenBuckets } from '../http/token-bucket.ts'
import { networkOf } from '../network.ts'
import type { Asker } from './turns.ts'

/** So many are answered at once; the wait after each further one doubles, from a second on. */
const FREE = 4
/** From this many on the pair of person and network is locked. */
const LOCK_AT = 10
const LOCK_S = 15 * 60
/** Without a wrong one for this long, a pair or a name begins anew. */
const FORGET_MS = 60 * 60_000
/** Of one name, from all networks where it has never signed in: beyond these, one try in ten seconds. */
const FREE_OF_NAME = 30
const NAME_WAIT_S = 10
/** Of one network, of all names that have never signed in there, as invites are tried; right ones do not count. */
const OF_NETWORK = { perSecond: 1, burst: 20 } as const
const MOST_KEPT = 4_000

interface Tries {
  wrong: number
  /** Monotonic ms. */
  at: number
  until: number
}

export class Attempts {
  readonly #monotonic: () => number
  readonly #now: () => number
  readonly #pairs = new Map<string, Tries>()
  readonly #names = new Map<string, Tries>()
  /** Networks from which a name has signed in. */
  readonly #known = new Map<string, true>()
  readonly #networks: TokenBuckets
  #count = 0
  #last: { at: number; address: string } | undefined

  /** @param clocks `monotonic` in milliseconds, `now` in unix ms */
  constructor(clocks: { monotonic: () => number; now: () => number }) {
    this.#monotonic = clocks.monotonic
    this.#now = clocks.now
    this.#networks = new TokenBuckets({ ...OF_NETWORK, now: clocks.monotonic })
  }

  /**
   * Counts a try as wrong until `succeeded`: of many that are sent at once, each counts before any is answered.
   * @param name as it was typed, whether or not somebody has it
   * @returns as whom this try waits for its turn
   * @throws GatehouseError `rate_limited`, also for a right PIN
   */
  begin(name: string, address: string): Asker {
    const at = this.#monotonic()
    const pair = pairOf(name, address)
    const tries = entryOf(this.#pairs, pair, at)
    if (at < tries.until) throw tooMany((tries.until - at) / 1000)
    const all = entryOf(this.#names, foldName(name), at)
    const isKnown = this.#known.has(pair)
    const network = networkOf(address)
    if (!isKnown && at < all.until) throw tooMany((all.until - at) / 1000)
    if (!isKnown) this.#networks.require(network, TOO_MANY)
    tries.wrong++
    tries.at = at
    if (tries.wrong > FREE) tries.until = at + (tries.wrong >= LOCK_AT ? LOCK_S : 2 ** (tries.wrong - FREE - 1)) * 1000
    if (!isKnown) {
      all.wrong++
      all.at = at
      if (all.wrong > FREE_OF_NAME) all.until = at + NAME_WAIT_S * 1000
    }
    this.noteFailed(address)
    return { lane: isKnown ? pair : network, isKnown }
  }

  /**
   * Counts a wrong code of an invite. A right one is answered whatever was tried: it has 128 random bits.
   * @throws GatehouseError `rate_limited`
   */
  wrongCode(address: string): void {
    this.noteFailed(address)
    this.#networks.require(networkOf(address), TOO_MANY)
  }

  /** The try that began last was right. */
  succeeded(name: string, address: string): void {
    const pair = pairOf(name, address)
    this.#pairs.delete(pair)
    const all = this.#names.get(foldName(name))
    if (all && !this.#known.has(pair)) {
      all.wrong--
      this.#networks.giveBack(networkOf(address), 1)
    }
    this.#known.delete(pair)
    this.#known.set(pair, true)
    bound(this.#known)
    this.#count--
  }

  /** A try without a name that failed. */
  noteFailed(address: string): void {
    this.#count++
    this.#last = { at: this.#now(), address: address.replace(/^::ffff:/i, '') }
  }

  /** Wrong ones since the box started; undefined where there was none. */
  seen(): FailedSignIns | undefined {
    if (!this.#last || this.#count === 0) return undefined
    return { count: this.#count, last_at: new Date(this.#last.at).toISOString(), last_address: this.#last.address }
  }
}

/** As two names are compared: whoever types theirs in another case is the same person. */
export function foldName(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}

function pairOf(name: string, address: string): string {
  return `${networkOf(address)} ${foldName(name)}`
}

function entryOf(map: Map<string, Tries>, key: string, at: number): Tries {
  const known = map.get(key)
  map.delete(key)
  const tries = known && at - known.at < FORGET_MS ? known : { wrong: 0, at, until: at }
  map.set(key, tries)
  bound(map)
  return tries
}

/** Forgets whatever is the longest ago. */
function bound(map: Map<string, unknown>): void {
  const [oldest] = map.keys()
  if (map.size > MOST_KEPT && oldest !== undefined) map.delete(oldest)
}

const TOO_MANY = 'Too many wrong PINs from here: wait, then try again, or ask an admin to set a new PIN.'

function tooMany(retryAfterSeconds: number): GatehouseError {
  return new GatehouseError('rate_limited', TOO_MANY, { retryAfterSeconds })
}
