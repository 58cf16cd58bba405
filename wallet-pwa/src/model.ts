/** The model that every screen is given, opened in stages: storage, the wallet, its questions to the box, and the page. */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { type Offline, registerOffline } from '@gatehouse/proto/ui/offline.ts'
import { type Theme, themeSignal } from '@gatehouse/proto/ui/theme.ts'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type Polling, poll } from './box/polling.ts'
import { type Install, installable } from './install.ts'
import { routeOf, type ScreenName } from './route.ts'
import { keptIn } from './store/kept.ts'
import { keyRing } from './store/key-ring.ts'
import { bestEd25519, type Ed25519 } from './wallet/ed25519.ts'
import type { TicketLink } from './wallet/link.ts'
import { openWallet, type Wallet } from './wallet/wallet.ts'

export interface Model {
  wallet: Wallet
  /** The screen that is shown. */
  screen: ReadonlySignal<ScreenName>
  /** Opens a ticket and asks the box for it. */
  open(link: TicketLink): void
  /** Asks the box at once, or after the question that is under way. */
  ask(): Promise<void>
  /** The page was opened with a malformed link. */
  malformed: Signal<boolean>
  theme: Signal<Theme>
  offline: Offline
  install: Install
  /** Unix ms by this phone, once a second while the page is visible. */
  tick: ReadonlySignal<number>
}

export function openModel(): Model {
  const storage = storageOfPage()
  const wallet = openWallet({
    kept: keptIn(storage),
    keys: keyRing(),
    engine: engineOnDemand(),
    baseUrl: location.origin,
    fetch: (request) => fetch(request),
    clock: () => ({ wall: Date.now(), steady: performance.now() }),
    // Not randomUUID, which a page on plain HTTP does not have.
    nonce: () => toBase64(crypto.getRandomValues(new Uint8Array(16))),
  })
  const polling = poll(wallet.refresh, {
    visible: isVisible,
    random: Math.random,
    after(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
  const open = (link: TicketLink) => {
    wallet.open(link)
    void polling.anew()
  }
  const malformed = signal(false)
  const screen = routeOf(window, (link) => {
    malformed.value = link === undefined
    // Asks at once: in a page that was open before, the next question is half a minute away.
    if (link) open(link)
  })
  addEventListener('storage', wallet.adopt)
  // Asks a browser that may delete the tickets when the disk is full not to.
  void navigator.storage?.persist?.().catch(() => false)
  void polling.now()
  // Not in the first script, which has a budget. Where it does not arrive, the wallet asks every half a minute.
  void import('./box/told-page.ts').then(({ follow }) => follow(wallet), console.error)
  return {
    wallet,
    screen,
    open,
    ask: polling.anew,
    malformed,
    theme: themeSignal(storage ?? { getItem: () => null, setItem: () => {} }),
    offline: registerOffline('/wallet/'),
    install: installable(),
    tick: tickWhileVisible(polling),
  }
}

/** Also asks the box when the page becomes visible, or the network is back. */
function tickWhileVisible({ now }: Polling): ReadonlySignal<number> {
  const tick = signal(Date.now())
  const wake = () => {
    tick.value = Date.now()
    if (isVisible()) void now()
  }
  document.addEventListener('visibilitychange', wake)
  addEventListener('online', wake)
  setInterval(() => {
    if (isVisible()) tick.value = Date.now()
  }, 1000)
  return tick
}

function isVisible(): boolean {
  return document.visibilityState === 'visible'
}

/** The engine is loaded for the first code. Where its script does not arrive, the next code asks for it again. */
function engineOnDemand(): () => Promise<Ed25519> {
  let engine: Promise<Ed25519> | undefined
  return () => {
    engine ??= bestEd25519()
    engine.catch(() => {
      engine = undefined
    })
    return engine
  }
}

/** Undefined where the browser forbids it: reading the property throws there. */
function storageOfPage(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}
