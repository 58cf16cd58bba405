/** `gatehouse log`: what happened, newest first, also beside a running box. */
import { setImmediate } from 'node:timers/promises'
import { eventTag } from '@gatehouse/proto/code.ts'
import { LOG_KINDS, type LogQuery, type LogRow } from '@gatehouse/proto/wire/log.ts'
import { readConfig } from '../config.ts'
import { readLog } from '../control/log.ts'
import { readEvent } from '../event/event.ts'
import { openLedger } from '../ledger/open.ts'
import { CodeReader } from '../tickets/codes.ts'
import { Tickets } from '../tickets/tickets.ts'
import { type Command, JSON_OPTION, textOf, type Values } from './command.ts'
import { UsageError } from './usage.ts'

const ROWS = 50

export const log: Command = {
  usage: 'log [--kind KIND] [--ticket CODE]',
  summary: 'print what happened, newest first',
  details: `  KIND is one of ${LOG_KINDS.join(', ')}.
  Exit status 1: nothing of that kind has happened.`,
  operands: 0,
  options: {
    kind: { type: 'string', description: 'only entries of this kind' },
    device: { type: 'string', description: 'only what this device did, or was done to it' },
    checkpoint: { type: 'string', description: 'only what happened at this checkpoint' },
    ticket: {
      type: 'string',
      description: 'only what concerns this ticket: its reference, its printed code or its id',
    },
    rows: { type: 'string', description: `how many rows at most (default: ${ROWS})` },
    after: { type: 'string', description: 'go on below this place in the journal' },
    ...JSON_OPTION,
  },
  async run({ values, environment }) {
    const config = readConfig(environment)
    let { after, wanted, ...about } = queryOf(values)
    const event = await readEvent(config.eventDir)
    const { ledger, identity } = openLedger({ dataDir: config.dataDir, eventId: event.id, wallClock: Date.now })
    using _closing = ledger
    const deps = {
      ...{ event, ledger, pause: setImmediate },
      tickets: new Tickets(ledger.db, identity.refKey),
      codes: new CodeReader(identity.manifestSalt, await eventTag(event.id)),
    }
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

/** People have typed parts of it: a line feed would make a row that never was, and a terminal obeys some characters. */
function lineOf({ index, at, kind, summary, address }: LogRow): string {
  const told = summary.replaceAll(/\p{C}/gu, '?')
  return `${String(index).padStart(8)}  ${at}  ${kind.padEnd(17)}  ${told}${address === null ? '' : ` (${address})`}`
}

function queryOf(values: Values): Omit<LogQuery, 'limit'> & { wanted: number } {
  const { device, checkpoint, ticket } = values
  const kind = textOf(values.kind)
  const known = LOG_KINDS.find((each) => each === kind)
  if (kind !== undefined && !known) {
    throw new UsageError(`There is no kind "${kind}": choose from ${LOG_KINDS.join(', ')}.`)
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
