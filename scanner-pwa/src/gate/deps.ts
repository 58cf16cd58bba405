/** The parts of the browser that the core uses, as values, so that a test can replace them. */
import { bestVerifier, type Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import { orderedUuid } from '@gatehouse/proto/ordered-uuid.ts'
import { sleep } from '@gatehouse/proto/sleep.ts'
import { type Keeping, scantRoom, storageKeeping } from '../store/keeping.ts'

export interface Deps {
  /** Sends a request as it is; requests that need a signature are signed before. */
  fetch: (request: Request) => Promise<Response>
  /** Unix ms by the device's clock. */
  now: () => number
  /** Milliseconds that never jump. */
  monotonic: () => number
  /** Verifies Ed25519 signatures with the engine of this browser. */
  ed25519: () => Promise<Ed25519Verifier>
  /** From 0 to under 1, for jitter. */
  random: () => number
  uuid: () => string
  /** Origin of this page, which is that of its box. */
  origin: string
  /**
   * Origins that the page's policy allows beside that one: those of the event's other boxes when the page was fetched.
   * Undefined where that is not known.
   */
  otherOrigins: () => Promise<readonly string[] | undefined>
  /** Name of the database in the browser. */
  database: string
  /** Resolves early, without an error, when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Lets one tab at a time open the scanner: resolves to the release, or to undefined where another tab has the lock. */
  lock: () => Promise<(() => void) | undefined>
  /** True when the browser keeps what is stored even if its disk is full. */
  storageKeeping: () => Promise<Keeping>
  /** Megabytes that the browser gives this app, where they are few. */
  scantRoom: () => Promise<number | undefined>
  /** The database was taken away while it was open: opens the page again. */
  reopen: () => void
  /** From 0 to 1; undefined where the browser does not say. */
  battery: () => Promise<number | undefined>
  /**
   * Calls back when the device reports that its network came or went, and with `true` when the page is looked at again: a phone that slept or
   * rang may have another network by then, and reports none of it. Returns what ends it.
   */
  onNetwork: (changed: (online: boolean) => void) => () => void
  version: string
}

const LOCK = 'gatehouse-scanner'

export function browserDeps(): Deps {
  return {
    fetch: (request) => fetch(request),
    now: () => Date.now(),
    monotonic: () => performance.now(),
    ed25519: bestVerifier,
    random: () => Math.random(),
    uuid: () => orderedUuid(Date.now()),
    origin: location.origin,
    otherOrigins,
    database: 'gatehouse-scanner',
    sleep,
    lock: () => webLock(navigator.locks),
    storageKeeping: storageKeeping(navigator.storage),
    scantRoom: () => scantRoom(navigator.storage),
    reopen: () => location.reload(),
    battery,
    onNetwork(changed) {
      const online = () => changed(true)
      const offline = () => changed(false)
      const seen = () => document.visibilityState === 'visible' && changed(navigator.onLine)
      addEventListener('online', online)
      addEventListener('offline', offline)
      addEventListener('pageshow', seen)
      document.addEventListener('visibilitychange', seen)
      return () => {
        removeEventListener('online', online)
        removeEventListener('offline', offline)
        removeEventListener('pageshow', seen)
        document.removeEventListener('visibilitychange', seen)
      }
    },
    version: 'scanner-pwa/0.1.0',
  }
}

/** Held until the release is called or the tab is gone: a browser releases the locks of a crashed tab. */
export function webLock(locks: LockManager | undefined): Promise<(() => void) | undefined> {
  // A browser without locks: nearly everybody has one tab.
  if (!locks) return Promise.resolve(() => {})
  return new Promise((resolve, reject) => {
    locks
      .request(LOCK, { ifAvailable: true }, (lock) => {
        if (!lock) {
          resolve(undefined)
          return undefined
        }
        return new Promise<void>((release) => resolve(release))
      })
      .catch(reject)
  })
}

/** From the policy of this page, fetched again: the service worker or the box answers with the same policy. */
async function otherOrigins(): Promise<readonly string[] | undefined> {
  const page = await fetch(location.pathname, { cache: 'no-cache' }).catch(() => undefined)
  return page?.ok ? originsIn(page.headers.get('content-security-policy') ?? '') : undefined
}

/** The origins in the `connect-src` of a content security policy, beside the page's own. */
export function originsIn(policy: string): string[] {
  const [, sources = ''] = /(?:^|;)\s*connect-src ([^;]*)/.exec(policy) ?? []
  return sources.split(/\s+/).filter((source) => source.startsWith('https://'))
}

async function battery(): Promise<number | undefined> {
  const { getBattery } = navigator as Navigator & { getBattery?: () => Promise<{ level: number }> }
  return (await getBattery?.call(navigator).catch(() => undefined))?.level
}
