/**
 * PINs and passwords: argon2id (RFC 9106) with a key of the event that is in no ledger. A PIN has few values, and whoever copies the
 * ledger alone must not be able to try them all.
 */

import {
  type Argon2Parameters,
  createHash,
  hkdfSync,
  argon2 as nodeArgon2,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CodeOf, SaidValues } from '@gatehouse/proto/said.ts'
import { GatehouseError } from '../errors.ts'
import { type Asker, Turns } from './turns.ts'

/** OWASP's least for argon2id, about 40 ms of a PC's core; it runs on a thread beside the one that answers scans. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const FEWEST_DIGITS = 6
const FEWEST_LETTERS = 8
export const MOST_SECRET = 128

/** A new PIN is set by somebody who is signed in. */
const OF_THE_LIST: Asker = { lane: 'list of staff', isKnown: true }

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

export type Argon2 = (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

export class Secrets {
  readonly #key: Buffer
  readonly #turns = new Turns()
  readonly #argon2: Argon2

  /**
   * @param seed of the event's key, the same at all its boxes: a PIN that was set at one opens them all
   * @param argon2 counted by a test; node's own by default
   */
  constructor(seed: Buffer, eventId: string, argon2: Argon2 = promisify(nodeArgon2)) {
    this.#argon2 = argon2
    this.#key = Buffer.from(hkdfSync('sha256', seed, eventId, 'gatehouse staff secret', 32))
  }

  /** The form that is stored. @param person id of the person: the same PIN of two has nothing in common */
  async seal(secret: string, person: string): Promise<string> {
    const nonce = randomBytes(16)
    const tag = await this.#turns.take(OF_THE_LIST, () => this.#hash(secret, person, nonce, COST))
    const { memory, passes, parallelism } = COST
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
  }

  /**
   * Takes as long for a person without a secret, and for nobody at all.
   * @param stored null to compute and refuse
   * @throws GatehouseError `rate_limited` where too many of this asker wait
   */
  async matches(secret: string, person: string, stored: string | null, asker: Asker): Promise<boolean> {
    const [, memory, passes, parallelism, nonce = '', tag = ''] = PHC.exec(stored ?? '') ?? []
    const cost = memory
      ? { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), tagLength: 32 }
      : COST
    const salt = nonce === '' ? Buffer.alloc(16) : Buffer.from(nonce, 'base64')
    const given = await this.#turns.take(asker, () => this.#hash(secret, person, salt, cost))
    return tag !== '' && timingSafeEqual(given, Buffer.from(tag, 'base64'))
  }

  async #hash(secret: string, person: string, nonce: Buffer, cost: typeof COST | Cost): Promise<Buffer> {
    const message = Buffer.from(secret.normalize('NFKC'))
    return this.#argon2('argon2id', { message, nonce, ...cost, secret: this.#key, associatedData: Buffer.from(person) })
  }
}

interface Cost {
  memory: number
  passes: number
  parallelism: number
  tagLength: number
}

/** @throws GatehouseError `bad_request` for a PIN or password that is guessed in a few tries: too short, a row, the name, one that many have */
export function requireGoodSecret(given: string, name: string): void {
  // In the form that is stored: wide letters of an Asian keyboard are the same word.
  const secret = given.normalize('NFKC')
  const refuse = (message: string, reason: CodeOf<'staff'>, values?: SaidValues) =>
    new GatehouseError('bad_request', message, { reason, ...(values && { values }) })
  const [digits, letters] = [FEWEST_DIGITS, FEWEST_LETTERS]
  if (/^\d*$/.test(secret)) {
    if (secret.length < digits)
      throw refuse(`A PIN has at least ${digits} digits: choose a longer one.`, 'pin_short', { digits })
    if (isRow(secret) || isCommon(secret))
      throw refuse('This PIN is one of the first that anybody tries: choose another one.', 'pin_easy')
    return
  }
  if ([...secret].length < letters) {
    throw refuse(
      `A password has at least ${letters} characters, a PIN at least ${digits} digits: choose a longer one.`,
      'password_short',
      { letters, digits },
    )
  }
  const plain = secret.toLowerCase()
  const known = name
    .toLowerCase()
    .split(/\s+/)
    .some(
      (part) => part.length > 2 && plain === part.repeat(Math.ceil(plain.length / part.length)).slice(0, plain.length),
    )
  if (known || isCommon(plain) || new Set(plain).size < 4)
    throw refuse('This password is one of the first that anybody tries: choose another one.', 'password_easy')
}

/** 000000, 123456, 987654, 121212, 123123, and so on. */
function isRow(digits: string): boolean {
  const steps = new Set([...digits].slice(1).map((digit, i) => (Number(digit) - Number(digits[i]) + 10) % 10))
  const repeats = [1, 2, 3].some(
    (length) => digits === digits.slice(0, length).repeat(digits.length).slice(0, digits.length),
  )
  return steps.size === 1 || repeats
}

/** Read anew each time: a new PIN is rare, and the list would be in memory for nothing. */
function isCommon(plain: string): boolean {
  if (plain === 'gatehouse') return true
  return readFileSync(join(import.meta.dirname, 'common-secrets.txt'), 'utf8')
    .split('\n')
    .includes(plain)
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/** SHA-256 of the stored form, hex, as entries name it; null for none. */
export function secretDigest(stored: string | null): string | null {
  return stored === null ? null : createHash('sha256').update(stored).digest('hex')
}
