/** The parts under the ticket, in one script: loaded one by one, they would push each other down while somebody reads. */
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import type { WalletTicket } from '../../wallet/tickets.ts'
import { ClaimPart } from './claim.tsx'
import { History } from './history.tsx'
import { InstallHint } from './install-hint.tsx'

interface UnderProps {
  model: Model
  ticket: WalletTicket
  view: TicketView
  /** The ticket has no code any more. */
  gone: boolean
}

export function UnderTicket({ model, ticket, view, gone }: UnderProps): JSX.Element {
  return (
    <>
      <History view={view} />
      {!gone && <ClaimPart model={model} ticket={ticket} view={view} />}
      <InstallHint model={model} />
    </>
  )
}
