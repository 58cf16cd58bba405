/**
 * Signing in with the organiser's provider. The page keeps a secret of its own while the person is away: an answer that somebody else
 * has begun, and slips to this browser, ends here.
 */
import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { addressOf } from '../../ca/actor.ts'
import { GatehouseError } from '../../errors.ts'
import type { PersonRow } from '../../ledger/staff-schema.ts'
import type { Logger } from '../../log.ts'
import type { Attempts } from '../attempts.ts'
import { Pending } from '../pending.ts'
import type { People } from '../people.ts'
import type { Sessions } from '../sessions.ts'
import { type Claims, nameOf, personIdOf, roleOf } from './claims.ts'
import type { Asked, Provider } from './provider.ts'

/** For as long as somebody looks for a password and a second factor. */
const PENDING_MS = 10 * 60_000
/** Somebody who gave the password to the provider this long ago, or less, has just given it. */
const FRESH_MS = 2 * 60_000

export interface ProviderSignInDeps {
  provider: Provider
  people: People
  sessions: Sessions
  attempts: Attempts
  logger: Logger
  /** Seed of the event's key. */
  seed: Buffer
  eventId: string
  /** Unix ms. */
  now: () => number
  monotonic: () => number
}

/** Somebody whom the provider vouches for, and who may sign in. */
export interface Vouched {
  readonly person: PersonRow
  readonly issuer: string
  /** They gave their password just now. */
  readonly isFresh: boolean
}

export class ProviderSignIn {
  readonly #deps: ProviderSignInDeps
  readonly #key: Buffer
  readonly #pending: Pending<Asked & { readonly secretHash: Buffer }>

  constructor(deps: ProviderSignInDeps) {
    this.#deps = deps
    this.#key = Buffer.from(hkdfSync('sha256', deps.seed, deps.eventId, 'gatehouse staff account', 32))
    this.#pending = new Pending({ monotonic: deps.monotonic, lifeMs: PENDING_MS })
  }

  /** The provider's name, for the button. */
  get host(): string {
    return new URL(this.#deps.provider.settings.issuer).host
  }

  /**
   * @returns the provider's page, and the secret that the browser keeps until it comes back
   * @throws GatehouseError `provider_unavailable`; `rate_limited`
   */
  async begin(redirectUri: string, ip: string): Promise<{ url: string; state: string; secret: string }> {
    this.#pending.requireTurn(ip)
    const [verifier, nonce, secret] = [random(), random(), random()]
    const asked = { verifier, nonce, redirectUri }
    const state = this.#pending.begin(ip, { ...asked, secretHash: hashOf(secret) })
    try {
      return { url: await this.#deps.provider.pageFor(state, asked), state, secret }
    } catch (error) {
      this.#pending.take(state)
      throw error
    }
  }

  /**
   * Taken once, whatever comes of it: an answer that is sent again is refused before the provider is asked.
   * @param answer the query with which the provider sent the browser back
   * @throws GatehouseError `bad_token`; `not_allowed` for somebody without a role here; `provider_unavailable`; `rate_limited`
   */
  async finish({ state, secret, answer }: { state: string; secret: string; answer: string }, ip: string) {
    const asked = this.#pending.take(state)
    if (!asked || !timingSafeEqual(hashOf(secret), asked.secretHash)) {
      this.#deps.attempts.noteFailed(ip)
      throw new GatehouseError('bad_token', 'This sign-in is over, or began in another browser: begin again.', {
        reason: 'sign_in_over',
      })
    }
    try {
      return await this.#enter(await this.#deps.provider.claimsOf(answer, state, asked), ip)
    } catch (error) {
      const { code } = error as GatehouseError
      if (code === 'bad_token' || code === 'not_allowed') this.#deps.attempts.noteFailed(ip)
      // The only place with the reason, for whoever sets this up: the sentence for the person says none.
      if (code === 'bad_token') this.#deps.logger.warn({ event: 'provider_answer_refused', ...reasonOf(error) })
      throw error
    }
  }

  async #enter(claims: Claims, ip: string): Promise<Vouched> {
    const { people, sessions, provider } = this.#deps
    const { issuer, groupsClaim, roles } = provider.settings
    const id = personIdOf(this.#key, issuer, String(claims.sub))
    const role = roleOf(claims, groupsClaim, roles)
    if (role === undefined) {
      sessions.endOf(id)
      throw new GatehouseError('not_allowed', 'None of your groups has a role at this event: ask who runs it.', {
        reason: 'no_role_here',
      })
    }
    const by = { actor: this.host, address: addressOf(ip) }
    const person = await people.vouchedFor({ id, name: nameOf(claims, id), role }, by)
    return { person, issuer, isFresh: this.#isFresh(claims.auth_time) }
  }

  #isFresh(authTime: unknown): boolean {
    return typeof authTime === 'number' && Math.abs(this.#deps.now() - authTime * 1000) < FRESH_MS
  }
}

/** Codes alone: messages may quote what was sent. */
function reasonOf(error: unknown): { reason: string; said?: string } {
  const { code, error: said } = ((error as Error).cause ?? {}) as { code?: unknown; error?: unknown }
  return {
    reason: typeof code === 'string' ? code : 'unknown',
    ...(typeof said === 'string' && /^[a-z_]{1,60}$/.test(said) && { said }),
  }
}

function random(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
