/** `gatehouse links`: one link a ticket, for the organiser to send. */
import { readConfig } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { reachableHost } from '../http/machine.ts'
import { openLedger } from '../ledger/open.ts'
import { keysOf } from '../seal/verifier-key.ts'
import { ticketLink } from '../tickets/link.ts'
import { Tickets } from '../tickets/tickets.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'
import { UsageError } from './usage.ts'

export const links: Command = {
  usage: 'links [--tier ID] [--wallet URL]',
  summary: 'print a wallet link for every ticket, as CSV',
  details: `  Columns: code, holder_name, email, link. Whoever has a link has the ticket until its holder claims it:
  send each to its holder alone, and keep the file as you would keep the tickets. Exit status 1: there is none.`,
  operands: 0,
  options: {
    tier: { type: 'string', description: 'only tickets of this tier' },
    wallet: { type: 'string', description: 'what the links begin with (default: GATEHOUSE_WALLET_URL, else this box)' },
    ...JSON_OPTION,
  },
  async run({ values, environment }) {
    const config = readConfig({
      ...environment,
      ...(textOf(values.wallet) !== undefined && { GATEHOUSE_WALLET_URL: textOf(values.wallet) }),
    })
    const event = await readEvent(config.eventDir)
    const tier = textOf(values.tier)
    if (tier !== undefined && !event.tierById.has(tier)) {
      throw new UsageError(`This event has no tier "${tier}": choose from ${[...event.tierById.keys()].join(', ')}.`)
    }
    const { ledger, identity } = openLedger({ dataDir: config.dataDir, eventId: event.id, wallClock: Date.now })
    using _closing = ledger
    const { verifierKey } = keysOf(event.id, identity)
    const walletUrl = config.walletUrl ?? `https://${reachableHost(config.publicHost)}:${config.httpsPort}/wallet/`
    let written = 0
    if (!values.json) process.stdout.write('code,holder_name,email,link\n')
    for (const page of new Tickets(ledger.db, identity.refKey).all()) {
      for (const { code, holderName, email, capability, tier: of } of page) {
        if (tier !== undefined && of !== tier) continue
        const link = ticketLink({ walletUrl, ticketId: capability, verifierKey })
        written++
        const row = { code, holder_name: holderName ?? '', email: email ?? '', link }
        process.stdout.write(values.json ? `${JSON.stringify(row)}\n` : `${Object.values(row).map(cell).join(',')}\n`)
      }
    }
    // Not an error: but whoever looks in an empty data directory should not send an empty file.
    if (written === 0) console.error(`There is no such ticket in ${config.dataDir}: import them first.`)
    return written > 0
  },
}

/** RFC 4180; and a name that begins like a formula is not one when a spreadsheet opens the file. */
function cell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
