/** Two people at two desks have one ticket open: the second is told what the first has done, and decides again. */
import type { CodeOf, SaidValues } from '@gatehouse/proto/said.ts'
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
    const { text, ...more } = whatChanged(ticket, ledger)
    throw new GatehouseError('conflict', `${text} Look at the ticket again, then decide.`, more)
  }
}

interface Change {
  text: string
  reason: CodeOf<'acts'>
  values?: SaidValues
}

function whatChanged({ entry, ref }: Ticket, ledger: Ledger): Change {
  const [own] = ledger.read(entry, 1)
  const change = own?.kind === 'heard' ? replicatedIn(ledger.db, own).findLast((fact) => isAbout(fact, ref)) : own
  if (!change) return { text: 'Somebody has changed this ticket at another box.', reason: 'ticket_changed_elsewhere' }
  const time = isoOfReading(change.hlc).slice(11, 16)
  const by = ({ actor }: { actor: string }, did: string, reason: CodeOf<'acts'>): Change => {
    return { text: `${actor} ${did} at ${time} UTC.`, reason, values: { actor, time } }
  }
  switch (change.kind) {
    case 'ticket_revoked':
      return by(change.fields, 'revoked this ticket', 'ticket_was_revoked')
    case 'ticket_reinstated':
      return by(change.fields, 'reinstated this ticket', 'ticket_was_reinstated')
    case 'ticket_reissued':
      return by(change.fields, 'reissued this ticket', 'ticket_was_reissued')
    case 'ticket_edited':
      return by(change.fields, `changed this ticket's ${change.fields.what}`, 'ticket_changed')
    case 'ticket_forgotten':
      return by(change.fields, "erased this ticket's holder", 'ticket_was_forgotten')
    case 'release':
      return by(change.fields, "released this ticket's claim", 'claim_was_released')
    case 'claim':
      return { text: `A phone claimed this ticket at ${time} UTC.`, reason: 'ticket_claimed', values: { time } }
    default:
      return {
        text: `The ticket shop changed this ticket at ${time} UTC.`,
        reason: 'ticket_changed_by_shop',
        values: { time },
      }
  }
}

function isAbout({ fields }: Entry, ref: string): boolean {
  return 'ticket' in fields && fields.ticket === ref
}
