/** The command line of `gatehouse-hq`. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { GatehouseError } from '../errors.ts'
import { createLogger } from '../log.ts'
import { ConfigError } from '../settings.ts'
import { complain, say, UsageError } from '../usage.ts'
import { answerAlarm } from './alarms.ts'
import { addBox, BoxError, listBoxes, removeBox } from './boxes.ts'
import { obtainCertificate } from './certificate.ts'
import { HQ_ENVIRONMENT, type HqConfig, type HqEnvironment, readHqConfig } from './config.ts'
import { bringUpToDate, type HqDatabase, HqDatabaseError, openHqDatabase } from './database.ts'
import { fetchAuthority } from './fetch-authority.ts'
import { serveHq } from './serve.ts'
import { readStatus, statusText } from './status.ts'

const HELP = `gatehouse-hq: receive the records of any number of boxes into one PostgreSQL database

Usage: gatehouse-hq ACTION [OPTIONS]

Actions:
  serve       receive from boxes until SIGTERM or SIGINT
  add-box     allow a box to write; needs --name, and --url with --fingerprint, or --ca
  remove-box  stop accepting from the box --name; what it wrote is kept
  boxes       list the boxes that may write
  status      show the state of each box, open alarms, and the storage used
  answer ID   close an alarm, by its number in "status --json"
  certificate obtain a publicly trusted certificate for a box, from its request, by ACME; needs --host, --request and
              --out, and asks no database

Options:
  --name NAME           add-box, remove-box: name of the box
  --url URL             add-box: address of the box, from which its CA certificate is fetched
  --fingerprint SHA256  add-box: fingerprint of the CA, as the box printed it: sha256:...
  --ca FILE             add-box: PEM file with the CA certificate of the box
  --host NAME           certificate: the host name that the certificate is for
  --request FILE        certificate: what "gatehouse certificate request" printed on the box
  --out FILE            certificate: where the certificate and its chain go, PEM
  --json                boxes, status: print JSON, for a program
  --help, -h            print this text

Examples:
  gatehouse-hq add-box --name north --url https://box.local:8443 --fingerprint sha256:...
  gatehouse-hq status
  gatehouse-hq certificate --host gate.example.org --request gate.csr --out chain.pem

Exit status:
  0  done, or stopped by a signal
  1  the answer is no; the message says why
  2  it could not be done; the message says why

Environment variables:
${Object.entries(HQ_ENVIRONMENT)
  .map(([name, meaning]) => `  ${name.padEnd(18)} ${meaning}`)
  .join('\n')}`

/** @returns the exit status */
export async function runHqCommand(args: readonly string[], environment: HqEnvironment): Promise<0 | 1 | 2> {
  try {
    return await run(parse(args), environment)
  } catch (error) {
    if (error instanceof BoxError) return complain(error, 1)
    const isExpected = [UsageError, ConfigError, HqDatabaseError, GatehouseError].some((kind) => error instanceof kind)
    const isFromSystem = error instanceof Error && 'syscall' in error
    if (isExpected || isFromSystem) return complain(error as Error, 2)
    console.error(error)
    return 2
  }
}

type Parsed = ReturnType<typeof parse>

function parse(args: readonly string[]) {
  const options = {
    name: { type: 'string' },
    ca: { type: 'string' },
    url: { type: 'string' },
    fingerprint: { type: 'string' },
    host: { type: 'string' },
    request: { type: 'string' },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [command = 'help', operand, extra] = positionals
    const tooMany = command === 'answer' ? extra : operand
    if (tooMany !== undefined) throw new Error(`"${tooMany}" is one word too many.`)
    return { command, operand, ...values }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`)
  }
}

async function run(parsed: Parsed, environment: HqEnvironment): Promise<0 | 1 | 2> {
  const { command, help } = parsed
  if (help || command === 'help') return say(HELP)
  if (command === 'certificate') return say(await obtainCertificate(parsed, environment))
  if (!['serve', 'add-box', 'remove-box', 'boxes', 'status', 'answer'].includes(command)) {
    throw new UsageError(`There is no command "${command}".\n\n${HELP}`)
  }
  const config = readHqConfig(environment)
  if (command === 'serve') {
    await serveHq(config)
    return 0
  }
  await using database = await openedDatabase(config)
  // Awaited, since leaving this scope closes the pool.
  return await runOn(database, parsed)
}

async function openedDatabase(config: HqConfig): Promise<HqDatabase> {
  const database = openHqDatabase(config.databaseUrl, 2)
  try {
    // A person is waiting: give up soon if the database is only starting.
    const signal = AbortSignal.timeout(10_000)
    await bringUpToDate(database, { logger: createLogger('silent'), signal })
    return database
  } catch (error) {
    await database[Symbol.asyncDispose]()
    if (!(error instanceof DOMException || (error as Error).name === 'AbortError')) throw error
    throw new HqDatabaseError('The database in HQ_DATABASE_URL does not answer: check that it runs, and its address.')
  }
}

async function runOn(
  { db }: HqDatabase,
  { command, operand, name, ca, url, fingerprint, json }: Parsed,
): Promise<0 | 1> {
  const now = Date.now()
  switch (command) {
    case 'boxes':
    case 'status': {
      const status = await readStatus(db, now)
      if (command === 'status') return say(json ? JSON.stringify(status, null, 2) : statusText(status))
      const rows = (await listBoxes(db)).map((row) => ({
        name: row.name,
        box: row.box,
        event: row.event,
        ca: row.caFingerprint,
      }))
      if (json) return say(JSON.stringify(rows, null, 2))
      return say(rows.map((row) => [row.name, row.box ?? 'never seen', row.event ?? '', row.ca].join('\t')).join('\n'))
    }
    case 'remove-box':
      if (await removeBox(db, named(name), now)) return say(`"${name}" may no longer write. What it wrote is kept.`)
      throw new BoxError(`There is no box called "${name}".`)
    case 'answer':
      if (!/^\d{1,15}$/.test(operand ?? '')) throw new UsageError(`Which alarm? Its number is in "status --json".`)
      if (await answerAlarm(db, Number(operand), now)) return say(`Alarm ${operand} is closed.`)
      throw new BoxError(`There is no open alarm ${operand}.`)
    default: {
      if ((ca === undefined) === (url === undefined)) throw new UsageError(`Name either --ca or --url.\n\n${HELP}`)
      const pem = ca !== undefined ? await readFile(ca, 'utf8') : await fetchAuthority(url ?? '', fingerprint)
      const known = await addBox(db, { name: named(name), ca: pem, now })
      if (fingerprint !== undefined && ca !== undefined && fingerprint !== known) {
        await removeBox(db, named(name), now)
        throw new BoxError(`${ca} has the fingerprint ${known}, not the one that was given.`)
      }
      return say(`"${name}" may write. The fingerprint of its CA: ${known}.`)
    }
  }
}

function named(name: string | undefined): string {
  if (name === undefined) throw new UsageError(`Which box? Name it with --name.\n\n${HELP}`)
  return name
}
