/** `gatehouse <command>`: everything that an operator does at the box's own keyboard. */
import { parseArgs } from 'node:util'
import { checkEvent } from './cli/check-event.ts'
import type { Command } from './cli/command.ts'
import { reportAndExit, UsageError } from './cli/exit.ts'
import { findBoxes } from './cli/find.ts'
import { importFile } from './cli/import.ts'
import { invite } from './cli/invite.ts'
import { pair } from './cli/pair.ts'
import { scan } from './cli/scan.ts'
import { runBox } from './cli/serve.ts'
import { ENVIRONMENT } from './config.ts'

const serve: Command = {
  usage: 'serve',
  summary: 'run the box until it is told to stop',
  options: {},
  run: async ({ environment }) => {
    await runBox(environment)
    return true
  },
}

const COMMANDS: Record<string, Command> = {
  serve,
  'check-event': checkEvent,
  import: importFile,
  invite,
  pair,
  scan,
  find: findBoxes,
}

const [name = '--help', ...args] = process.argv.slice(2)
await main().catch(reportAndExit)

async function main(): Promise<void> {
  if (name === '--help' || name === '-h' || name === 'help') return console.log(helpForAll())
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new UsageError(`There is no command "${name}".\n\n${helpForAll()}`)
  if (args.includes('--help') || args.includes('-h')) return console.log(helpFor(command))
  const { values, positionals } = parse(command)
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

function helpForAll(): string {
  const commands = Object.values(COMMANDS).map(({ usage, summary }) => `  ${usage.padEnd(36)} ${summary}`)
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
