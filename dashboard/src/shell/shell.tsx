/** Around every screen: who acts, how fresh the figures are, what is wrong, and the way to the other screens. */
import './shell.css'
import { useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Model } from '../model.ts'
import { SCREENS } from '../screens/registry.ts'
import type { Screen } from '../screens/screen.ts'
import type { Session } from '../session/session.ts'
import { ToastList } from '../widgets/toast.tsx'
import { words } from '../words/words.ts'
import { Alarms } from './alarms.tsx'
import { Header } from './header.tsx'
import { Lazy } from './lazy.tsx'
import { Navigation, Tabs } from './navigation.tsx'
import { titleOf } from './path.ts'

export function Shell(model: Model): JSX.Element {
  const { live, bell, machine, forms, path, session } = model
  useEffect(live.start, [])
  useEffect(bell.start, [])
  // Somebody else on the same tablet may have another role.
  useEffect(machine.start, [session.token.value])
  useSignalEffect(() => {
    const waiting = { unseen: live.unseen.value.length, emergency: live.unseen.value.some((one) => one.emergency) }
    document.title = titleOf(screenAt(path.value, session).title, words.title, waiting)
  })
  const screen = screenAt(path.value, session)
  return (
    <div class="shell" data-stale={live.isStale.value}>
      <button type="button" class="shell-skip" onClick={() => document.getElementById('main')?.focus()}>
        {words.shell.skip}
      </button>
      <Header {...model} />
      <Navigation model={model} current={screen} />
      <div class="shell-body">
        <Alarms {...model} />
        <Tabs model={model} current={screen} />
        {/* Made anew for another person: what the one before has opened is not theirs to see. */}
        <Main key={`${screen.path} ${model.session.token.value}`} screen={screen} model={model} />
      </div>
      {forms.open.value.length > 0 && (
        <Lazy quiet load={() => import('../widgets/forms.tsx').then(({ FormList }) => FormList)} given={{ forms }} />
      )}
      <ToastList toasts={model.toasts} />
    </div>
  )
}

function Main({ screen, model }: { screen: Screen; model: Model }): JSX.Element {
  const ref = useRef<HTMLElement>(null)
  // A person who changes the screen by keyboard goes on at its beginning, and a screen reader says where that is.
  useEffect(() => {
    if (document.activeElement !== document.body || model.live.stats.value !== null)
      ref.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  return (
    <main id="main" class="shell-main" ref={ref} tabIndex={-1} aria-label={screen.title}>
      <Lazy load={() => screen.load().then(({ Screen }) => Screen)} given={model} />
    </main>
  )
}

/** The first where the path names none, or one that the role does not have. */
function screenAt(path: string, { may }: Session): Screen {
  const [first] = SCREENS
  const screen = SCREENS.find((one) => one.path === path && may(one.needs)) ?? first
  if (!screen) throw new Error('There is no screen.')
  return screen
}
