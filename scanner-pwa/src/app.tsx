/** Around every screen: which one is shown, the way to the others, and the verdict over all of them. */
import type { FunctionComponent, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from './model.ts'
import { hashOf, type ScreenName, screenFor } from './route.ts'
import { dialogIsOpen } from './screens/dialog.tsx'
import { Icon, type IconName } from './screens/icon.tsx'
import { lazy } from './screens/lazy.tsx'
import { listenForWedge } from './wedge/listen.ts'
import { listenForTrigger } from './wedge/trigger.ts'
import { words } from './words/words.ts'
import './app.css'

/** Each screen is given the model, and takes what it needs of it. */
const SCREENS: Record<ScreenName | 'ended', FunctionComponent<Model>> = {
  pair: lazy(() => import('./screens/pairing.tsx'), 'PairingScreen'),
  checkpoint: lazy(() => import('./screens/checkpoint.tsx'), 'CheckpointScreen'),
  'sign-on': lazy(() => import('./screens/sign-on/sign-on.tsx'), 'SignOnScreen'),
  preflight: lazy(() => import('./screens/preflight/preflight.tsx'), 'PreflightScreen'),
  scan: lazy(() => import('./screens/scan/scan.tsx'), 'ScanScreen'),
  incidents: lazy(() => import('./screens/incidents.tsx'), 'IncidentsScreen'),
  'look-up': lazy(() => import('./screens/look-up/look-up.tsx'), 'LookUpScreen'),
  recent: lazy(() => import('./screens/recent.tsx'), 'RecentScreen'),
  doubles: lazy(() => import('./screens/doubles.tsx'), 'DoublesScreen'),
  shift: lazy(() => import('./screens/shift.tsx'), 'ShiftScreen'),
  settings: lazy(() => import('./screens/settings.tsx'), 'SettingsScreen'),
  ended: lazy(() => import('./screens/ended.tsx'), 'EndedScreen'),
}

/** Fetched at once, beside the first screen: nothing is scanned before that is here. */
const VerdictLayer = lazy(() => import('./screens/scan/verdict.tsx'), 'VerdictLayer', { quiet: true })
const AskLayer = lazy(() => import('./screens/ask/ask.tsx'), 'AskLayer')

const TABS: readonly (ScreenName & IconName & keyof typeof words.nav)[] = ['scan', 'recent', 'shift', 'settings']

/** Over every screen, verdicts included: whoever sees this phone sees that it counts nobody. */
function Band(): JSX.Element {
  return (
    <div class="rehearsal" role="status">
      <a href={hashOf('settings')}>{words.rehearsal}</a>
    </div>
  )
}

export function App(model: Model): JSX.Element {
  const { scanner, flow, fragment, invite, now } = model
  const pairing = scanner.pairing.value
  const paired = pairing !== null
  const placed = scanner.checkpoint.value !== null
  const locked = scanner.locked.value
  const name =
    invite.value === null
      ? screenFor(fragment.value, { paired, placed, locked, supervisor: pairing?.supervisor === true })
      : 'pair'
  const Screen = SCREENS[name === 'scan' && scanner.ended.value !== null ? 'ended' : name]
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [name])
  // On every screen: a hand scanner in a lane reads on while somebody looks something up, and its Enter presses no button.
  const ignores = !paired || !placed || locked
  useEffect(() => listenForWedge(flow.read, () => ignores || dialogIsOpen()), [flow, ignores])
  useEffect(
    () =>
      listenForTrigger(() => {
        if (flow.stage.peek().shown === null || dialogIsOpen()) return false
        flow.clear()
        return true
      }),
    [flow],
  )
  useEffect(() => {
    addEventListener('pointerdown', scanner.touched)
    addEventListener('keydown', scanner.touched)
  }, [scanner])
  return (
    <>
      {scanner.rehearsing.value && <Band />}
      {/* Behind a verdict nothing can be pressed or reached by Tab. */}
      <div class="app" data-screen={name} inert={flow.stage.value.shown !== null}>
        <main>
          <Screen {...model} />
        </main>
        {paired && placed && !locked && name !== 'pair' && name !== 'preflight' && (
          <nav class="nav" aria-label={words.nav.label}>
            {TABS.map((tab) => (
              <a key={tab} href={hashOf(tab)} aria-current={tab === name ? 'page' : undefined}>
                <Icon name={tab} />
                {words.nav[tab]}
              </a>
            ))}
          </nav>
        )}
      </div>
      <VerdictLayer flow={flow} scanner={scanner} />
      {flow.asked.value && <AskLayer flow={flow} scanner={scanner} now={now} />}
    </>
  )
}
