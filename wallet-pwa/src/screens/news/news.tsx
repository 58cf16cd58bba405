/** The organiser's announcements that are signed by the key of the ticket's link. */
import './news.css'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Icon } from '../../icons.tsx'
import type { Model } from '../../model.ts'
import { Notice } from '../../pieces.tsx'
import { ago, moment } from '../../wallet/spoken.ts'
import { screenWords } from '../../words/late.ts'

const SIGNS = { info: 'info', warning: 'warn', emergency: 'bad' } as const

export function NewsScreen({ wallet, tick }: Model): JSX.Element {
  const { signed, hidden } = wallet.news.value
  const ticket = wallet.current.value
  const w = screenWords.news
  useEffect(wallet.markRead, [signed])
  const now = tick.value + (wallet.offset.value ?? 0)
  const zoneName = (id: string) => wallet.plan.value?.zones.find((zone) => zone.id === id)?.name ?? id
  return (
    <>
      <h1 tabIndex={-1}>{w.heading}</h1>
      {ticket && ticket.verifierKey === null && <Notice tone="warn">{w.noKey}</Notice>}
      {hidden > 0 && ticket?.verifierKey && <Notice tone="warn">{w.hidden(hidden)}</Notice>}
      <div aria-live="polite">
        {signed.length === 0 && hidden === 0 && ticket?.verifierKey !== null && <p class="quiet">{w.none}</p>}
        {signed.map(({ id, severity, text, lang, issued_at, expires_at, zones }) => (
          <article key={id} class={`news news-${severity}`}>
            <h2>
              <Icon of={SIGNS[severity]} /> {w.severity[severity]}
            </h2>
            <p class="news-text" lang={lang}>
              {text}
            </p>
            <p class="quiet">
              <time dateTime={issued_at}>{ago(now - Date.parse(issued_at))}</time>
              {zones && ` · ${w.zones(zones.map(zoneName).join(', '))}`}
              {expires_at && ` · ${w.until(moment(expires_at))}`} · {w.checked}
            </p>
          </article>
        ))}
      </div>
    </>
  )
}
