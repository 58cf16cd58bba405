/** The service worker of an app: what makes it open without network. Needs a secure context; plain HTTP goes without. */
import { type ReadonlySignal, signal } from '@preact/signals'

export interface Offline {
  /** Every file of the app is on this device. */
  ready: ReadonlySignal<boolean>
  /** A newer version is waiting; it starts when the app is next opened, or at once with `restart`. */
  newer: ReadonlySignal<boolean>
  /** Looks for a newer version now: a browser does it by itself only when the app is opened. */
  look: () => void
  restart: () => void
}

/** A newer worker takes over within milliseconds, and its page is loaded at once. */
const TAKES_OVER_MS = 2000

/** Registers `<base>sw.js`. Never throws: without it the app works for as long as it stays open. */
export function registerOffline(base: string): Offline {
  const ready = signal(false)
  const newer = signal(false)
  let waiting: ServiceWorker | null = null
  let known: ServiceWorkerRegistration | undefined
  const look = () => void known?.update().catch(() => {})
  let restarting = false
  const restart = () => {
    restarting = true
    waiting?.postMessage({ type: 'SKIP_WAITING' })
    // Chromium lets the newer worker wait for minutes at times, for a request of this page that has long been answered.
    setTimeout(() => location.reload(), TAKES_OVER_MS)
  }
  const offline = { ready, newer, look, restart }
  if (!('serviceWorker' in navigator)) return offline

  const hadController = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // Nothing waits any more by the time that the newer one takes over. The first worker of all takes over a page that came
    // without one: there is nothing new in that.
    if (restarting || (hadController && waiting)) location.reload()
  })
  void navigator.serviceWorker.ready.then(() => {
    ready.value = true
  })
  navigator.serviceWorker
    .register(`${base}sw.js`, { scope: base })
    .then((registration) => {
      known = registration
      const wait = () => {
        waiting = registration.waiting
        newer.value = waiting !== null && navigator.serviceWorker.controller !== null
      }
      wait()
      registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', wait))
    })
    .catch((error) => console.warn('This app will not open without network:', error))
  return offline
}
