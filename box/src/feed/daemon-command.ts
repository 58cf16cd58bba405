/** The command line of `changefeed`. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createLogger } from '../log.ts'
import { complain, listenForStop, say, UsageError } from '../usage.ts'
import { checkServer, exitStatus, findingsText, runChecks } from './check.ts'
import { ENVIRONMENT, type FeedConfig, FeedConfigError, type FeedEnvironment, readFeedConfig } from './config/config.ts'
import { keyTable } from './config/key-table.ts'
import { printConfig } from './config/print.ts'
import { NotReadyError, openDaemon } from './daemon.ts'
import { KINDS, optionSchemas } from './daemon-kinds.ts'

/** `disconnect`: the parent process, which opened an IPC channel to this one, has ended. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'disconnect'] as const

const HELP = `changefeed: deliver the changes of a database to receivers

Usage: changefeed [ACTION] --config FILE [--json]

Actions:
  run           deliver changes until SIGTERM or SIGINT (the default)
  check         check whether the database and the receivers are ready for the configuration
  print-config  print the configuration with defaults and overrides, without its secrets
  keys          list every key of the configuration; needs no --config

Options:
  --config FILE, -c FILE  the configuration, YAML or JSON; relative paths in it start at its folder
  --json                  check: print JSON, for a program
  --version               print the version
  --help, -h              print this text

Example:
  changefeed check --config changefeed.yaml

Exit status:
  0  done, or stopped by a signal
  1  something has to be corrected first; the message says what
  2  a mistake in the command line or the configuration; check: the database does not answer

Environment variables; they override the file:
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
  // A path in a variable is relative to the folder that the command was typed in.
  const config = await readFeedConfig(
    resolve(path),
    { ...environment, ...(stateDir && { CHANGEFEED_STATE_DIR: resolve(stateDir) }) },
    KINDS,
  )
  // Paths in the file (certificates, databases, plugins) are relative to its own folder, wherever the daemon is started.
  process.chdir(dirname(resolve(path)))
  return config
}

async function check(config: FeedConfig, json: boolean, environment: FeedEnvironment): Promise<0 | 1 | 2> {
  const findings = await runChecks(config, environment)
  console.log(json ? JSON.stringify({ ok: exitStatus(findings) === 0, findings }, null, 2) : findingsText(findings))
  return exitStatus(findings)
}

/** Delivers until SIGTERM or SIGINT, then finishes what is in flight. A second signal ends it at once, and loses nothing. */
async function serve(config: FeedConfig, environment: FeedEnvironment): Promise<0> {
  const logger = createLogger(config.logLevel)
  using stop = listenForStop(SIGNALS)
  const clocks = { now: Date.now, monotonic: () => performance.now(), random: Math.random }
  await using daemon = await openDaemon(config, { logger, environment, ...clocks })
  const { url, authToken, started } = daemon
  for (const { level, text } of checkServer(config.server)) {
    if (level === 'warning') logger.warn({ event: 'control_plane_exposed', advice: text })
  }
  for (const warning of config.warnings) logger.warn({ event: 'feed_config_doubtful', warning })
  logger.info({ event: 'feed_open', url, source: config.source.kind, sinks: config.sinks.map(({ id }) => id) })
  // With port 0, this file says which port it is; the token is not in it.
  await writeFile(join(config.stateDir, 'url'), `${url}\n`).catch(() => {})
  console.log(notice(config, url, config.server.authToken === undefined ? authToken : undefined))
  await Promise.race([started, stop.received])
  logger.info({ event: 'feed_closing', signal: await stop.received })
  return 0
}

/** @param token where it was made for this run, and nobody could know it otherwise */
function notice({ source, sinks }: FeedConfig, url: string, token: string | undefined): string {
  const made =
    token === undefined ? '' : `\n  admin token     ${token}    (of this run; set server.authToken to keep one)`
  return `
Change feed: ${source.kind} to ${sinks.map(({ id, from }) => `${id} (${from})`).join(', ')}

  control plane   ${url}
  dashboard       ${url}/ui/?token=${token ?? '<the admin token>'}${made}
`
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  return `changefeed ${version}`
}
