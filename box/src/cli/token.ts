/** `gatehouse token rotate`: replaces the admin token. */
import { COMMAND_LINE } from '../ca/actor.ts'
import { readConfig } from '../config.ts'
import { rotateAdminToken } from '../staff/admin-token.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION } from './command.ts'
import { openBeside, requireLedger } from './opened.ts'

export const token: Command = {
  usage: 'token rotate [OPTIONS]',
  summary: 'replace the admin token, and show the new one',
  details: `The box may be running. The token before opens nothing any more, at any box of the event; people who have signed in with
their names stay signed in.`,
  examples: ['gatehouse token rotate'],
  operands: 1,
  options: { ...JSON_OPTION },
  async run({ values, positionals: [action], environment }) {
    if (action !== 'rotate') throw new UsageError('Say what to do with the token: gatehouse token rotate.')
    const config = readConfig(environment)
    requireLedger(config)
    using opened = await openBeside(config)
    const made = await rotateAdminToken(config.dataDir, opened.ledger, COMMAND_LINE)
    console.log(values.json ? JSON.stringify({ token: made }) : `The new admin token, which is shown once: ${made}`)
    return true
  },
}
