/** Enrolment as a device does it: checks whose box it is, makes a key that never leaves, and asks for a certificate. */
import 'reflect-metadata'
import { createHash, X509Certificate } from 'node:crypto'
import { getCACertificates } from 'node:tls'
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
  /** Whether a box was reached, and the answer is no. */
  readonly refused: boolean

  constructor(message: string, { refused, ...options }: ErrorOptions & { refused: boolean }) {
    super(message, options)
    this.refused = refused
  }
}

/** @throws PairingError for a text that is no invite */
export function readInvite(url: string): { baseUrl: string; fingerprint: string; code: string } {
  try {
    const fragment = new URL(url).hash.slice(1)
    const payload = new URLSearchParams(fragment).get('i') ?? ''
    const { u, fp, i } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const { protocol, origin } = new URL(u)
    // In the clear, whoever listens would have the code first.
    if (protocol === 'https:' && [fp, i].every((part) => typeof part === 'string' && part !== '')) {
      return { baseUrl: origin, fingerprint: fp, code: i }
    }
  } catch {
    // Falls through: whatever is wrong with it, the person does the same thing next.
  }
  throw new PairingError(
    'This is not an invite: copy the whole link that the box shows, with everything after the #.',
    { refused: false },
  )
}

/** A box on the same network answers at once, or is not there. */
const PATIENCE_MS = 15_000

/** @param inviteUrl the QR code's content @throws PairingError, also with the box's own words for a refused invite */
export async function pair(inviteUrl: string, name: string): Promise<PairedDevice> {
  const { baseUrl, fingerprint, code } = readInvite(inviteUrl)
  const ca = await fetchAuthority(baseUrl, fingerprint)
  const { csr, key } = await newRequest()
  // An organiser's own certificate is from an authority that this machine trusts anyway.
  await using fetch = tlsFetch({ ca: [ca, ...getCACertificates('default')] })
  const { data, error } = await gatehouseClient({ baseUrl, fetch })
    .POST('/v1/enroll', { body: { invite: code, name, csr }, signal: AbortSignal.timeout(PATIENCE_MS) })
    .catch((cause) => {
      throw noAnswer(baseUrl, cause)
    })
  if (!data) throw new PairingError(error.message, { refused: true })
  return {
    id: data.device_id,
    key,
    certificate: data.certificate,
    ca,
    token: data.token,
    deviceUrl: data.device_url,
    baseUrl,
    checkpoints: data.checkpoints.map((checkpoint) => checkpoint.id),
  }
}

/**
 * Whoever answers at that address may be anybody: the fingerprint came with the invite, and decides.
 * @returns the one certificate that it names, PEM; others that came along would be trusted as much
 */
export async function fetchAuthority(baseUrl: string, fingerprint: string): Promise<string> {
  await using fetch = tlsFetch({ trustAnybody: true })
  let pem: string
  try {
    const request = new Request(`${baseUrl}/ca.crt`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    pem = await (await fetch(request)).text()
  } catch (cause) {
    throw noAnswer(baseUrl, cause)
  }
  const certificate = parseCertificate(pem)
  const found = certificate && createHash('sha256').update(certificate.raw).digest('hex')
  if (!certificate || `sha256:${found}` !== fingerprint) {
    throw new PairingError(
      'The box at that address is not the one that made this invite: check the network, and do not pair here.',
      { refused: true },
    )
  }
  return certificate.toString()
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

function noAnswer(baseUrl: string, cause: unknown): PairingError {
  return new PairingError(`The box at ${baseUrl} does not answer: join its network, then try again.`, {
    cause,
    refused: false,
  })
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A new key that stays here, and the request for its certificate: both PEM. */
export async function newRequest(): Promise<{ csr: string; key: string }> {
  const keys = await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
  const request = await Pkcs10CertificateRequestGenerator.create({ keys, signingAlgorithm: P256 })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const lines = pkcs8.match(/.{1,64}/g) ?? []
  return {
    csr: request.toString('pem'),
    key: ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n'),
  }
}
