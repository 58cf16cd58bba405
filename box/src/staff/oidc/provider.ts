/**
 * The organiser's OpenID provider. The box asks it when somebody signs in and at no other time: it starts, and runs, without it. What the
 * provider says of itself is kept from the beginning of a sign-in to its end.
 */
import { readFileSync, statSync } from 'node:fs'
import type { Configuration } from 'openid-client'
import * as openid from 'openid-client'
import { GatehouseError } from '../../errors.ts'
import type { ProviderSettings } from '../../provider-settings.ts'
import type { Claims } from './claims.ts'
import { type Outgoing, outgoing } from './outgoing.ts'

const KEEP_MS = 3_600_000
/** People who wait for an answer of the provider: more would take the places of those who work. */
const MOST_WAITING = 8
const CLOCKS_DIFFER_S = 60

/** The box's memory of a sign-in that goes on at the provider's page. */
export interface Asked {
  readonly verifier: string
  readonly nonce: string
  /** Address to which the provider sends the person back, exactly. */
  readonly redirectUri: string
}

export class Provider implements AsyncDisposable {
  readonly settings: ProviderSettings
  readonly #secret: string
  readonly #outgoing: Outgoing
  readonly #clocks: { monotonic: () => number; now: () => number }
  #known: { configuration: Configuration; until: number } | undefined
  #discovering: Promise<Configuration> | undefined
  #waiting = 0

  /** @throws Error for a secret that is missing, or that others may read */
  constructor(settings: ProviderSettings, clocks: { monotonic: () => number; now: () => number }) {
    this.settings = settings
    this.#secret = readSecret(settings.secretFile)
    this.#outgoing = outgoing(settings.ca)
    this.#clocks = clocks
  }

  /** The address of the provider's page. @throws GatehouseError `provider_unavailable`; `rate_limited` */
  pageFor(state: string, { verifier, nonce, redirectUri }: Asked): Promise<string> {
    // Asked anew each time: nobody is sent to a page that does not come.
    this.#known = undefined
    return this.#bounded(async (configuration) => {
      const { scope, prompt } = this.settings
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope,
        prompt,
        // The person at a shared tablet is asked who they are, and the answer says when that was.
        ...(prompt === 'login' && { max_age: '0' }),
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    })
  }

  /**
   * Turns the answer that the browser brought back into what the provider says of the person.
   * @param answer the query of the address that the provider sent the browser to
   * @throws GatehouseError `bad_token` for an answer that does not hold; `provider_unavailable`; `rate_limited`
   */
  claimsOf(answer: string, state: string, { verifier, nonce, redirectUri }: Asked): Promise<Claims> {
    return this.#bounded(async (configuration) => {
      const url = new URL(redirectUri)
      url.search = answer
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
      const tokens = await openid.authorizationCodeGrant(configuration, url, checks)
      const claims = tokens.claims()
      if (!claims) throw new Error('There is no ID token.')
      const isAll = Object.hasOwn(claims, this.settings.groupsClaim) && Object.hasOwn(claims, 'name')
      if (isAll || !configuration.serverMetadata().userinfo_endpoint) return claims
      // Some providers say names and groups there alone. The subject has to be the same one.
      const more = await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return { ...more, ...claims }
    })
  }

  async #bounded<T>(work: (configuration: Configuration) => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING)
      throw new GatehouseError('rate_limited', 'Many people sign in at this moment: try again in a few seconds.', {
        retryAfterSeconds: 3,
      })
    this.#waiting++
    try {
      return await work(await this.#configuration())
    } catch (error) {
      throw refusalOf(error)
    } finally {
      this.#waiting--
    }
  }

  #configuration(): Promise<Configuration> {
    const known = this.#known
    if (known && this.#clocks.monotonic() < known.until) return Promise.resolve(known.configuration)
    this.#discovering ??= this.#discover().finally(() => {
      this.#discovering = undefined
    })
    return this.#discovering
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId } = this.settings
    const options = { [openid.customFetch]: this.#outgoing.fetch, execute: [openid.enableNonRepudiationChecks] }
    // The box's clock decides, as everywhere.
    const skew = Math.round((this.#clocks.now() - Date.now()) / 1000)
    const metadata = { [openid.clockSkew]: skew, [openid.clockTolerance]: CLOCKS_DIFFER_S }
    const configuration = await openid.discovery(new URL(issuer), clientId, metadata, this.#authentication(), options)
    // A provider of many organisations says a pattern here: anybody of any of them would be let in.
    const said = configuration.serverMetadata().issuer
    if (said !== issuer)
      throw new GatehouseError('provider_unavailable', otherIssuer(), { reason: 'provider_other_issuer' })
    this.#known = { configuration, until: this.#clocks.monotonic() + KEEP_MS }
    return configuration
  }

  /** HTTP Basic unless the provider says that it takes something else (OpenID Connect Discovery 1.0, 3). */
  #authentication(): openid.ClientAuth {
    const [basic, post] = [openid.ClientSecretBasic(this.#secret), openid.ClientSecretPost(this.#secret)]
    return (server, client, body, headers) => {
      const methods = server.token_endpoint_auth_methods_supported
      const isPost = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
      return (isPost ? post : basic)(server, client, body, headers)
    }
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#outgoing[Symbol.asyncDispose]()
  }
}

/** @throws Error with what to correct */
function readSecret(path: string): string {
  const { mode } = statSync(path)
  if ((mode & 0o077) !== 0) throw new Error(`${path} can be read by others: chmod 600 it.`)
  const secret = readFileSync(path, 'utf8').trim()
  if (secret === '') throw new Error(`${path} holds no secret: write the one that the provider has shown into it.`)
  return secret
}

/** An answer that never came is one thing; one that does not hold is another, whatever is wrong with it. */
function refusalOf(error: unknown): GatehouseError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof GatehouseError) return cause
  const message = "The organiser's sign-in was not completed: begin again."
  return new GatehouseError('bad_token', message, { reason: 'provider_unfinished', cause: error })
}

function otherIssuer(): string {
  return "The organiser's sign-in names another issuer than this box's settings: an admin has to correct them."
}
