/** Makes a ticket this phone's own. Its holder cannot take that back, so a sheet says first what it does. */
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { Notice, Sheet } from '../../pieces.tsx'
import type { WalletTicket } from '../../wallet/tickets.ts'
import { screenWords } from '../../words/late.ts'
import { words } from '../../words/words.ts'

/** `unloaded`: a part of the app did not arrive. */
type Failed = NonNullable<Awaited<ReturnType<Model['wallet']['claim']>>> | 'unloaded'

interface ClaimProps {
  model: Model
  ticket: WalletTicket
  view: TicketView
}

const w = screenWords.claim

export function ClaimPart({ model, ticket, view }: ClaimProps): JSX.Element {
  const claiming = useClaim(model, ticket)
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
  return <Unclaimed ticket={ticket} view={view} claiming={claiming} />
}

/** Kept while the ticket is unsure, too: what the box refuses in the end is said when it is no longer. */
function useClaim(model: Model, ticket: WalletTicket) {
  const [asking, setAsking] = useState(false)
  const [working, setWorking] = useState(false)
  const [failed, setFailed] = useState<Failed | null>(null)
  const claim = async () => {
    setWorking(true)
    const trouble = await model.wallet.claim(ticket.id).catch(() => 'unloaded' as const)
    setWorking(false)
    setAsking(false)
    // Without an answer it is sent again by itself, which the ticket says.
    setFailed(trouble === 'unreachable' || trouble === 'busy' ? null : trouble)
    void model.ask()
  }
  return { asking, working, failed, setAsking, claim }
}

type Claiming = ReturnType<typeof useClaim>

interface UnclaimedProps extends Omit<ClaimProps, 'model'> {
  claiming: Claiming
}

function Unclaimed({ ticket, view, claiming }: UnclaimedProps): JSX.Element {
  const { asking, failed, setAsking } = claiming
  return (
    <section class="part claim">
      {ticket.released && <Notice tone="info">{w.released}</Notice>}
      {failed && (
        <Notice tone="bad" live>
          {sentenceFor(failed)}
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
      {asking && <ClaimSheet {...claiming} />}
    </section>
  )
}

function sentenceFor(failed: Failed): string {
  if (failed === 'unkept') return w.unkept
  return failed === 'unloaded' ? screenWords.nearby.failed : words.trouble[failed].text
}

/** Says what a claim does before it is made. */
function ClaimSheet({ working, claim, setAsking }: Claiming): JSX.Element {
  const close = () => setAsking(false)
  return (
    <Sheet label={w.heading} close={close}>
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
        <button type="button" class="big" disabled={working} onClick={close}>
          {words.cancel}
        </button>
      </div>
    </Sheet>
  )
}
