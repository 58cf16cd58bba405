/** Making a ticket this phone's own: what it does is said before it is done, because its holder cannot take it back. */
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { Notice, Sheet } from '../../pieces.tsx'
import type { WalletTicket } from '../../wallet/wallet.ts'
import { words } from '../../words/en.ts'

type Failed = NonNullable<Awaited<ReturnType<Model['wallet']['claim']>>>

export function ClaimPart({
  model,
  ticket,
  view,
}: {
  model: Model
  ticket: WalletTicket
  view: TicketView
}): JSX.Element {
  const [asking, setAsking] = useState(false)
  const [working, setWorking] = useState(false)
  const [failed, setFailed] = useState<Failed | null>(null)
  const w = words.claim

  async function claim() {
    setWorking(true)
    const trouble = await model.wallet.claim(ticket.id)
    setWorking(false)
    setAsking(false)
    // Without an answer it is sent again by itself, which the ticket says.
    setFailed(trouble === 'unreachable' || trouble === 'busy' ? null : trouble)
    void model.ask()
  }

  if (ticket.claim === 'mine') {
    return (
      <Notice tone="good" live>
        {ticket.weak ? w.mineWeak : w.mine}
      </Notice>
    )
  }
  if (ticket.claim === 'unsure') {
    return (
      <Notice tone="warn" live>
        {w.unsure}
      </Notice>
    )
  }
  return (
    <section class="part claim">
      {ticket.released && <Notice tone="info">{w.released}</Notice>}
      {failed && (
        <Notice tone="bad" live>
          {failed === 'unkept' ? w.unkept : words.trouble[failed].text}
        </Notice>
      )}
      {!view.claimed && (
        <>
          <h2>{w.title}</h2>
          <p>{w.why}</p>
          <button type="button" class="big" onClick={() => setAsking(true)}>
            {w.ask}
          </button>
        </>
      )}
      {asking && (
        <Sheet label={w.heading} close={() => setAsking(false)}>
          <h2>{w.heading}</h2>
          <ul>
            {w.does.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {!isSecureContext && <Notice tone="warn">{w.weak}</Notice>}
          <div class="choices">
            <button type="button" class="primary big" disabled={working} onClick={() => void claim()}>
              {working ? w.working : w.confirm}
            </button>
            <button type="button" class="big" disabled={working} onClick={() => setAsking(false)}>
              {words.cancel}
            </button>
          </div>
        </Sheet>
      )}
    </section>
  )
}
