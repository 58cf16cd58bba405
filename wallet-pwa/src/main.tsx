import './wallet.css'
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { registerOffline } from '@gatehouse/proto/ui/offline.ts'
import { themeSignal } from '@gatehouse/proto/ui/theme.ts'
import { signal } from '@preact/signals'
import { render } from 'preact'
import { App } from './app.tsx'
import { installable } from './install.ts'
import type { Model } from './model.ts'
import { routeOf } from './route.ts'
import { bestEd25519, type Ed25519 } from './wallet/ed25519.ts'
import { keptIn } from './wallet/kept.ts'
import { keyRing } from './wallet/key-ring.ts'
import { poll } from './wallet/polling.ts'
import { openWallet } from './wallet/wallet.ts'

const storage = storageOfPage()
let engine: Promise<Ed25519> | undefined
const wallet = openWallet({
  kept: keptIn(storage),
  keys: keyRing(),
  engine: () => {
    engine ??= bestEd25519()
    // Its script did not arrive: the next code asks for it again.
    engine.catch(() => {
      engine = undefined
    })
    return engine
  },
  baseUrl: location.origin,
  fetch: (request) => fetch(request),
  clock: () => ({ wall: Date.now(), steady: performance.now() }),
  // Not randomUUID, which a page on plain HTTP does not have.
  nonce: () => toBase64(crypto.getRandomValues(new Uint8Array(16))),
})
const polling = poll(wallet.refresh, {
  visible: () => document.visibilityState === 'visible',
  random: Math.random,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
})
const malformed = signal(false)
const model: Model = {
  wallet,
  open(link) {
    wallet.open(link)
    void polling.anew()
  },
  ask: polling.anew,
  malformed,
  theme: themeSignal(storage ?? { getItem: () => null, setItem: () => {} }),
  offline: registerOffline('/wallet/'),
  install: installable(),
  tick: signal(Date.now()),
}

const screen = routeOf(window, (link) => {
  malformed.value = link === undefined
  // Asks for it at once: over a page that is open already, the next question is half a minute away.
  if (link) model.open(link)
})

const wake = () => {
  model.tick.value = Date.now()
  if (document.visibilityState === 'visible') void polling.now()
}
document.addEventListener('visibilitychange', wake)
addEventListener('online', wake)
addEventListener('storage', wallet.adopt)
setInterval(() => {
  if (document.visibilityState === 'visible') model.tick.value = Date.now()
}, 1000)
// A browser that may throw the tickets away when the disk is full is asked not to.
void navigator.storage?.persist?.().catch(() => false)
void polling.now()

const root = document.getElementById('app')
if (root) render(<App model={model} screen={screen} />, root)

/** Undefined where the browser forbids it: the very word throws there. */
function storageOfPage(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}
