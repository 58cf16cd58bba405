/** A box with a public name whose certificate holds, and people who add passkeys and sign in with them. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type {
  NewPasskeyRequest,
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyQuestion,
} from '@gatehouse/proto/wire/passkeys.ts'
import { PublicCertificate } from '../../src/certificate/public-certificate.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { type Answer, ask } from '../world/ask.ts'
import { makeAuthority } from '../world/certificates.ts'
import { World } from '../world/world.ts'
import { Authenticator, type Lie } from './authenticator.ts'
import { PIN, trySignIn } from './world.ts'

export const NAME = 'gate.example.org'
const DAY = 86_400_000

export class PasskeyWorld implements AsyncDisposable {
  readonly world: World
  readonly #ca: string
  readonly #stack: AsyncDisposableStack
  readonly #fetch: ReturnType<typeof tlsFetch>

  private constructor(world: World, ca: string) {
    this.world = world
    this.#ca = ca
    this.#stack = new AsyncDisposableStack()
    this.#stack.use(world)
    this.#fetch = this.#stack.use(tlsFetch({ ca }))
  }

  static async open(): Promise<PasskeyWorld> {
    const world = await World.open({ environment: { GATEHOUSE_CERTIFICATE_NAME: NAME } })
    const authority = await makeAuthority('Public CA')
    const valid = { notBefore: new Date(Date.now() - DAY), notAfter: new Date(Date.now() + 30 * DAY) }
    const { cert, key } = await authority.issue(NAME, [{ type: 'dns', value: NAME }], valid)
    await using beside = await PublicCertificate.open(
      { name: NAME, acme: undefined },
      { dataDir: join(world.folder, 'data'), logger: { info() {}, warn() {} }, now: Date.now, random: Math.random },
    )
    await beside.import({ cert: cert + authority.ca, key })
    await world.box.renewCertificates()
    return new PasskeyWorld(world, await world.ca)
  }

  /** At its address: the test does not resolve the name. */
  get admin(): GatehouseClient {
    const { ports, adminToken: token } = this.world.box
    return gatehouseClient({ baseUrl: `https://127.0.0.1:${ports.https}`, token, fetch: this.#fetch })
  }

  get origin(): string {
    return `https://${NAME}:${this.world.box.ports.https}`
  }

  authenticator(options?: ConstructorParameters<typeof Authenticator>[1]): Authenticator {
    return new Authenticator(() => this.origin, options)
  }

  send(path: string, { token, body, from }: { token?: string; body?: object; from?: string } = {}): Promise<Answer> {
    return ask(this.world.box.ports.https, path, {
      method: 'POST',
      tls: { ca: this.#ca },
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(from !== undefined && { from }),
    })
  }

  get(path: string, token: string): Promise<Answer> {
    return ask(this.world.box.ports.https, path, {
      tls: { ca: this.#ca },
      headers: { authorization: `Bearer ${token}` },
    })
  }

  get tls(): { ca: string } {
    return { ca: this.#ca }
  }

  /** With the PIN. @returns the token */
  async enter(name: string, secret = PIN): Promise<string> {
    const { status, text } = await trySignIn(this.world, name, secret)
    assert.equal(status, 201, text)
    return JSON.parse(text).token
  }

  async creation(token: string): Promise<PasskeyCreation> {
    const { status, text } = await this.send('/v1/admin/session/passkeys/begin', { token })
    assert.equal(status, 201, text)
    return JSON.parse(text)
  }

  add(token: string, made: Omit<NewPasskeyRequest, 'name'>, name = 'My phone'): Promise<Answer> {
    return this.send('/v1/admin/session/passkeys', { token, body: { name, ...made } })
  }

  /** @returns an authenticator whose passkey is on the list, and its id there */
  async added(
    token: string,
    authenticator = this.authenticator(),
  ): Promise<{ id: string; authenticator: Authenticator }> {
    const { status, text } = await this.add(token, authenticator.make(await this.creation(token)))
    assert.equal(status, 201, text)
    return { id: JSON.parse(text).id, authenticator }
  }

  async question(from?: string): Promise<PasskeyQuestion> {
    const { status, text } = await this.send('/v1/admin/session/passkey', { ...(from !== undefined && { from }) })
    assert.equal(status, 201, text)
    return JSON.parse(text)
  }

  finish(answer: PasskeyAnswer, from?: string): Promise<Answer> {
    return this.send('/v1/admin/session/passkey/finish', { body: answer, ...(from !== undefined && { from }) })
  }

  async tryWith(authenticator: Authenticator, lie: Lie = {}, from?: string): Promise<Answer> {
    return this.finish(authenticator.answer(await this.question(from), lie), from)
  }

  /** @returns the token of the session */
  async enterWith(authenticator: Authenticator): Promise<string> {
    const { status, text } = await this.tryWith(authenticator)
    assert.equal(status, 201, text)
    return JSON.parse(text).token
  }

  /** Rates begin anew. */
  later(): void {
    this.world.elapsedMs += 2 * 3_600_000
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}
