/** Enrols a device: verifies the box's identity, creates a key that never leaves the device, and requests a certificate. */
import 'reflect-metadata'
import { createHash, X509Certificate } from 'node:crypto'
import { getCACertificates } from 'node:tls'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509'
import { tlsFetch } from './tls-fetch.ts'

/** The stored identity of a device. All values are PEM except for the token. */
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
  /** True if a box refused the invite, false if none could be asked. */
  readonly refused: boolean

  constructor(message: string, { refused, ...options }: ErrorOptions & { refused: boolean }) {
    super(message, options)
    this.refused = refused
  }
}

/** @throws PairingError for a text that is not an invite */
export function readInvite(url: string): { baseUrl: string; fingerprint: string; code: string } {
  try {
    const fragment = new URL(url).hash.slice(1)
    const payload = new URLSearchParams(fragment).get('i') ?? ''
    const { u, fp, i } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const { protocol, origin } = new URL(u)
    // Not over plain HTTP: an eavesdropper could use the code first.
    if (protocol === 'https:' && [fp, i].every((part) => typeof part === 'string' && part !== '')) {
      return { baseUrl: origin, fingerprint: fp, code: i }
    }
  } catch {
    // Falls through: the person's next step is the same for every mistake.
  }
  throw new PairingError(
    'This is not an invite: copy the whole link that the box shows, with everything after the #.',
    { refused: false },
  )
}

/** A box on the same network answers within this time, if it is there. */
const PATIENCE_MS = 15_000

/** @param inviteUrl the QR code's content @throws PairingError, for a refused invite with the box's message */
export async function pair(inviteUrl: string, name: string): Promise<PairedDevice> {
  const { baseUrl, fingerprint, code } = readInvite(inviteUrl)
  const ca = await fetchAuthority(baseUrl, fingerprint)
  const { csr, key } = await newRequest()
  // An organiser's own certificate is from a CA that this machine trusts already.
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
 * Fetches the authority's certificate. Anybody may answer at that address, so it is checked against the invite's fingerprint.
 * @returns only the certificate with that fingerprint, PEM: others in the answer would be trusted as well
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

/** Creates a key, and the request for its certificate: both PEM. */
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
