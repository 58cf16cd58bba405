/** The commands of `gatehouse`: looks one up, prints its help or runs it. */
import { parseArgs } from 'node:util'
import { ENVIRONMENT, type Environment } from '../config.ts'
import { UsageError } from '../usage.ts'
import type { Command } from './command.ts'

const serve: Command = {
  usage: 'serve',
  summary: 'run the box until SIGTERM or SIGINT (Ctrl-C)',
  details: `Prints the addresses and an invite for one scanner; the admin token at the first start, and from then on the file that has it. On the first signal the box finishes what is in
progress; a second one ends it at once, and nothing recorded is lost.`,
  statuses: { 0: 'stopped by a signal' },
  examples: ['GATEHOUSE_EVENT_DIR=./my-festival gatehouse serve'],
  operands: 0,
  options: {},
  run: async ({ environment }) => {
    const { runBox } = await import('./serve.ts')
    await runBox(environment)
    return true
  },
}

// In the order in which an event needs them. Each command loads its own modules: all of the box takes seconds to load on a Raspberry Pi.
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => serve,
  'check-event': async () => (await import('./check-event.ts')).checkEvent,
  venue: async () => (await import('./venue.ts')).venue,
  import: async () => (await import('./import.ts')).importFile,
  shop: async () => (await import('./shop.ts')).shop,
  links: async () => (await import('./links.ts')).links,
  invite: async () => (await import('./invite.ts')).invite,
  token: async () => (await import('./token.ts')).token,
  pair: async () => (await import('./pair.ts')).pair,
  scan: async () => (await import('./scan.ts')).scan,
  mesh: async () => (await import('./mesh.ts')).mesh,
  certificate: async () => (await import('./certificate.ts')).certificate,
  find: async () => (await import('./find.ts')).findBoxes,
  log: async () => (await import('./log.ts')).log,
  verify: async () => (await import('./verify.ts')).verify,
  export: async () => (await import('./export.ts')).exportRecord,
  'verify-export': async () => (await import('./verify-export.ts')).verifyExport,
  report: async () => (await import('./report.ts')).report,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  forget: async () => (await import('./forget.ts')).forget,
}

/**
 * @param args the words after `gatehouse`
 * @returns false for exit status 1
 * @throws UsageError, and whatever a command throws that could not be carried out
 */
export async function runCommand(
  [name = '--help', ...args]: readonly string[],
  environment: Environment,
): Promise<boolean> {
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(await helpForAll())
    return true
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!load) throw new UsageError(`There is no command "${name}".\n\n${await helpForAll()}`)
  const command = await load()
  if (args.includes('--help') || args.includes('-h')) {
    console.log(helpFor(command))
    return true
  }
  return command.run({ ...parse(command, args), environment })
}

function parse(command: Command, args: string[]) {
  try {
    const { values, positionals } = parseArgs({ args, options: command.options, allowPositionals: true })
    const extra = positionals[command.operands]
    if (extra === undefined) return { values, positionals }
    throw new Error(`"${extra}" is one word too many.`)
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${helpFor(command)}`)
  }
}

const NOT_DONE = 'it could not be done; the message says why'

async function helpForAll(): Promise<string> {
  const names = Object.keys(COMMANDS)
  const loaded = await Promise.all(Object.values(COMMANDS).map((load) => load()))
  return [
    'gatehouse: run and operate a box',
    '',
    'Usage: gatehouse <command> [OPTIONS]',
    '       gatehouse <command> --help',
    '',
    'Commands, in the order in which an event needs them:',
    ...aligned(loaded.map(({ summary }, i) => [names[i] ?? '', summary])),
    '',
    'Settings, as environment variables, the same for the box and for every command:',
    ...aligned(Object.entries(ENVIRONMENT)),
    '',
    'Exit status:',
    '  0  done',
    '  1  the answer is no',
    `  2  ${NOT_DONE}`,
  ].join('\n')
}

function helpFor({ usage, summary, actions = {}, options, details, statuses = {}, examples }: Command): string {
  const [name] = usage.split(' ', 1)
  const section = (title: string, lines: readonly string[]) => (lines.length > 0 ? ['', title, ...lines] : [])
  const { 0: done = 'done', 1: no } = statuses
  return [
    `gatehouse ${name}: ${summary}`,
    '',
    `Usage: gatehouse ${usage}`,
    ...section('Actions:', aligned(Object.entries(actions))),
    ...(details === undefined ? [] : ['', details]),
    ...section('Options:', aligned(Object.entries(options).map(optionRow))),
    ...section(
      examples.length > 1 ? 'Examples:' : 'Example:',
      examples.map((example) => `  ${example}`),
    ),
    ...section('Exit status:', [`  0  ${done}`, ...(no === undefined ? [] : [`  1  ${no}`]), `  2  ${NOT_DONE}`]),
  ].join('\n')
}

function optionRow([option, { value, description }]: [string, Command['options'][string]]): [string, string] {
  return [`--${option}${value === undefined ? '' : ` ${value}`}`, description]
}

/** Rows of two columns, indented by two blanks. */
function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
