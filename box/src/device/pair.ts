/** Enrolment as a device does it: checks whose box it is, makes a key that never leaves, and asks for a certificate. */
import 'reflect-metadata'
import { createHash, X509Certificate } from 'node:crypto'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509'
import { tlsFetch } from './tls-fetch.ts'

/** What a device keeps. All PEM, but for the token. */
export interface PairedDevice {
  id: string
  key: string
  certificate: string
  ca: string
  token: string
  /** Base URL of the device port. */
  deviceUrl: string
  /** Base URL that the invite named. */
  baseUrl: string
  checkpoints: string[]
}

/** Pairing failed; the message says what to do. */
export class PairingError extends Error {
  override readonly name = 'PairingError'
}

/** @throws PairingError for a text that is no invite */
export function readInvite(url: string): { baseUrl: string; fingerprint: string; code: string } {
  try {
    const fragment = new URL(url).hash.slice(1)
    const payload = new URLSearchParams(fragment).get('i') ?? ''
    const { u, fp, i } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    if ([u, fp, i].every((part) => typeof part === 'string' && part !== '')) {
      return { baseUrl: new URL(u).origin, fingerprint: fp, code: i }
    }
  } catch {
    // Falls through: whatever is wrong with it, the person does the same thing next.
  }
  throw new PairingError('This is not an invite: copy the whole link that the box shows, with everything after the #.')
}

/** @param inviteUrl the QR code's content @throws PairingError, also with the box's own words for a refused invite */
export async function pair(inviteUrl: string, name: string): Promise<PairedDevice> {
  const { baseUrl, fingerprint, code } = readInvite(inviteUrl)
  const ca = await fetchAuthority(baseUrl, fingerprint)
  const { csr, key } = await newRequest()
  await using fetch = tlsFetch({ ca })
  const { data, error } = await gatehouseClient({ baseUrl, fetch }).POST('/v1/enroll', {
    body: { invite: code, name, csr },
  })
  if (!data) throw new PairingError(error.message)
  return {
    id: data.device_id,
    key,
    certificate: data.certificate,
    ca: data.ca_certificate,
    token: data.token,
    deviceUrl: data.device_url,
    baseUrl,
    checkpoints: data.checkpoints.map((checkpoint) => checkpoint.id),
  }
}

/** Whoever answers at that address may be anybody: the fingerprint came with the invite, and decides. */
async function fetchAuthority(baseUrl: string, fingerprint: string): Promise<string> {
  await using fetch = tlsFetch({ trustAnybody: true })
  let pem: string
  try {
    pem = await (await fetch(new Request(`${baseUrl}/ca.crt`))).text()
  } catch (cause) {
    throw new PairingError(`The box at ${baseUrl} does not answer: join its network, then try again.`, { cause })
  }
  if (`sha256:${fingerprintOf(pem)}` !== fingerprint) {
    throw new PairingError(
      'The box at that address is not the one that made this invite: check the network, and do not pair here.',
    )
  }
  return pem
}

function fingerprintOf(pem: string): string | undefined {
  try {
    return createHash('sha256').update(new X509Certificate(pem).raw).digest('hex')
  } catch {
    return undefined
  }
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

async function newRequest(): Promise<{ csr: string; key: string }> {
  const keys = await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
  const request = await Pkcs10CertificateRequestGenerator.create({ keys, signingAlgorithm: P256 })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const lines = pkcs8.match(/.{1,64}/g) ?? []
  return {
    csr: request.toString('pem'),
    key: ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n'),
  }
}
