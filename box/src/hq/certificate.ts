/**
 * `gatehouse-hq certificate`: obtains a publicly trusted certificate for a box that sent a request. The box has the key, and nobody
 * here sees it; HQ has what proves the name in DNS, and the box needs neither that nor the internet.
 */
import { readFile, writeFile } from 'node:fs/promises'
import type { TxtRecord } from '../certificate/dns/change.ts'
import { AttemptFailed, orderChain } from '../certificate/order.ts'
import { readRequest } from '../certificate/request.ts'
import { CertificateStore } from '../certificate/store.ts'
import { isPublicName } from '../public-name.ts'
import { listenForStop, UsageError } from '../usage.ts'
import { BoxError } from './boxes.ts'
import { type HqEnvironment, readHqAcme } from './config.ts'

export interface CertificateOptions {
  host?: string | undefined
  request?: string | undefined
  out?: string | undefined
}

/** @returns what was done, in words @throws BoxError with the reason why there is no certificate */
export async function obtainCertificate(options: CertificateOptions, environment: HqEnvironment): Promise<string> {
  const { request: from, out } = options
  const host = options.host?.toLowerCase()
  if (host === undefined || from === undefined || out === undefined)
    throw new UsageError('certificate needs --host NAME, --request FILE and --out FILE.')
  if (!isPublicName(host)) throw new UsageError(`"${host}" is not a host name in a domain, such as gate.example.org.`)
  const { dataDir, acme } = readHqAcme(environment, host)
  if (!acme) throw new UsageError('HQ_ACME_DNS is missing.')
  const { pem, names, keyFingerprint } = await readRequest(await readFile(from, 'utf8'))
  // The author of the request could ask for any name of the domain.
  if (names.length !== 1 || names[0] !== host)
    throw new BoxError(
      `${from} asks for ${names.join(', ') || 'no name'}, and not for ${host} alone. Nothing was ordered.`,
    )
  using stop = listenForStop()
  const accountKey = await new CertificateStore(dataDir).accountKey()
  try {
    const chain = await orderChain({ name: host, acme, accountKey }, pem, {
      onStage: (_stage, record) => record && askForRecord(record),
      signal: stop.signal,
      now: Date.now,
    })
    await writeFile(out, chain)
  } catch (error) {
    throw error instanceof AttemptFailed ? new BoxError(`There is no certificate for ${host}: ${error.problem}`) : error
  }
  return `${out} has the certificate for ${host}, for the key ${keyFingerprint}.
On the box, if it shows the same key: gatehouse certificate import --chain ${out}`
}

function askForRecord({ record, value }: TxtRecord): void {
  console.error(`Write this into the DNS of your domain, and leave this running:\n\n  ${record}  TXT  ${value}\n`)
}
