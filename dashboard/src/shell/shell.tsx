/** What is around every screen: who, how fresh, what is wrong, and where to go. */
import './shell.css'
import { useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { startBell } from '../live/bell.ts'
import { isStale, startLive, stats, unseen } from '../live/live.ts'
import { SCREENS } from '../screens/registry.ts'
import type { Screen } from '../screens/screen.ts'
import { openForms } from '../widgets/forms.ts'
import { Toasts } from '../widgets/toast.tsx'
import { words } from '../words/en.ts'
import { Alarms } from './alarms.tsx'
import { Header } from './header.tsx'
import { Lazy } from './lazy.tsx'
import { askForMachine } from './machine.ts'
import { Navigation } from './navigation.tsx'
import { titleOf } from './path.ts'
import { route } from './route.ts'

export function Shell(): JSX.Element {
  useEffect(startLive, [])
  useEffect(startBell, [])
  useEffect(askForMachine, [])
  useSignalEffect(() => {
    const waiting = { unseen: unseen.value.length, emergency: unseen.value.some((one) => one.emergency) }
    document.title = titleOf(screenNow().title, words.title, waiting)
  })
  const screen = screenNow()
  return (
    <div class="shell" data-stale={isStale.value}>
      <button type="button" class="shell-skip" onClick={() => document.getElementById('main')?.focus()}>
        {words.shell.skip}
      </button>
      <Header />
      <Navigation current={screen.path} />
      <div class="shell-body">
        <Alarms />
        <Main key={screen.path} screen={screen} />
      </div>
      {openForms.value.length > 0 && (
        <Lazy quiet load={() => import('../widgets/forms.tsx').then(({ Forms }) => Forms)} />
      )}
      <Toasts />
    </div>
  )
}

function Main({ screen }: { screen: Screen }): JSX.Element {
  const ref = useRef<HTMLElement>(null)
  // Whoever changes the screen by keyboard goes on at its beginning, and a screen reader says where they are.
  useEffect(() => {
    if (document.activeElement !== document.body || stats.value !== null) ref.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  return (
    <main id="main" class="shell-main" ref={ref} tabIndex={-1} aria-label={screen.title}>
      <Lazy load={() => screen.load().then(({ Screen }) => Screen)} />
    </main>
  )
}

function screenNow(): Screen {
  const [first] = SCREENS
  const screen = SCREENS.find(({ path }) => path === route.value) ?? first
  if (!screen) throw new Error('There is no screen.')
  return screen
}
