/** The frame of every screen: the event, the connection, what is urgent, the tickets, and the way to the other screens. */
import type { FunctionComponent, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icons.tsx'
import { useLater } from './later.ts'
import type { Model } from './model.ts'
import { Blank, Retry } from './pieces.tsx'
import { SCREENS, type ScreenName } from './route.ts'
import { TicketScreen } from './screens/ticket/ticket.tsx'
import { bandColours } from './wallet/colour.ts'
import { withWords } from './words/late.ts'
import { words } from './words/words.ts'

/** Each screen is given the model, and takes what it needs of it. */
type Screen = FunctionComponent<Model>

const nearby = withWords(() => import('./screens/nearby/nearby.tsx'))
const news = withWords(() => import('./screens/news/news.tsx'))
const more = withWords(() => import('./screens/more/more.tsx'))

/** The ticket is there at once; the others come when they are asked for, from this phone once it has them. */
const LOAD: Record<ScreenName, () => Promise<{ Screen: Screen }>> = {
  ticket: async () => ({ Screen: TicketScreen }),
  nearby: async () => ({ Screen: (await nearby()).NearbyScreen }),
  news: async () => ({ Screen: (await news()).NewsScreen }),
  more: async () => ({ Screen: (await more()).MoreScreen }),
}

export function App(model: Model): JSX.Element {
  const { wallet, screen } = model
  const name = screen.value
  const ticket = wallet.current.value
  const later = useLater(LOAD[name])
  const Shown = name === 'ticket' ? TicketScreen : later.part?.Screen
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)

  useEffect(() => {
    document.title = `${words.screens[name]} – ${words.title}`
    if (!Shown) return
    // A link followed by keyboard or screen reader leads to the beginning of the new screen; opening the page, to its top.
    if (!first.current) {
      scrollTo(0, 0)
      main.current?.querySelector('h1')?.focus({ preventScroll: true })
    }
    first.current = false
  }, [name, Shown])

  return (
    <div class={`shell shell-${name}`}>
      <header class="shell-header">
        {/* Empty while a ticket is being opened: another name in its place could be longer. */}
        <p class="shell-event">{ticket?.view?.event_name ?? (ticket && !ticket.trouble ? '' : words.title)}</p>
        <Reach {...model} />
      </header>
      <Emergency {...model} />
      {(name === 'ticket' || name === 'nearby') && <Tickets {...model} />}
      <main ref={main} class={`screen screen-${name}`}>
        {Shown && <Shown {...model} />}
        {!Shown && later.failed && (
          <Blank {...words.trouble.unloaded}>
            <Retry ask={later.again} />
          </Blank>
        )}
      </main>
      <nav class="shell-screens" aria-label={words.screensLabel}>
        {SCREENS.map((one) => (
          <a key={one} href={`#/${one}`} {...(one === name && { 'aria-current': 'page' })}>
            <Icon of={one} />
            <span>{words.screens[one]}</span>
            {one === 'news' && wallet.unread.value > 0 && (
              <span class="shell-unread">
                <span aria-hidden="true">{wallet.unread.value}</span>
                <span class="visually-hidden"> {words.unread(wallet.unread.value)}</span>
              </span>
            )}
          </a>
        ))}
      </nav>
    </div>
  )
}

function Reach({ wallet }: Model): JSX.Element {
  const state = { true: 'live', false: 'offline', null: 'asking' }[`${wallet.reachable.value}`] as
    | 'live'
    | 'offline'
    | 'asking'
  return (
    <p class={`shell-reach shell-reach-${state}`} role="status">
      {words[state]}
    </p>
  )
}

/** Over every screen until it has ended: it may be why somebody opened the page. */
function Emergency({ wallet }: Model): JSX.Element | null {
  const urgent = wallet.news.value.signed.filter(({ severity }) => severity === 'emergency')
  if (urgent.length === 0) return null
  return (
    <div class="emergency" role="alert">
      {urgent.map(({ id, text, lang }) => (
        <p key={id}>
          <strong>
            <Icon of="warn" /> {words.emergency}
          </strong>
          <span lang={lang}>{text}</span>
        </p>
      ))}
    </div>
  )
}

function Tickets({ wallet, ask }: Model): JSX.Element | null {
  const tickets = wallet.tickets.value
  if (tickets.length < 2) return null
  return (
    <nav class="shell-tickets" aria-label={words.yourTickets}>
      {tickets.map(({ id, view }, i) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === wallet.current.value?.id}
          onClick={() => {
            wallet.show(id)
            void ask()
          }}
        >
          <span class="swatch" style={{ background: bandColours(view?.ticket.tier_colour ?? null).ground }} />
          <span>
            {words.ticketName(i + 1, view?.ticket.tier_name)}
            <span class="shell-whose">{view?.ticket.seat_label ?? view?.ticket.holder_name}</span>
          </span>
        </button>
      ))}
    </nav>
  )
}
