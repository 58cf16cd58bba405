/** A tablet of the staff as a test has it: a key pair of its own, and requests that it signs. */
import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { signRequest } from '@gatehouse/proto/signature/sign.ts'
import { type Answer, type Ask, ask, openStream, type Stream } from '../world/ask.ts'
import type { World } from '../world/world.ts'

export function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

/** As a page sends it. */
export function publicKeyOf(key: KeyObject): string {
  const spki = createPublicKey(key.export({ type: 'pkcs8', format: 'pem' })).export({ type: 'spki', format: 'der' })
  return spki.toString('base64url')
}

/** @returns the code of a link that pairs a tablet with this person */
export async function invite(world: World, id: string, device = 'Tablet 7'): Promise<string> {
  const params = { path: { id } }
  const { data, error } = await (await world.admin()).POST('/v1/admin/staff/{id}/invite', { params, body: { device } })
  assert.ok(data, JSON.stringify(error))
  assert.ok(data.link.startsWith(`${world.box.baseUrl}/dashboard/#pair=`))
  return data.link.split('#pair=')[1] ?? ''
}

export async function tryToPair(world: World, code: string, public_key: string, from?: string): Promise<Answer> {
  return ask(world.box.ports.https, '/v1/admin/session/pair', {
    method: 'POST',
    tls: { ca: await world.ca },
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, public_key }),
    ...(from !== undefined && { from }),
  })
}

export interface PairedTablet {
  readonly id: string
  readonly token: string
  readonly key: KeyObject
}

export async function pair(world: World, code: string, key = newKey()): Promise<PairedTablet> {
  const { status, text } = await tryToPair(world, code, publicKeyOf(key))
  assert.equal(status, 201, text)
  const { session, token } = JSON.parse(text)
  return { id: session, token, key: createPrivateKey(key.export({ type: 'pkcs8', format: 'pem' })) }
}

export interface Signing {
  method?: string
  body?: string
  /** Unix seconds. */
  created?: number
  nonce?: string
  keyId?: string
}

/** Headers of a request of this tablet: its token, and the signature of its key. */
export async function signed(
  world: World,
  tablet: PairedTablet,
  path: string,
  how: Signing = {},
): Promise<Record<string, string>> {
  const { method = 'GET', body, created = Math.floor(world.now() / 1000), keyId = tablet.id } = how
  const headers = {
    authorization: `Bearer ${tablet.token}`,
    host: `localhost:${world.box.ports.https}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const url = `https://${headers.host}${path}`
  const added = await signRequest(
    { method, url, headers, ...(body !== undefined && { body: Buffer.from(body) }) },
    {
      ...{ keyId, alg: 'ecdsa-p256-sha256', created, nonce: how.nonce ?? crypto.randomUUID() },
      sign: async (base) => sign('sha256', base, { key: tablet.key, dsaEncoding: 'ieee-p1363' }),
    },
  )
  return { ...headers, ...added }
}

export async function send(world: World, path: string, options: Ask): Promise<Answer> {
  return ask(world.box.ports.https, path, { ...options, tls: { ca: await world.ca } })
}

/** A request as the tablet's page sends it. */
export async function askAs(world: World, tablet: PairedTablet, path: string, how: Signing = {}): Promise<Answer> {
  const { method = 'GET', body } = how
  const headers = await signed(world, tablet, path, how)
  return send(world, path, { method, headers, ...(body !== undefined && { body }) })
}

export async function streamOf(world: World, tablet: PairedTablet): Promise<Stream> {
  const path = '/v1/admin/stream'
  return openStream(world.box.ports.https, path, {
    headers: await signed(world, tablet, path),
    tls: { ca: await world.ca },
  })
}
