/** One ticket: what it is, whose, what happened to it, and what can be done. */
import { Qr } from '@gatehouse/proto/ui/qr.tsx'
import type { DeskLink, DeskTicket } from '@gatehouse/proto/wire/desk.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useOnce } from '../../widgets/once.ts'
import { deskWords as say, actionWords as words } from '../../words/late.ts'
import { Copy, Facts, Note, Panel } from '../parts/parts.tsx'
import { Actions } from './actions.tsx'
import type { Desk } from './finding.ts'
import { StateTag } from './results.tsx'

export interface TicketProps {
  model: Model
  desk: Desk
  ticket: DeskTicket
}

/** Codes that are on the screen: for as long as the ticket is open, and no longer. */
export interface Shown extends DeskLink {
  /** A new printed code, after a re-issue. */
  code?: string
}

export function TicketPage(props: TicketProps): JSX.Element {
  const { model, ticket, desk } = props
  const shown = useSignal<Shown | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  // A screen reader goes on with the ticket that was opened.
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <section class="part-panel desk-ticket" aria-labelledby="desk-holder">
        <h2 id="desk-holder" ref={heading} tabIndex={-1} class="part-title">
          {ticket.holder ?? say.unnamed}
        </h2>
        <StateTag state={ticket.state} inside={ticket.inside} />
        {ticket.reason && <p>{ticket.reason}</p>}
        {(ticket.attention || ticket.shop_notes.length > 0) && (
          <div class="desk-attention" data-attention={ticket.attention}>
            {ticket.attention && <strong>{say.attention}</strong>}
            {ticket.shop_notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
          </div>
        )}
        <Facts rows={factsOf(ticket)} />
        {ticket.note && (
          <Note tone="good">
            <strong>{say.note}:</strong> {ticket.note}
          </Note>
        )}
        {ticket.revoked_here && <p class="quiet">{say.revokedHere}</p>}
        {ticket.reissued && <p class="quiet">{say.reissued}</p>}
        {ticket.forgotten && <p class="quiet">{say.forgotten}</p>}
        {ticket.holder_changed && <p class="quiet">{say.renamed}</p>}
      </section>
      <Codes model={model} ticket={ticket} shown={shown} />
      <Actions {...props} shown={shown} />
      <Others ticket={ticket} desk={desk} />
      {ticket.answers.length > 0 && (
        <Panel title={say.answers}>
          <Facts rows={ticket.answers.map(({ question, answer }) => [question, answer] as const)} />
        </Panel>
      )}
      <History ticket={ticket} />
    </>
  )
}

function factsOf(ticket: DeskTicket): (readonly [string, string])[] {
  const { facts } = say
  const { at } = words.time
  const validity = [
    ticket.valid_from && say.from(at(ticket.valid_from)),
    ticket.valid_until && say.until(at(ticket.valid_until)),
  ]
  const all: (readonly [string, string | null])[] = [
    [facts.kind, ticket.tier_name],
    [facts.product, ticket.product],
    [facts.seat, ticket.seat],
    [facts.order, ticket.order],
    [facts.price, ticket.price],
    [facts.extras, ticket.extras.join(', ') || null],
    [facts.email, ticket.email],
    [facts.company, ticket.company],
    [facts.phone, ticket.phone],
    [facts.validity, validity.filter(Boolean).join(', ') || null],
    [facts.claimed, ticket.claimed_at && at(ticket.claimed_at)],
    [facts.admissions, String(ticket.admissions)],
  ]
  return all.filter((fact): fact is [string, string] => fact[1] !== null)
}

function Codes({ model, ticket, shown }: Omit<TicketProps, 'desk'> & { shown: Signal<Shown | null> }): JSX.Element {
  const { session, act, toasts } = model
  const showing = useOnce(async () => {
    await act(async (actor) => {
      const params = { path: { ref: ticket.ticket } }
      shown.value = await answered(
        session.client.POST('/v1/admin/desk/tickets/{ref}/link', { params, body: { actor } }),
      )
      return say.link.title
    })
  })
  const { value } = shown
  if (!value) {
    return (
      <p>
        <button type="button" aria-busy={showing.busy.value} onClick={() => void showing.run()}>
          {say.link.button}
        </button>
      </p>
    )
  }
  return (
    <>
      {value.code !== undefined && (
        <Panel title={say.newCode.title} lead={say.newCode.text}>
          <Qr class="desk-qr" text={value.code} label={say.newCode.label} />
          <code class="part-code">{value.code}</code>
        </Panel>
      )}
      <Panel title={say.link.title} lead={say.link.text}>
        <Qr class="desk-qr" text={value.link} label={say.link.label} />
        <div class="part-row">
          <Copy text={value.link} label={words.copy.link} toasts={toasts} />
          <button type="button" onClick={() => (shown.value = null)}>
            {say.link.close}
          </button>
        </div>
      </Panel>
    </>
  )
}

function Others({ ticket: { others }, desk }: Pick<TicketProps, 'ticket' | 'desk'>): JSX.Element | null {
  if (others.length === 0) return null
  return (
    <Panel title={say.others}>
      <ul class="desk-list">
        {others.map((other) => (
          <li key={other.ticket}>
            <button type="button" onClick={() => void desk.opening.run(other.ticket)}>
              <strong>{other.holder ?? say.unnamed}</strong>
              <span>{[other.tier_name, other.seat].filter(Boolean).join(' · ')}</span>
              <StateTag state={other.state} inside={other.inside} />
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function History({ ticket: { history } }: Pick<TicketProps, 'ticket'>): JSX.Element {
  return (
    <Panel title={say.history}>
      {history.length === 0 ? (
        <p class="quiet">{say.historyEmpty}</p>
      ) : (
        <ol class="desk-history" aria-label={say.history}>
          {history.map((row) => (
            <li key={`${row.at} ${row.text}`} data-what={row.what}>
              <p>{row.text}</p>
              <p class="quiet">{words.time.at(row.at)}</p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
