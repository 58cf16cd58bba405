/** `gatehouse certificate`: the certificate for the public name, beside a running box or without one. */
import { readFile } from 'node:fs/promises'
import type { TxtRecord } from '../certificate/dns/change.ts'
import type { Stage } from '../certificate/order.ts'
import { PublicCertificate } from '../certificate/public-certificate.ts'
import { readRequest } from '../certificate/request.ts'
import { renewAt } from '../certificate/schedule.ts'
import { type Config, readConfig } from '../config.ts'
import { createLogger } from '../log.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf, type Values } from './command.ts'

export const certificate: Command = {
  usage: 'certificate ACTION [OPTIONS]',
  summary: 'the certificate for the public name: obtain, request, import, replace',
  actions: {
    status: 'until when it holds, and when it is renewed',
    obtain: 'obtain one now by ACME, with each step; a running box shows it within a minute',
    request: 'print a request, with which HQ or somebody else obtains one; its key stays here',
    import: 'take one that was obtained elsewhere, with its key, or for the request of this box',
    replace: 'for a key that somebody else may have: obtain a new one, and revoke the old one',
  },
  details: `The box obtains and renews it by itself, from the settings GATEHOUSE_CERTIFICATE_NAME and GATEHOUSE_ACME_*: see
box/docs/certificates.md. Without it, or once it has expired, gates open with the certificate of the box's own authority.`,
  statuses: { 1: 'status: there is none that holds' },
  examples: [
    'gatehouse certificate obtain',
    'gatehouse certificate request > gate.csr',
    'gatehouse certificate import --chain chain.pem',
  ],
  operands: 1,
  options: {
    chain: { type: 'string', value: 'FILE', description: 'import: PEM, the certificate first, then its chain' },
    key: {
      type: 'string',
      value: 'FILE',
      description: 'import: PEM, its private key without a password (default: of the request)',
    },
    ...JSON_OPTION,
  },
  async run({ values, positionals: [action], environment }) {
    await using opened = await openPublic(readConfig(environment))
    switch (action) {
      case 'status':
        return status(opened, values)
      case 'obtain':
        await opened.obtain()
        return status(opened, values)
      case 'request':
        return request(opened)
      case 'import':
        await opened.import(await filesOf(values))
        return status(opened, values)
      case 'replace':
        await opened.replace()
        return status(opened, values)
      default:
        throw new UsageError(
          'gatehouse certificate takes status, obtain, request, import or replace: see gatehouse certificate --help',
        )
    }
  },
}

function openPublic({ certificate, dataDir }: Config): Promise<PublicCertificate> {
  if (!certificate) throw new UsageError('There is no public name: set GATEHOUSE_CERTIFICATE_NAME.')
  return PublicCertificate.open(certificate, {
    ...{ dataDir, onStage, logger: createLogger('silent') },
    ...{ now: Date.now, random: Math.random },
  })
}

const STEPS: Record<Stage, string> = {
  account: 'The authority is asked for an account.',
  order: 'The certificate is ordered.',
  record: 'The record is written into DNS, and waited for.',
  proof: 'The record is there. The authority looks at it.',
  certificate: 'The name is proven. The certificate is made.',
}

function onStage(stage: Stage, record?: TxtRecord): void {
  console.error(STEPS[stage])
  if (record)
    console.error(
      `\nWrite this into the DNS of your domain, and leave this running:\n\n  ${record.record}  TXT  ${record.value}\n`,
    )
}

/** On the standard output the request alone, so that it may be put into a file. */
async function request(opened: PublicCertificate): Promise<true> {
  const pem = await opened.request()
  const { keyFingerprint } = await readRequest(pem)
  console.error(`The request is for ${opened.name}. Its key, to compare: ${keyFingerprint}`)
  console.log(pem.trimEnd())
  return true
}

async function filesOf({ chain, key }: Values): Promise<{ cert: string; key?: string }> {
  const [chainPath, keyPath] = [textOf(chain), textOf(key)]
  if (chainPath === undefined) throw new UsageError('import needs --chain FILE, and --key FILE without a request.')
  const cert = await readFile(chainPath, 'utf8')
  return keyPath === undefined ? { cert } : { cert, key: await readFile(keyPath, 'utf8') }
}

function status({ state, current }: PublicCertificate, values: Values): boolean {
  const { name, held, acme, attempts } = state
  const at = (time: number) => new Date(time).toISOString()
  if (values.json) {
    const times = held && { not_after: at(held.notAfter), issuer: held.issuer, source: held.source }
    console.log(JSON.stringify({ name, holds: current !== undefined, ...times, problem: attempts.problem }))
    return current !== undefined
  }
  if (!held) console.log(`There is no certificate for ${name}.`)
  else console.log(`${name}: by ${held.issuer}, ${current ? 'until' : 'expired'} ${at(held.notAfter)}.`)
  if (held && acme) console.log(`Renewed from ${at(renewAt(held))} on.`)
  if (held && !acme) console.log('Nobody renews it: import the next one.')
  if (attempts.problem !== null) console.log(`Last attempt: ${attempts.problem}`)
  if (!current) console.log("Until there is one, gates open with the certificate of the box's own authority.")
  return current !== undefined
}
