/** The tickets that a look-up has found, each to open. */
import type { FoundTicket, LookUpAnswer } from '@gatehouse/proto/wire/desk.ts'
import type { JSX } from 'preact'
import { deskWords as say } from '../../words/late.ts'
import { Note, Panel } from '../parts/parts.tsx'

interface ResultsProps {
  found: LookUpAnswer
  open: (ref: string) => void
}

export function Results({ found: { tickets, more, indexing }, open }: ResultsProps): JSX.Element {
  return (
    <Panel title={say.results(tickets.length)}>
      <ul class="desk-list">
        {tickets.map((ticket) => (
          <li key={ticket.ticket}>
            <button type="button" onClick={() => open(ticket.ticket)}>
              <strong>{ticket.holder ?? say.unnamed}</strong>
              <span>{[ticket.tier_name, ticket.seat, ticket.order].filter(Boolean).join(' · ')}</span>
              <StateTag state={ticket.state} inside={ticket.inside} />
            </button>
          </li>
        ))}
      </ul>
      <div role="status">
        {more && <p>{say.more}</p>}
        {indexing && <Note tone="bad">{say.reading}</Note>}
      </div>
    </Panel>
  )
}

export function StateTag({ state, inside }: Pick<FoundTicket, 'state' | 'inside'>): JSX.Element {
  return (
    <span class="desk-tags">
      <span class={`tag ${state === 'valid' ? 'good' : 'bad'}`}>{say.states[state]}</span>
      <span class="tag quiet">{inside ? say.inside : say.outside}</span>
    </span>
  )
}
