/** One certificate by ACME (RFC 8555) with DNS-01: account, order, record, proof, certificate. */

import { readFile } from 'node:fs/promises'
import { coded } from '@gatehouse/proto/said.ts'
import type { Authorization, Client } from 'acme-client'
import { GatehouseError } from '../errors.ts'
import { loadAcme, Overloaded } from './acme-library.ts'
import { type HeldCertificate, readChain } from './chain.ts'
import { dnsChange, type TxtRecord } from './dns/change.ts'
import { waitForRecord } from './dns/lookup.ts'
import { type CertificateCode, KnownFailure } from './failure.ts'
import type { Failure } from './schedule.ts'
import type { AcmeSettings } from './settings.ts'
import { newKey } from './store.ts'

/** The steps of an attempt, in their order. */
export const STAGES = ['account', 'order', 'record', 'proof', 'certificate'] as const
export type Stage = (typeof STAGES)[number]

/** Told while an attempt runs. @param record what a person has to write into DNS, with the method `manual` */
export type OnStage = (stage: Stage, record?: TxtRecord) => void

export interface Wanted {
  name: string
  acme: AcmeSettings
  /** PEM */
  accountKey: string
}

export interface OrderDeps {
  onStage: OnStage
  signal: AbortSignal
  /** Unix ms. */
  now: () => number
}

/** A person has this long to write the record; authorities keep an order for a week. */
const BY_HAND_MS = 24 * 3_600_000
/** Between two looks into DNS, by hand and by a service. */
const LOOK_BY_HAND_MS = 5_000
const LOOK_MS = 2_000

/** An attempt that failed, with what the schedule has to know of it. */
export class AttemptFailed extends Error implements Failure {
  override readonly name = 'AttemptFailed'
  readonly problem: string
  readonly coded: CertificateCode
  readonly reached: boolean
  readonly retryAfterMs: number | undefined

  constructor(cause: unknown, reached: boolean) {
    const problem = sentence(cause)
    super(problem, { cause })
    this.problem = problem
    this.coded = codeOf(cause, problem)
    this.reached = reached
    this.retryAfterMs = cause instanceof Overloaded ? cause.retryAfterMs : undefined
  }
}

/**
 * With a new key each time. Nothing is written.
 * @throws AttemptFailed
 */
export async function orderCertificate(wanted: Wanted, deps: OrderDeps): Promise<HeldCertificate> {
  const { name } = wanted
  const key = newKey()
  const cert = await orderChain(wanted, await requestFor(name, key), deps)
  try {
    return readChain({ cert, key }, { name, now: deps.now() })
  } catch (error) {
    throw new AttemptFailed(error, true)
  }
}

/** The certificate request for a name, PEM: the key stays where it is. @param key PEM */
export async function requestFor(name: string, key: string): Promise<string> {
  const { crypto } = await loadAcme(undefined)
  const [, request] = await crypto.createCsr({ commonName: name, altNames: [name] }, key)
  return String(request)
}

/**
 * Orders the certificate of a request, whose key may be with somebody else.
 * @param request for the name alone, PEM
 * @returns the certificate and its chain, PEM
 * @throws AttemptFailed
 */
export async function orderChain(wanted: Wanted, request: string, deps: OrderDeps): Promise<string> {
  const { name, acme } = wanted
  let reached = false
  const onStage: OnStage = (stage, record) => {
    reached ||= stage !== 'account'
    deps.onStage(stage, record)
  }
  try {
    onStage('account')
    const { client, ca } = await openAccount(wanted)
    deps.signal.throwIfAborted()
    onStage('order')
    const order = await client.createOrder({ identifiers: [{ type: 'dns', value: name }] })
    for (const authorization of await client.getAuthorizations(order))
      await prove(authorization, { ...deps, onStage, client, acme, ca })
    deps.signal.throwIfAborted()
    onStage('certificate')
    return String(await client.getCertificate(await client.finalizeOrder(order, request)))
  } catch (error) {
    throw new AttemptFailed(error, reached)
  }
}

/**
 * Revokes a certificate whose key somebody else has (RFC 8555, 7.6). The account gets a new key first: whoever has read one file of
 * the folder has read the other.
 * @param nextKey of the account, PEM
 * @param keepKey called once it is the account's
 */
export async function revoke(
  { cert }: Pick<HeldCertificate, 'cert'>,
  wanted: Wanted,
  nextKey: string,
  keepKey: (pem: string) => Promise<void>,
): Promise<void> {
  const { client } = await openAccount(wanted)
  await client.revokeCertificate(cert, { reason: KEY_COMPROMISE })
  await client.updateAccountKey(nextKey)
  await keepKey(nextKey)
}

const KEY_COMPROMISE = 1

async function openAccount({ acme: { directory, contact, ca: caFile }, accountKey }: Wanted) {
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8')
  const library = await loadAcme(ca)
  const client = new library.Client({
    ...{ directoryUrl: directory, accountKey },
    ...{ backoffAttempts: 20, backoffMin: 500, backoffMax: 5_000 },
  })
  // An authority that knows the key answers with the account that it has.
  await client.createAccount({
    termsOfServiceAgreed: true,
    ...(contact !== undefined && { contact: [`mailto:${contact}`] }),
  })
  return { client, ca }
}

type ProveDeps = OrderDeps & { client: Client; acme: AcmeSettings; ca: string | undefined }

async function prove(authorization: Authorization, deps: ProveDeps): Promise<void> {
  const { client, acme, ca, onStage, signal } = deps
  if (authorization.status === 'valid') return
  const challenge = authorization.challenges.find(({ type }) => type === 'dns-01')
  if (!challenge) throw new KnownFailure('The authority offers no proof by DNS (dns-01)', coded('no_dns_proof'))
  // The name of the record is the settings', whatever name the authority answers with.
  const record = { record: acme.dns.record, value: await client.getChallengeKeyAuthorization(challenge) }
  const change = dnsChange(acme.dns, ca)
  const byHand = acme.dns.method === 'manual'
  onStage('record', byHand ? record : undefined)
  await change.present(record, signal)
  try {
    const seen = await waitForRecord(record, {
      ...{ server: acme.dns.server, signal },
      ...(byHand
        ? { waitMs: BY_HAND_MS, everyMs: LOOK_BY_HAND_MS }
        : { waitMs: acme.dns.waitMs, everyMs: Math.min(LOOK_MS, acme.dns.waitMs) }),
    })
    if (seen === 'absent')
      throw new KnownFailure(
        `The record ${record.record} did not come into DNS`,
        coded('record_absent', {
          record: record.record,
        }),
      )
    signal.throwIfAborted()
    onStage('proof')
    await client.completeChallenge(challenge)
    await client.waitForValidStatus(challenge)
  } finally {
    // A record that stays proves nothing to anybody: its token is used up.
    await change.remove(record, signal).catch(() => {})
  }
}

/** What the authority or the network said themselves is quoted. */
function codeOf(cause: unknown, problem: string): CertificateCode {
  if (cause instanceof KnownFailure) return cause.coded
  const words = problem.replace(/\.$/, '')
  if (cause instanceof GatehouseError)
    return { code: 'not_usable', values: { why: words.replace('The certificate was not taken: ', '') } }
  return { code: 'attempt_failed', values: { words } }
}

/** One line that ends in a full stop; an authority's own words are shortened. */
function sentence(error: unknown): string {
  const { message = '', code } = error as NodeJS.ErrnoException
  const said = (message || code || 'The attempt failed').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return `${said.slice(0, 300).replace(/[.\s]+$/, '')}.`
}
