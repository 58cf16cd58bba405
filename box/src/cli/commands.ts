/** Every command of `gatehouse`, and how one is found, explained and run. */
import { parseArgs } from 'node:util'
import { ENVIRONMENT, type Environment } from '../config.ts'
import type { Command } from './command.ts'
import { UsageError } from './usage.ts'

const serve: Command = {
  usage: 'serve',
  summary: 'run the box until it is told to stop',
  operands: 0,
  options: {},
  run: async ({ environment }) => {
    const { runBox } = await import('./serve.ts')
    await runBox(environment)
    return true
  },
}

// In the order of an event, from its file to its end. Each loads what it needs when it is asked for: on a Raspberry Pi the whole box takes seconds to load.
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => serve,
  'check-event': async () => (await import('./check-event.ts')).checkEvent,
  venue: async () => (await import('./venue.ts')).venue,
  import: async () => (await import('./import.ts')).importFile,
  shop: async () => (await import('./shop.ts')).shop,
  links: async () => (await import('./links.ts')).links,
  invite: async () => (await import('./invite.ts')).invite,
  pair: async () => (await import('./pair.ts')).pair,
  scan: async () => (await import('./scan.ts')).scan,
  mesh: async () => (await import('./mesh.ts')).mesh,
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
 * @param args as they were typed after `gatehouse`
 * @returns false when the answer is no
 * @throws UsageError and whatever a command throws, when it could not be asked
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

async function helpForAll(): Promise<string> {
  const loaded = await Promise.all(Object.values(COMMANDS).map((load) => load()))
  const width = Math.max(...loaded.map(({ usage }) => usage.length))
  const commands = loaded.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`)
  const settings = Object.entries(ENVIRONMENT).map(([setting, meaning]) => `  ${setting.padEnd(28)} ${meaning}`)
  return [
    'gatehouse <command> [--help]',
    '',
    ...commands,
    '',
    'Exit status: 0 done, 1 the answer is no, 2 it could not be asked.',
    '',
    'Environment, the same for every command and for the box:',
    ...settings,
  ].join('\n')
}

function helpFor({ usage, summary, options, details }: Command): string {
  const lines = Object.entries(options).map(([option, { type, description }]) => {
    const flag = `--${option}${type === 'string' ? ' VALUE' : ''}`
    return `  ${flag.padEnd(24)} ${description}`
  })
  return [
    `gatehouse ${usage}`,
    '',
    `  ${summary}`,
    ...(details ? ['', details] : []),
    ...(lines.length ? ['', ...lines] : []),
  ].join('\n')
}
