/** `gatehouse links`: prints one link for each ticket, for the organiser to send. */
import { stringify } from 'csv-stringify/sync'
import { heldName } from '../certificate/store.ts'
import { readConfig } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { reachableHost } from '../http/machine.ts'
import { openLedger } from '../ledger/open.ts'
import { keysOf } from '../seal/verifier-key.ts'
import { ticketLink } from '../tickets/link.ts'
import { Tickets } from '../tickets/tickets.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'

export const links: Command = {
  usage: 'links [--tier ID] [--wallet URL] [--json]',
  summary: 'print a wallet link for every ticket, as CSV',
  details: `Columns: code, holder_name, email, link. Anybody with a link has the ticket until its holder claims it:
send each link to its holder only, and keep the file as safe as the tickets.`,
  statuses: { 1: 'there is no such ticket' },
  examples: ['gatehouse links --tier vip > links.csv'],
  operands: 0,
  options: {
    tier: { type: 'string', value: 'ID', description: 'only tickets of this ticket type' },
    wallet: {
      type: 'string',
      value: 'URL',
      description: 'start of every link (default: GATEHOUSE_WALLET_URL, else this box)',
    },
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
      throw new UsageError(
        `This event has no ticket type "${tier}": choose from ${[...event.tierById.keys()].join(', ')}.`,
      )
    }
    const { ledger, identity } = openLedger({ dataDir: config.dataDir, eventId: event.id, wallClock: Date.now })
    using _closing = ledger
    const { verifierKey } = keysOf(event.id, identity)
    const host = (await heldName(config, Date.now())) ?? reachableHost(config.publicHost)
    const walletUrl = config.walletUrl ?? `https://${host}:${config.httpsPort}/wallet/`
    let written = 0
    if (!values.json) process.stdout.write('code,holder_name,email,link\n')
    const tickets = new Tickets(ledger.db, identity.refKey)
    tickets.staged.settleAll()
    for (const page of tickets.pages.all()) {
      const rows: object[] = []
      for (const { code, holderName, email, capability, deskLink, tier: of } of page) {
        if (tier !== undefined && of !== tier) continue
        // Issued again at the desk, for somebody who need not be the one with this address: the desk gives that link.
        if (deskLink !== null) continue
        const link = ticketLink({ walletUrl, ticketId: capability, verifierKey })
        written++
        rows.push({ code, holder_name: holderName ?? '', email: email ?? '', link })
      }
      process.stdout.write(values.json ? rows.map((row) => `${JSON.stringify(row)}\n`).join('') : csv(rows))
    }
    // No error, but an operator who named the wrong data folder should not send an empty file.
    if (written === 0) console.error(`There is no such ticket in ${config.dataDir}: import tickets first.`)
    return written > 0
  },
}

/** RFC 4180. A name that begins like a formula gets an apostrophe, so that no spreadsheet runs it. */
const csv = (rows: object[]): string => stringify(rows, { escape_formulas: true })
