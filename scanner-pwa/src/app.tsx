/** The screens, and which of them is seen. */
import type { Offline } from '@gatehouse/proto/ui/offline.ts'
import type { Theme } from '@gatehouse/proto/ui/theme.ts'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Camera } from './camera/camera.ts'
import type { Decoder } from './camera/decoder.ts'
import type { Scanner } from './model.ts'
import type { Preferences } from './preferences.ts'
import { hashOf, type ScreenName, screenFor } from './route.ts'
import { dialogIsOpen } from './screens/dialog.tsx'
import { Icon, type IconName } from './screens/icon.tsx'
import { lazy } from './screens/lazy.tsx'
import type { ScanFlow } from './screens/scan/flow.ts'
import { VerdictLayer } from './screens/scan/verdict.tsx'
import type { Sound } from './sound/sound.ts'
import type { WakeLock } from './wake-lock.ts'
import { listenForWedge } from './wedge/listen.ts'
import { words } from './words/en.ts'
import './app.css'

/** What `main.tsx` has wired; each screen is given what it needs of it. */
export interface AppProps {
  scanner: Scanner
  flow: ScanFlow
  camera: Camera
  decoder: Decoder
  sound: Sound
  wakeLock: WakeLock
  preferences: Preferences
  theme: Signal<Theme>
  offline: Offline
  /** The box's clock, every second. */
  now: ReadonlySignal<number>
  hash: ReadonlySignal<string>
  /** An invite that a link brought. */
  invite: Signal<string | null>
  version: string
}

const PairingScreen = lazy(() => import('./screens/pairing.tsx'), 'PairingScreen')
const CheckpointScreen = lazy(() => import('./screens/checkpoint.tsx'), 'CheckpointScreen')
const PreflightScreen = lazy(() => import('./screens/preflight/preflight.tsx'), 'PreflightScreen')
const ScanScreen = lazy(() => import('./screens/scan/scan.tsx'), 'ScanScreen')
const IncidentsScreen = lazy(() => import('./screens/incidents.tsx'), 'IncidentsScreen')
const RecentScreen = lazy(() => import('./screens/recent.tsx'), 'RecentScreen')
const DoublesScreen = lazy(() => import('./screens/doubles.tsx'), 'DoublesScreen')
const ShiftScreen = lazy(() => import('./screens/shift.tsx'), 'ShiftScreen')
const SettingsScreen = lazy(() => import('./screens/settings.tsx'), 'SettingsScreen')
const EndedScreen = lazy(() => import('./screens/ended.tsx'), 'EndedScreen')

const TABS: readonly (ScreenName & IconName & keyof typeof words.nav)[] = ['scan', 'recent', 'shift', 'settings']
/** What was dismissed, and whether the sound was heard: for as long as the app is open. */
const dismissed = signal<ReadonlySet<string>>(new Set())
const heard = signal(false)

export function App(props: AppProps): JSX.Element {
  const { scanner, flow, hash, invite } = props
  const paired = scanner.pairing.value !== null
  const placed = scanner.checkpoint.value !== null
  const screen = invite.value === null ? screenFor(hash.value, { paired, placed }) : 'pair'
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [screen])
  // On every screen: a hand scanner in a lane reads on while somebody looks something up, and its Enter presses no button.
  const deaf = !paired || !placed
  useEffect(() => listenForWedge(flow.read, () => deaf || dialogIsOpen()), [flow, deaf])
  return (
    <>
      {/* Behind a verdict nothing can be pressed or reached by Tab. */}
      <div class="app" data-screen={screen} inert={flow.stage.value.shown !== null}>
        <main>
          <Screen {...props} name={screen} />
        </main>
        {paired && placed && screen !== 'pair' && screen !== 'preflight' && (
          <nav class="nav" aria-label={words.nav.label}>
            {TABS.map((name) => (
              <a key={name} href={hashOf(name)} aria-current={name === screen ? 'page' : undefined}>
                <Icon name={name} />
                {words.nav[name]}
              </a>
            ))}
          </nav>
        )}
      </div>
      <VerdictLayer flow={flow} scanner={scanner} />
    </>
  )
}

function Screen({ name, ...props }: AppProps & { name: ScreenName }): JSX.Element {
  const { scanner, flow, camera, decoder, sound, wakeLock, preferences, offline, now, invite } = props
  switch (name) {
    case 'pair':
      return <PairingScreen {...{ scanner, invite, camera, decoder }} />
    case 'checkpoint':
      return <CheckpointScreen scanner={scanner} />
    case 'preflight':
      return (
        <PreflightScreen {...{ scanner, camera, sound, heard, wakeLock, offline, now }} volume={preferences.volume} />
      )
    case 'scan':
      return scanner.ended.value === null ? (
        <ScanScreen {...{ scanner, flow, camera, decoder, sound, wakeLock, now, dismissed }} />
      ) : (
        <EndedScreen scanner={scanner} />
      )
    case 'incidents':
      return <IncidentsScreen scanner={scanner} />
    case 'recent':
      return <RecentScreen scanner={scanner} flow={flow} />
    case 'doubles':
      return <DoublesScreen scanner={scanner} />
    case 'shift':
      return <ShiftScreen scanner={scanner} now={now} />
    case 'settings':
      return (
        <SettingsScreen
          {...{ scanner, preferences, camera, sound, offline }}
          theme={props.theme}
          version={props.version}
        />
      )
  }
}
