/** HQ's certificate, and the files that an organiser copies to each box: both in HQ's data folder. */
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { openAuthority } from '../ca/authority.ts'
import { boxIdentity, type CertifiedKey, organiserIdentity, type ServerIdentity } from '../ca/server-identity.ts'
import { createDurably, replaceDurably } from '../durable-file.ts'
import { thisMachine } from '../http/machine.ts'
import type { Logger } from '../log.ts'
import type { HqConfig } from './config.ts'

export interface OwnIdentity {
  readonly shown: ServerIdentity
  /** `sha256:` and hex; undefined where the organiser's own certificate is shown. */
  readonly fingerprint: string | undefined
  /** The folder with the files for boxes: `ticket-key`, and `hq-ca.crt` unless the organiser's certificate is used. */
  readonly forBoxes: string
}

/** Interval of checks whether the certificate has to be renewed, or its files have changed. */
const LOOK_MS = 60_000

/** @throws GatehouseError for a file that cannot be used */
export async function openOwnIdentity(
  { dataDir, publicHost, tlsCert, tlsKey }: HqConfig,
  { logger, now, onRenewed }: { logger: Logger; now: () => number; onRenewed: (identity: CertifiedKey) => void },
): Promise<OwnIdentity> {
  const forBoxes = join(dataDir, 'for-boxes')
  await mkdir(forBoxes, { recursive: true, mode: 0o700 })
  // It names tickets across boxes. Whoever has it can try codes against the names, so it is in no table.
  await createDurably(join(forBoxes, 'ticket-key'), `${randomBytes(32).toString('hex')}\n`)
  const options = {
    now,
    everyMs: LOOK_MS,
    onRenewed,
    onProblem: (error: unknown) => logger.error({ event: 'certificate_not_renewed', err: error }),
  }
  if (tlsCert !== undefined && tlsKey !== undefined) {
    const shown = await organiserIdentity({ certPath: tlsCert, keyPath: tlsKey }, options)
    return { shown, fingerprint: undefined, forBoxes }
  }
  const authority = await openAuthority({
    dir: join(dataDir, 'ca'),
    eventId: 'gatehouse-hq',
    eventName: 'HQ',
    endsAt: now(),
    now,
    hostname: publicHost ?? hostname(),
  })
  await replaceDurably(join(forBoxes, 'hq-ca.crt'), authority.certificate)
  const shown = await boxIdentity(authority, {
    ...options,
    dir: join(dataDir, 'ca'),
    machine: () => thisMachine(publicHost),
  })
  if (publicHost !== undefined && shown.current.leftOut.includes(publicHost)) {
    const advice = `HQ's own authority cannot vouch for it: name a host name before the first start, bring a certificate with HQ_TLS_CERT, or remove ${join(dataDir, 'ca')} and give every box the new hq-ca.crt.`
    logger.warn({ event: 'hq_public_host_left_out', host: publicHost, advice })
  }
  return { shown, fingerprint: authority.fingerprint, forBoxes }
}
