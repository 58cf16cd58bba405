/** The command line of `changefeed`. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { complain, UsageError } from '../cli/usage.ts'
import { createLogger } from '../log.ts'
import { checkServer, exitStatus, findingsText, runChecks } from './check.ts'
import { ENVIRONMENT, type FeedConfig, FeedConfigError, type FeedEnvironment, readFeedConfig } from './config/config.ts'
import { keyTable } from './config/key-table.ts'
import { printConfig } from './config/print.ts'
import { NotReadyError, openDaemon } from './daemon.ts'
import { KINDS, optionSchemas } from './daemon-kinds.ts'

/** `disconnect`: whoever started this with a channel to itself is gone. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'disconnect'] as const

const HELP = `changefeed [run] --config FILE     deliver changes until SIGTERM or SIGINT
changefeed check --config FILE     ask the database and the receivers whether they are ready for it
changefeed print-config --config FILE
                                   print the configuration as it counts, without its secrets
changefeed keys                    list every key that the configuration may have

  --config FILE    the configuration, YAML or JSON; relative paths in it lead from its own folder
  --json           with check: print JSON, for a program
  --version, --help

Exit status: 0 done, 1 something has to be mended first, 2 it could not be asked (a mistake in the command line or in the
configuration; with check, a database that does not answer).

Environment, stands above the file:
${Object.entries(ENVIRONMENT)
  .map(([name, meaning]) => `  ${name.padEnd(24)} ${meaning}`)
  .join('\n')}`

/** @returns the exit status */
export async function runFeedCommand(args: readonly string[], environment: FeedEnvironment): Promise<0 | 1 | 2> {
  try {
    return await run(parse(args), environment)
  } catch (error) {
    if (error instanceof NotReadyError) return complain(error, 1)
    if (error instanceof UsageError || error instanceof FeedConfigError) return complain(error, 2)
    console.error(error)
    return 2
  }
}

type Parsed = ReturnType<typeof parse>

function parse(args: readonly string[]) {
  const options = {
    config: { type: 'string', short: 'c' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
    version: { type: 'boolean', default: false },
  } as const
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [command = 'run', extra] = positionals
    if (extra !== undefined) throw new Error(`"${extra}" is one word too many.`)
    return { command, ...values }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`)
  }
}

async function run({ command, config: path, json, help, version }: Parsed, environment: FeedEnvironment) {
  if (help || command === 'help') return say(HELP)
  if (version) return say(versionOf())
  if (command === 'keys') return say(keyTable(await optionSchemas()))
  if (!['run', 'check', 'print-config'].includes(command)) {
    throw new UsageError(`There is no command "${command}".\n\n${HELP}`)
  }
  const config = await readConfig(path ?? environment.CHANGEFEED_CONFIG, environment)
  if (command === 'print-config') return say(printConfig(config))
  if (command === 'check') return check(config, json, environment)
  return serve(config, environment)
}

async function readConfig(path: string | undefined, environment: FeedEnvironment): Promise<FeedConfig> {
  if (!path) throw new UsageError(`Which configuration? Name it with --config FILE or CHANGEFEED_CONFIG.\n\n${HELP}`)
  const stateDir = environment.CHANGEFEED_STATE_DIR
  // A variable's path leads from where the command was typed.
  const config = await readFeedConfig(
    resolve(path),
    { ...environment, ...(stateDir && { CHANGEFEED_STATE_DIR: resolve(stateDir) }) },
    KINDS,
  )
  // A file's paths lead from where the file is, whoever starts the daemon from wherever: certificates, databases, plugins.
  process.chdir(dirname(resolve(path)))
  return config
}

async function check(config: FeedConfig, json: boolean, environment: FeedEnvironment): Promise<0 | 1 | 2> {
  const findings = await runChecks(config, environment)
  console.log(json ? JSON.stringify({ ok: exitStatus(findings) === 0, findings }, null, 2) : findingsText(findings))
  return exitStatus(findings)
}

/** Delivers until SIGTERM or SIGINT, then finishes what is in flight. A second signal ends it at once: nothing is lost by it. */
async function serve(config: FeedConfig, environment: FeedEnvironment): Promise<0> {
  const logger = createLogger(config.logLevel)
  using stop = listenForStop()
  const clocks = { now: Date.now, monotonic: () => performance.now(), random: Math.random }
  await using daemon = await openDaemon(config, { logger, environment, ...clocks })
  const { url, authToken, started } = daemon
  for (const { level, text } of checkServer(config.server)) {
    if (level === 'warning') logger.warn({ event: 'control_plane_exposed', advice: text })
  }
  logger.info({ event: 'feed_open', url, source: config.source.kind, sinks: config.sinks.map(({ id }) => id) })
  // Whoever started it with port 0 finds it there; the token is not in it.
  await writeFile(join(config.stateDir, 'url'), `${url}\n`).catch(() => {})
  console.log(notice(config, url, config.server.authToken === undefined ? authToken : undefined))
  await Promise.race([started, stop.told])
  logger.info({ event: 'feed_closing', signal: await stop.told })
  return 0
}

/** Hears the first signal only: the next one is Node's, and ends the process. */
function listenForStop(): Disposable & { readonly told: Promise<string> } {
  const { promise: told, resolve } = Promise.withResolvers<string>()
  const listeners = SIGNALS.map((name) => {
    const listener = () => {
      dispose()
      resolve(name)
    }
    process.on(name as NodeJS.Signals, listener)
    return [name, listener] as const
  })
  const dispose = () => {
    // A listener on the channel would keep the process from ending.
    for (const [name, listener] of listeners) process.off(name, listener)
  }
  return { told, [Symbol.dispose]: dispose }
}

/** @param token when it was made for this run: nobody could know it otherwise */
function notice({ source, sinks }: FeedConfig, url: string, token: string | undefined): string {
  const made =
    token === undefined ? '' : `\n  admin token     ${token}    (of this run; set server.authToken to keep one)`
  return `
Change feed: ${source.kind} to ${sinks.map(({ id, from }) => `${id} (${from})`).join(', ')}

  control plane   ${url}
  dashboard       ${url}/ui/?token=${token ?? '<the admin token>'}${made}
`
}

function say(text: string): 0 {
  console.log(text)
  return 0
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  return `changefeed ${version}`
}
