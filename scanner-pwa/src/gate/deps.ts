/** What the core takes from the outside world, so that a test can hand it another one. */
import { bestVerifier, type Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'

export interface Deps {
  /** Sends a request that is complete: signed, if it has to be. */
  fetch: (request: Request) => Promise<Response>
  /** Unix ms, as this device has it. */
  now: () => number
  /** Milliseconds that never jump. */
  monotonic: () => number
  /** What this browser verifies signatures with. */
  ed25519: () => Promise<Ed25519Verifier>
  /** From 0 to under 1, for jitter. */
  random: () => number
  uuid: () => string
  /** Where this page comes from: its box's origin. */
  origin: string
  /**
   * Origins that its policy lets this page ask beside that one: the event's other boxes when the page was fetched. Undefined
   * where there is no telling.
   */
  otherOrigins: () => Promise<readonly string[] | undefined>
  database: string
  /** Resolves early, without an error, when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** One tab at a time: resolves to the release, or undefined where another tab has it. */
  lock: () => Promise<(() => void) | undefined>
  /** Whether the browser keeps what is stored; undefined where it does not say. */
  storagePersisted: () => Promise<boolean | undefined>
  /** From 0 to 1; undefined where the browser does not say. */
  battery: () => Promise<number | undefined>
  /** Calls back when the device says that its network came or went. @returns the end of it */
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
    uuid: () => crypto.randomUUID(),
    origin: location.origin,
    otherOrigins,
    database: 'gatehouse-scanner',
    sleep,
    lock: () => webLock(navigator.locks),
    storagePersisted: async () => (await navigator.storage?.persist?.()) ?? navigator.storage?.persisted?.(),
    battery,
    onNetwork(changed) {
      const online = () => changed(true)
      const offline = () => changed(false)
      addEventListener('online', online)
      addEventListener('offline', offline)
      return () => {
        removeEventListener('online', online)
        removeEventListener('offline', offline)
      }
    },
    version: 'scanner-pwa/0.1.0',
  }
}

/** Held until the release is called, or the tab is gone: a browser gives the locks of a crashed tab free. */
export function webLock(locks: LockManager | undefined): Promise<(() => void) | undefined> {
  // Too old for locks: one tab is what nearly everybody has.
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

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })
}

/** As the page's own copy says, which came with the same policy: from the worker that keeps it, or from the box. */
async function otherOrigins(): Promise<readonly string[] | undefined> {
  const page = await fetch(location.pathname, { cache: 'no-cache' }).catch(() => undefined)
  return page?.ok ? originsIn(page.headers.get('content-security-policy') ?? '') : undefined
}

/** What a content security policy names as `connect-src`, beside the page's own origin. */
export function originsIn(policy: string): string[] {
  const [, sources = ''] = /(?:^|;)\s*connect-src ([^;]*)/.exec(policy) ?? []
  return sources.split(/\s+/).filter((source) => source.startsWith('https://'))
}

async function battery(): Promise<number | undefined> {
  const { getBattery } = navigator as Navigator & { getBattery?: () => Promise<{ level: number }> }
  return (await getBattery?.call(navigator).catch(() => undefined))?.level
}
