/** The ticket: the code that is held to the scanner, and its facts for the holder. */
import './ticket.css'
import { Facts } from '@gatehouse/proto/ui/facts.tsx'
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import type { JSX } from 'preact'
import { phoneClock } from '../../box/clock.ts'
import { useLater } from '../../later.ts'
import type { Model } from '../../model.ts'
import { Blank, Notice, Retry } from '../../pieces.tsx'
import { bandColours } from '../../wallet/colour.ts'
import { ago, lasting, moment } from '../../wallet/spoken.ts'
import type { WalletTicket } from '../../wallet/tickets.ts'
import { withWords } from '../../words/late.ts'
import { words } from '../../words/words.ts'
import { Code } from './code.tsx'

/** Not in the first script, which has a budget. */
const loadUnder = withWords(() => import('./under.tsx'))

export function TicketScreen(model: Model): JSX.Element {
  const ticket = model.wallet.current.value
  if (!ticket) {
    return (
      <Blank {...words.welcome} title={words.welcome.heading}>
        <a class="button primary big" href="#/more">
          {words.add}
        </a>
      </Blank>
    )
  }
  if (!ticket.view) return <Unopened model={model} ticket={ticket} />
  return <Opened key={ticket.id} model={model} ticket={ticket} view={ticket.view} />
}

function Unopened({ model, ticket: { id, trouble } }: { model: Model; ticket: WalletTicket }): JSX.Element {
  if (!trouble) {
    return (
      <p class="opening" role="status">
        {words.ticket.opening}
      </p>
    )
  }
  return (
    <Blank {...words.trouble[trouble]}>
      <Retry ask={model.ask} />
      {trouble === 'unknown' && (
        <button type="button" class="big" onClick={() => void model.wallet.remove(id)}>
          {words.remove}
        </button>
      )}
    </Blank>
  )
}

type Open = { model: Model; ticket: WalletTicket; view: TicketView }

function Opened({ model, ticket, view }: Open): JSX.Element {
  const { tier_name, tier_colour, seat_label, status } = view.ticket
  const { ground, ink } = bandColours(tier_colour)
  const Under = useLater(loadUnder).part?.UnderTicket
  const gone = status === 'revoked' || ticket.lost || (ticket.trouble === 'elsewhere' && ticket.claim === 'none')
  return (
    <>
      <article class="ticket">
        <header class="ticket-band" style={{ background: ground, color: ink }}>
          <h1 tabIndex={-1}>{tier_name}</h1>
          {seat_label && <p>{seat_label}</p>}
        </header>
        {gone ? <Gone status={status} lost={ticket.lost} /> : <Code model={model} ticket={ticket} view={view} />}
        <TicketFacts view={view} />
      </article>
      <Notices model={model} ticket={ticket} view={view} />
      {Under && <Under model={model} ticket={ticket} view={view} gone={gone} />}
    </>
  )
}

function Gone({ status, lost }: { status: TicketView['ticket']['status']; lost: boolean }): JSX.Element {
  const { keyDeleted, elsewhere } = words.trouble
  const { title, text } = status === 'revoked' ? words.ticket.revoked : lost ? keyDeleted : elsewhere
  return (
    <div class="ticket-gone" role="status">
      <h2>{title}</h2>
      <p>{text}</p>
    </div>
  )
}

function TicketFacts({ view: { ticket } }: { view: TicketView }): JSX.Element {
  const { holder_name, zones, valid_from, valid_until } = ticket
  const valid =
    valid_from && valid_until
      ? words.ticket.validBetween(moment(valid_from), moment(valid_until))
      : valid_from
        ? words.ticket.validFrom(moment(valid_from))
        : valid_until && words.ticket.validUntil(moment(valid_until))
  return (
    <Facts
      class="ticket-facts"
      rows={[
        [words.ticket.holder, holder_name || null],
        [words.ticket.zones, zones.map(({ name }) => name).join(', ') || null],
        [words.ticket.valid, valid || null],
      ]}
    />
  )
}

function Notices({ model: { wallet, tick }, ticket, view }: Open): JSX.Element {
  const { status, valid_from, valid_until } = view.ticket
  const now = tick.value + (wallet.offset.value ?? 0)
  const clock = phoneClock(wallet.offset.value)
  const w = words.ticket
  return (
    <>
      {status === 'blocked' && <Notice tone="bad">{w.blocked}</Notice>}
      {status === 'pending' && <Notice tone="warn">{w.pending}</Notice>}
      {valid_from && Date.parse(valid_from) > now && <Notice tone="info">{w.early(moment(valid_from))}</Notice>}
      {valid_until && Date.parse(valid_until) <= now && <Notice tone="bad">{w.late(moment(valid_until))}</Notice>}
      {ticket.trouble === 'unknown' && <Notice tone="warn">{w.unknown}</Notice>}
      {ticket.trouble === 'elsewhere' && ticket.claim === 'mine' && <Notice tone="warn">{w.unsigned}</Notice>}
      {wallet.reachable.value === false && ticket.seenAt !== null && (
        <Notice tone="info">{words.offlineLong(ago(tick.value - ticket.seenAt))}</Notice>
      )}
      {clock.state !== 'right' && <Notice tone="warn">{w[clock.state](lasting(clock.byMs))}</Notice>}
      {wallet.forgetful.value && <Notice tone="warn">{words.forgetful}</Notice>}
    </>
  )
}
