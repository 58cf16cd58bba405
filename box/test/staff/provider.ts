/** A real OpenID provider over TLS on loopback, with an authority of its own; and a browser's way through its pages. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Provider } from 'oidc-provider'
import type { Environment } from '../../src/config.ts'
import { makeAuthority } from '../world/certificates.ts'

export interface Account {
  name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  groups?: unknown
}

const CLIENT = { id: 'gatehouse', secret: 'a-secret-of-the-test-0123456789abcdef' }
export const ROLES = { crew: 'operator', doors: 'desk', 'gate admins': 'admin', guests: 'viewer' } as const

type Server = ReturnType<typeof createServer>

export class TestProvider implements AsyncDisposable {
  readonly accounts = new Map<string, Account>()
  /** Requests that it got, by path. */
  readonly asked: string[] = []
  readonly ca: string
  readonly #folder: string
  #server: Server
  #handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  #port = 0
  /** Shown in place of the key with which it signs. */
  shownKey: JsonWebKey | undefined
  readonly #tls: { cert: string; key: string }

  private constructor(ca: string, tls: { cert: string; key: string }) {
    this.ca = ca
    this.#tls = tls
    this.#folder = mkdtempSync(join(tmpdir(), 'gatehouse-provider-'))
    writeFileSync(join(this.#folder, 'ca.pem'), ca)
    writeFileSync(join(this.#folder, 'secret'), `${CLIENT.secret}\n`, { mode: 0o600 })
    this.#server = this.#newServer()
  }

  static async open(): Promise<TestProvider> {
    const authority = await makeAuthority('Provider')
    const names = [{ type: 'ip', value: '127.0.0.1' } as const, { type: 'dns', value: 'localhost' } as const]
    const provider = new TestProvider(authority.ca, await authority.issue('login.test', names))
    await provider.start()
    return provider
  }

  get issuer(): string {
    return `https://127.0.0.1:${this.#port}`
  }

  /** Settings of a box whose people sign in here. */
  get environment(): Environment {
    return {
      GATEHOUSE_OIDC_ISSUER: this.issuer,
      GATEHOUSE_OIDC_CLIENT_ID: CLIENT.id,
      GATEHOUSE_OIDC_SECRET_FILE: join(this.#folder, 'secret'),
      GATEHOUSE_OIDC_CA: join(this.#folder, 'ca.pem'),
      GATEHOUSE_OIDC_ROLES: JSON.stringify(ROLES),
    }
  }

  /** @param inUserinfo names and groups are in the answer of the userinfo endpoint alone */
  serve(redirectUri: string, { inUserinfo = false } = {}): void {
    const key = { ...rsaKey(), kid: 'of-the-test', use: 'sig', alg: 'RS256' }
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
      jwks: { keys: [key] },
      cookies: { keys: ['a-key-of-the-test'] },
      claims: { openid: ['sub', 'groups', 'email', 'email_verified'], profile: ['name', 'preferred_username'] },
      conformIdTokenClaims: inUserinfo,
      features: { devInteractions: { enabled: false } },
      ttl: { IdToken: 30 },
      pkce: { required: () => true },
      interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...this.accounts.get(sub) }) }),
    } as ConstructorParameters<typeof Provider>[1])
    const callback = provider.callback()
    this.#handle = (request, response) => {
      const path = new URL(request.url ?? '/', this.issuer).pathname
      this.asked.push(path)
      if (path === '/jwks' && this.shownKey) {
        const { kty, n, e } = this.shownKey
        const shown = { keys: [{ kty, n, e, kid: key.kid, use: 'sig', alg: 'RS256' }] }
        response.setHeader('content-type', 'application/jwk-set+json').end(JSON.stringify(shown))
      } else if (path.startsWith('/sign-in/')) void signInPage(provider, request, response)
      else void callback(request, response)
    }
  }

  /** Answers every request from now on by `handle`. */
  answerWith(handle: (request: IncomingMessage, response: ServerResponse) => void): void {
    this.#handle = handle
  }

  async start(): Promise<void> {
    this.#server = this.#newServer()
    await new Promise<void>((done) => this.#server.listen(this.#port, '127.0.0.1', done))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Gone, as from a box whose internet was cut. */
  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    this.#server.closeAllConnections()
    await promise
  }

  /**
   * Somebody signs in on the provider's pages.
   * @returns the address to which the provider sends the browser back
   */
  async walk(url: string, account: string): Promise<URL> {
    const jar = new Map<string, string>()
    const agent = new Agent({ ca: this.ca, keepAlive: false })
    let next = new URL(url)
    let form: string | undefined
    for (let step = 0; step < 10; step++) {
      const { status, location, cookies, text } = await send(next, { agent, jar, form })
      for (const cookie of cookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        jar.set(name, value)
      }
      form = undefined
      if (location === undefined) {
        assert.equal(status, 200, text)
        form = `account=${encodeURIComponent(account)}`
        continue
      }
      next = new URL(location, next)
      if (next.origin !== this.issuer) return next
    }
    throw new Error(`${next} leads nowhere`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop().catch(() => undefined)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #newServer(): Server {
    return createServer(this.#tls, (request, response) => this.#handle(request, response))
  }
}

export function rsaKey(): JsonWebKey {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
}

/** Asks for the account, and agrees to everything. */
async function signInPage(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      '<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><form method="post"><label>Account <input name="account"></label><button>Go on</button></form></html>',
    )
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const accountId = new URLSearchParams(Buffer.concat(chunks).toString()).get('account') ?? ''
  const { params } = await provider.interactionDetails(request, response)
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  const consent = { grantId: await grant.save() }
  await provider.interactionFinished(request, response, { login: { accountId }, consent })
}

interface Walking {
  agent: Agent
  jar: ReadonlyMap<string, string>
  form: string | undefined
}

function send(url: URL, { agent, jar, form }: Walking) {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = {
    ...(cookie && { cookie }),
    ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  const method = form === undefined ? 'GET' : 'POST'
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    location: string | undefined
    cookies: string[]
    text: string
  }>()
  const asking = request(url, { method, headers, agent }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.once('end', () => {
      const { location, 'set-cookie': cookies = [] } = answer.headers
      resolve({ status: answer.statusCode ?? 0, location, cookies, text: Buffer.concat(chunks).toString() })
    })
  })
  asking.once('error', reject)
  asking.end(form)
  return promise
}
