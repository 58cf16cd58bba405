/** The model that every screen is given, opened in stages: the page, the scanner, then preferences, sound, camera and clock. */

import { type Camera, createCamera } from '@gatehouse/proto/ui/camera/camera.ts'
import type { Decoder } from '@gatehouse/proto/ui/camera/decoder.ts'
import { openDecoder } from '@gatehouse/proto/ui/camera/open-decoder.ts'
import { fragmentSignal } from '@gatehouse/proto/ui/fragment.ts'
import { type Offline, registerOffline } from '@gatehouse/proto/ui/offline.ts'
import { type Theme, themeSignal } from '@gatehouse/proto/ui/theme.ts'
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import about from '../package.json' with { type: 'json' }
import type { Scanner } from './gate/model.ts'
import { inviteIn } from './route.ts'
import { createScanFlow, type ScanFlow } from './screens/scan/flow.ts'
import { createSound, type Sound } from './sound/sound.ts'
import { type Deleted, followPairing } from './store/paired-mark.ts'
import { openPreferences, type Preferences } from './store/preferences.ts'
import { createWakeLock, type WakeLock } from './wake-lock.ts'
import { loadCore } from './words/core.ts'
import { loadLate } from './words/late.ts'

/** The page's own state, there before the scanner is open. */
export interface Page {
  theme: Signal<Theme>
  offline: Offline
  /** Names the screen: see `route.ts`. */
  fragment: ReadonlySignal<string>
  /** The invite of a pairing link that was opened. */
  invite: Signal<string | null>
}

export interface Model extends Page {
  scanner: Scanner
  preferences: Preferences
  sound: Sound
  flow: ScanFlow
  camera: Camera
  decoder: Decoder
  wakeLock: WakeLock
  /** This phone was paired, and its browser has deleted the database; null otherwise. */
  deleted: ReadonlySignal<Deleted | null>
  /** The box's time, unix ms, every second. */
  now: ReadonlySignal<number>
  /** Ids of the notices that were dismissed since the app was opened. */
  dismissed: Signal<ReadonlySet<string>>
  /** Somebody has confirmed, since the app was opened, that the sound can be heard. */
  soundHeard: Signal<boolean>
  version: string
}

export function openPage(): Page {
  const invite = signal<string | null>(null)
  return {
    theme: themeSignal(),
    offline: registerOffline('/scanner/'),
    invite,
    // The code in an invite is a secret for ten minutes.
    fragment: fragmentSignal(window, (fragment) => {
      const found = inviteIn(fragment)
      return found === null ? undefined : { address: location.pathname, open: () => (invite.value = found) }
    }),
  }
}

/** @throws ScannerError when another tab has the scanner */
export async function openModel(page: Page): Promise<Model> {
  // On its way before the screen is; where it gets lost, the screen asks again.
  loadLate().catch(() => {})
  // Not in the first script, which has a budget.
  await loadCore()
  const { openScanner } = await import('./gate/scanner.ts')
  const scanner = await openScanner()
  const preferences = openPreferences(localStorage)
  const sound = createSound(preferences)
  fetchNewerPage(scanner, page.offline)
  return {
    ...page,
    scanner,
    preferences,
    sound,
    flow: createScanFlow(scanner, sound),
    camera: createCamera(navigator.mediaDevices, preferences.camera),
    decoder: openDecoder(() => scanner.codes.peek()),
    wakeLock: createWakeLock(),
    deleted: followPairing(localStorage, unsentWherePaired(scanner)),
    now: timeOfBox(scanner),
    dismissed: signal<ReadonlySet<string>>(new Set()),
    soundHeard: signal(false),
    version: about.version,
  }
}

function unsentWherePaired({ pairing, unsent, aside }: Scanner): ReadonlySignal<number | null> {
  return computed(() => (pairing.value === null ? null : unsent.value + aside.value.length))
}

/** A box that has joined since this page was fetched cannot be asked: a newer page may, and is used at the next start. */
function fetchNewerPage({ boxes }: Scanner, { look }: Offline): void {
  effect(() => {
    if (boxes.value.some(({ open }) => !open)) look()
  })
}

function timeOfBox({ clockOffsetMs }: Scanner): ReadonlySignal<number> {
  const read = () => Date.now() + (clockOffsetMs.peek() ?? 0)
  const now = signal(read())
  setInterval(() => {
    now.value = read()
  }, 1000)
  return now
}
