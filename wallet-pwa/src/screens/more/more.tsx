/** The tickets on this phone, how it looks, and how the phone is doing. */
import './more.css'
import { LanguageChoice } from '@gatehouse/proto/ui/language-choice.tsx'
import { ThemeChoice } from '@gatehouse/proto/ui/theme-choice.tsx'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { phoneClock } from '../../box/clock.ts'
import type { Model } from '../../model.ts'
import { Notice, Sheet } from '../../pieces.tsx'
import { bandColours } from '../../wallet/colour.ts'
import { parseTicketLink } from '../../wallet/link.ts'
import { ago, lasting } from '../../wallet/spoken.ts'
import type { WalletTicket } from '../../wallet/tickets.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { screenWords } from '../../words/late.ts'
import { words } from '../../words/words.ts'

const w = screenWords.more

export function MoreScreen(model: Model): JSX.Element {
  const tickets = model.wallet.tickets.value
  return (
    <>
      <h1 tabIndex={-1}>{w.heading}</h1>
      {tickets.length > 0 && (
        <section class="part">
          <h2>{words.yourTickets}</h2>
          <ul class="owned">
            {tickets.map((ticket, i) => (
              <Owned key={ticket.id} wallet={model.wallet} ticket={ticket} number={i + 1} />
            ))}
          </ul>
        </section>
      )}
      <Add {...model} />
      <ThemeChoice class="part look" theme={model.theme} legend={w.theme} names={w.themes} />
      <LanguageChoice class="part look-language" legend={w.language} auto={w.themes.auto} />
      <State {...model} />
      <p class="part">
        <a href="licences.txt" target="_blank" rel="noopener license">
          {w.licences}
        </a>
      </p>
    </>
  )
}

function Owned({ wallet, ticket, number }: { wallet: Wallet; ticket: WalletTicket; number: number }): JSX.Element {
  const { view, claim } = ticket
  const [sheet, setSheet] = useState<'remove' | 'link' | null>(null)
  const name = words.ticketName(number, view?.ticket.tier_name, view?.ticket.seat_label ?? view?.ticket.holder_name)
  const close = () => setSheet(null)
  return (
    <li>
      <button
        type="button"
        class="owned-name"
        onClick={() => {
          wallet.show(ticket.id)
          location.hash = '#/ticket'
        }}
      >
        <span class="swatch" style={{ background: bandColours(view?.ticket.tier_colour ?? null).ground }} />
        <span>
          <strong>{name}</strong>
          {view && <span class="quiet">{view.event_name}</span>}
        </span>
      </button>
      <div class="choices">
        {claim === 'none' && (
          <button type="button" aria-label={w.linkLabel(name)} onClick={() => setSheet('link')}>
            {w.link}
          </button>
        )}
        <button type="button" class="danger" aria-label={w.removeLabel(name)} onClick={() => setSheet('remove')}>
          {w.remove}
        </button>
      </div>
      {sheet === 'remove' && (
        <Sheet label={w.removeHeading(name)} close={close}>
          <h2>{w.removeHeading(name)}</h2>
          {claim === 'none' ? <p>{w.removeText}</p> : <Notice tone="bad">{w.removeMine}</Notice>}
          <div class="choices">
            <button
              type="button"
              class="danger big"
              onClick={() => {
                close()
                void wallet.remove(ticket.id)
              }}
            >
              {w.removeConfirm}
            </button>
            <button type="button" class="big" onClick={close}>
              {words.cancel}
            </button>
          </div>
        </Sheet>
      )}
      {sheet === 'link' && <LinkSheet ticket={ticket} close={close} />}
    </li>
  )
}

function LinkSheet({ ticket, close }: { ticket: WalletTicket; close: () => void }): JSX.Element {
  const [copied, setCopied] = useState(false)
  const fragment = new URLSearchParams({ t: ticket.id, ...(ticket.verifierKey !== null && { k: ticket.verifierKey }) })
  const link = `${location.origin}${location.pathname}#${fragment}`
  return (
    <Sheet label={w.linkHeading} close={close}>
      <h2>{w.linkHeading}</h2>
      <Notice tone="warn">{w.linkText}</Notice>
      <label>
        {w.linkField}
        <textarea readOnly rows={4} value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <div class="choices">
        {navigator.clipboard && (
          <button
            type="button"
            class="primary big"
            onClick={() => void navigator.clipboard.writeText(link).then(() => setCopied(true))}
          >
            <span role="status">{copied ? w.copied : w.copy}</span>
          </button>
        )}
        <button type="button" class="big" onClick={close}>
          {words.close}
        </button>
      </div>
    </Sheet>
  )
}

function Add({ open, malformed }: Model): JSX.Element {
  const [text, setText] = useState('')
  const wrong = malformed.value
  function add(event: Event) {
    event.preventDefault()
    const link = parseTicketLink(text)
    malformed.value = link === undefined
    if (!link) return
    setText('')
    open(link)
    location.hash = '#/ticket'
  }
  return (
    <section class="part">
      <h2>{w.add}</h2>
      <form onSubmit={add}>
        <label for="more-link">{w.paste}</label>
        <p id="more-hint" class="quiet">
          {w.pasteHint}
        </p>
        <div role="alert">{wrong && <Notice tone="bad">{w.malformed}</Notice>}</div>
        <input
          id="more-link"
          type="text"
          inputMode="url"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="more-hint"
          aria-invalid={wrong}
          required
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="primary big">
          {w.addButton}
        </button>
      </form>
    </section>
  )
}

function State({ wallet, offline, tick }: Model): JSX.Element {
  const seenAt = wallet.current.value?.seenAt
  const clock = phoneClock(wallet.offset.value)
  return (
    <section class="part">
      <h2>{w.state}</h2>
      {offline.newer.value && (
        <Notice tone="info">
          {w.newer}{' '}
          <button type="button" onClick={offline.restart}>
            {w.restart}
          </button>
        </Notice>
      )}
      <ul class="plain">
        <li>{!isSecureContext ? w.savedNever : offline.ready.value ? w.savedYes : w.savedNo}</li>
        {seenAt != null && <li>{w.updated(ago(tick.value - seenAt))}</li>}
        {wallet.offset.value !== null && (
          <li>{clock.state === 'right' ? w.clockRight : words.ticket[clock.state](lasting(clock.byMs))}</li>
        )}
      </ul>
    </section>
  )
}
