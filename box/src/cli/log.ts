/** `gatehouse log`: prints what happened, newest first; the box may be running. */
import { setImmediate } from 'node:timers/promises'
import { ENTRY_KINDS } from '@gatehouse/proto/wire/entries.ts'
import type { LogQuery, LogRow } from '@gatehouse/proto/wire/log.ts'
import { readConfig } from '../config.ts'
import { readLog } from '../control/log.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf, type Values } from './command.ts'
import { openBeside, ticketsOf } from './opened.ts'

const ROWS = 50

export const log: Command = {
  usage: 'log [--kind KIND] [--ticket CODE] [OPTIONS]',
  summary: 'print what happened, newest first',
  details: `KIND is one of ${ENTRY_KINDS.join(', ')}.`,
  statuses: { 1: 'no entry matches' },
  examples: ['gatehouse log --rows 20', 'gatehouse log --kind scan --checkpoint north-in'],
  operands: 0,
  options: {
    kind: { type: 'string', value: 'KIND', description: 'only entries of this kind' },
    device: { type: 'string', value: 'ID', description: 'only what this device did, or what was done to it' },
    checkpoint: { type: 'string', value: 'ID', description: 'only what happened at this checkpoint' },
    ticket: {
      type: 'string',
      value: 'CODE',
      description: 'only what concerns this ticket: its reference, its printed code or its id',
    },
    rows: { type: 'string', value: 'N', description: `how many rows at most (default: ${ROWS})` },
    after: {
      type: 'string',
      value: 'NUMBER',
      description: 'only entries older than this one: the first column of the log',
    },
    ...JSON_OPTION,
  },
  async run({ values, environment }) {
    const config = readConfig(environment)
    let { after, wanted, ...about } = queryOf(values)
    using opened = await openBeside(config)
    const { event, ledger } = opened
    const deps = { event, ledger, pause: setImmediate, ...(await ticketsOf(opened)) }
    let printed = 0
    while (printed < wanted) {
      const limit = Math.min(500, wanted - printed)
      const { rows, next } = await readLog({ ...about, limit, ...(after !== undefined && { after }) }, deps)
      for (const row of rows) console.log(values.json ? JSON.stringify(row) : lineOf(row))
      printed += rows.length
      if (next === null) break
      after = next
    }
    return printed > 0
  },
}

/** Control characters are replaced: people typed parts of it, and a line feed would forge a row, an escape sequence steer the terminal. */
function lineOf({ index, at, kind, summary, address }: LogRow): string {
  const printable = summary.replaceAll(/\p{C}/gu, '?')
  return `${String(index).padStart(8)}  ${at}  ${kind.padEnd(17)}  ${printable}${address === null ? '' : ` (${address})`}`
}

function queryOf(values: Values): Omit<LogQuery, 'limit'> & { wanted: number } {
  const { device, checkpoint, ticket } = values
  const kind = textOf(values.kind)
  const known = ENTRY_KINDS.find((each) => each === kind)
  if (kind !== undefined && !known) {
    throw new UsageError(`There is no kind "${kind}": choose from ${ENTRY_KINDS.join(', ')}.`)
  }
  const after = countOf('after', values)
  return {
    wanted: countOf('rows', values) ?? ROWS,
    ...(after !== undefined && { after }),
    ...(known && { kind: known }),
    ...(typeof device === 'string' && { device }),
    ...(typeof checkpoint === 'string' && { checkpoint }),
    ...(typeof ticket === 'string' && { ticket }),
  }
}

function countOf(name: string, values: Values): number | undefined {
  const text = textOf(values[name])
  if (text !== undefined && !/^\d{1,12}$/.test(text)) throw new UsageError(`--${name} is "${text}", not a number.`)
  return text === undefined ? undefined : Number(text)
}
