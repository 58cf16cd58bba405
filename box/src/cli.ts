/** `gatehouse <command>`: everything that an operator does at the box's own keyboard. */
import { parseArgs } from 'node:util'
import type { Command } from './cli/command.ts'
import { reportAndExit, UsageError } from './cli/exit.ts'
import { ENVIRONMENT } from './config.ts'

const serve: Command = {
  usage: 'serve',
  summary: 'run the box until it is told to stop',
  operands: 0,
  options: {},
  run: async ({ environment }) => {
    const { runBox } = await import('./cli/serve.ts')
    await runBox(environment)
    return true
  },
}

// Each loads what it needs when it is asked for: on a Raspberry Pi the whole box takes seconds to load.
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => serve,
  'check-event': async () => (await import('./cli/check-event.ts')).checkEvent,
  import: async () => (await import('./cli/import.ts')).importFile,
  invite: async () => (await import('./cli/invite.ts')).invite,
  pair: async () => (await import('./cli/pair.ts')).pair,
  scan: async () => (await import('./cli/scan.ts')).scan,
  find: async () => (await import('./cli/find.ts')).findBoxes,
}

const [name = '--help', ...args] = process.argv.slice(2)
await main().catch(reportAndExit)

async function main(): Promise<void> {
  if (name === '--help' || name === '-h' || name === 'help') return console.log(await helpForAll())
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!load) throw new UsageError(`There is no command "${name}".\n\n${await helpForAll()}`)
  const command = await load()
  if (args.includes('--help') || args.includes('-h')) return console.log(helpFor(command))
  const { values, positionals } = parse(command)
  const extra = positionals[command.operands]
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many.\n\n${helpFor(command)}`)
  const done = await command.run({ values, positionals, environment: process.env })
  if (!done) process.exitCode = 1
}

function parse(command: Command) {
  try {
    return parseArgs({ args, options: command.options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${helpFor(command)}`)
  }
}

async function helpForAll(): Promise<string> {
  const loaded = await Promise.all(Object.values(COMMANDS).map((load) => load()))
  const commands = loaded.map(({ usage, summary }) => `  ${usage.padEnd(36)} ${summary}`)
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
