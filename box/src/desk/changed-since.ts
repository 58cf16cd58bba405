/** Two people at two desks have one ticket open: the second is told what the first has done, and decides again. */
import { isoOfReading } from '../clock/iso.ts'
import { GatehouseError } from '../errors.ts'
import type { Entry } from '../ledger/entries.ts'
import { replicatedIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Ticket } from '../ledger/schema.ts'

/**
 * @param version of the ticket as it was looked at; undefined where that does not matter
 * @returns throws GatehouseError `conflict` for a ticket that was changed since
 */
export function unchangedSince(version: number | undefined, ledger: Ledger): (ticket: Ticket) => void {
  return (ticket) => {
    if (version === undefined || ticket.entry === version) return
    throw new GatehouseError('conflict', `${whatChanged(ticket, ledger)} Look at the ticket again, then decide.`)
  }
}

function whatChanged({ entry, ref }: Ticket, ledger: Ledger): string {
  const [own] = ledger.read(entry, 1)
  const change = own?.kind === 'heard' ? replicatedIn(ledger.db, own).findLast((fact) => isAbout(fact, ref)) : own
  if (!change) return 'Somebody has changed this ticket at another box.'
  const time = isoOfReading(change.hlc).slice(11, 16)
  switch (change.kind) {
    case 'ticket_revoked':
      return `${change.fields.actor} revoked this ticket at ${time} UTC.`
    case 'ticket_reinstated':
      return `${change.fields.actor} reinstated this ticket at ${time} UTC.`
    case 'ticket_reissued':
      return `${change.fields.actor} reissued this ticket at ${time} UTC.`
    case 'ticket_edited':
      return `${change.fields.actor} changed this ticket's ${change.fields.what} at ${time} UTC.`
    case 'ticket_forgotten':
      return `${change.fields.actor} erased this ticket's holder at ${time} UTC.`
    case 'release':
      return `${change.fields.actor} released this ticket's claim at ${time} UTC.`
    case 'claim':
      return `A phone claimed this ticket at ${time} UTC.`
    default:
      return `The ticket shop changed this ticket at ${time} UTC.`
  }
}

function isAbout({ fields }: Entry, ref: string): boolean {
  return 'ticket' in fields && fields.ticket === ref
}
