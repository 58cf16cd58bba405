/** The command line of `gatehouse-hq`. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { complain, UsageError } from '../cli/usage.ts'
import { GatehouseError } from '../errors.ts'
import { createLogger } from '../log.ts'
import { ConfigError } from '../settings.ts'
import { answerAlarm } from './alarms.ts'
import { addBox, BoxError, listBoxes, removeBox } from './boxes.ts'
import { HQ_ENVIRONMENT, type HqConfig, type HqEnvironment, readHqConfig } from './config.ts'
import { bringUpToDate, type HqDatabase, HqDatabaseError, openHqDatabase } from './database.ts'
import { fetchAuthority } from './fetch-authority.ts'
import { serveHq } from './serve.ts'
import { readStatus, statusText } from './status.ts'

const HELP = `gatehouse-hq serve                 receive from boxes until SIGTERM or SIGINT
gatehouse-hq add-box --name NAME --url https://BOX --fingerprint sha256:...
gatehouse-hq add-box --name NAME --ca FILE
                                   let a box write: the one whose certificate authority this is
gatehouse-hq remove-box --name NAME
                                   let it write no more; what it wrote stays
gatehouse-hq boxes [--json]        list the boxes that may write
gatehouse-hq status [--json]       how each box stands, alarms, what is kept
gatehouse-hq answer ID             take an alarm off the list, by its number

  --help

Exit status: 0 done, 1 the answer is no, 2 it could not be asked.

Environment:
${Object.entries(HQ_ENVIRONMENT)
  .map(([name, meaning]) => `  ${name.padEnd(17)} ${meaning}`)
  .join('\n')}`

/** @returns the exit status */
export async function runHqCommand(args: readonly string[], environment: HqEnvironment): Promise<0 | 1 | 2> {
  try {
    return await run(parse(args), environment)
  } catch (error) {
    if (error instanceof BoxError) return complain(error, 1)
    const foreseen = [UsageError, ConfigError, HqDatabaseError, GatehouseError].some((kind) => error instanceof kind)
    const isOfTheSystem = error instanceof Error && ('syscall' in error || /^Port \d+ /.test(error.message))
    if (foreseen || isOfTheSystem) return complain(error as Error, 2)
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
  if (!['serve', 'add-box', 'remove-box', 'boxes', 'status', 'answer'].includes(command)) {
    throw new UsageError(`There is no command "${command}".\n\n${HELP}`)
  }
  const config = readHqConfig(environment)
  if (command === 'serve') {
    await serveHq(config)
    return 0
  }
  await using database = await openedDatabase(config)
  // Awaited here: the pool is closed when this scope is left.
  return await runOn(database, parsed)
}

async function openedDatabase(config: HqConfig): Promise<HqDatabase> {
  const database = openHqDatabase(config.databaseUrl, 2)
  try {
    // A person waits for the answer: a database that is not there is said at once.
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
      if (await removeBox(db, named(name), now)) return say(`"${name}" may write no more. What it wrote stays.`)
      throw new BoxError(`There is no box called "${name}".`)
    case 'answer':
      if (!/^\d{1,15}$/.test(operand ?? '')) throw new UsageError(`Which alarm? Its number is in "status --json".`)
      if (await answerAlarm(db, Number(operand), now)) return say(`Alarm ${operand} is answered.`)
      throw new BoxError(`There is no alarm ${operand} that stands.`)
    default: {
      if ((ca === undefined) === (url === undefined))
        throw new UsageError(`Name --ca or --url, one of them.\n\n${HELP}`)
      const pem = ca !== undefined ? await readFile(ca, 'utf8') : await fetchAuthority(url ?? '', fingerprint)
      const known = await addBox(db, { name: named(name), ca: pem, now })
      if (fingerprint !== undefined && ca !== undefined && fingerprint !== known) {
        await removeBox(db, named(name), now)
        throw new BoxError(`${ca} has the fingerprint ${known}, and not the one given.`)
      }
      return say(`"${name}" may write: the box whose authority is ${known}.`)
    }
  }
}

function named(name: string | undefined): string {
  if (name === undefined) throw new UsageError(`Which box? Name it with --name.\n\n${HELP}`)
  return name
}

function say(text: string): 0 {
  console.log(text)
  return 0
}
