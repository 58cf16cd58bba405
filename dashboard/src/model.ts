/** The model that every screen is given, opened in stages: the page, forms and notices, the session, and the live figures. */
import { type Offline, registerOffline } from '@gatehouse/proto/ui/offline.ts'
import { type Theme, themeSignal } from '@gatehouse/proto/ui/theme.ts'
import type { ReadonlySignal, Signal } from '@preact/signals'
import { type Bell, createBell } from './live/bell.ts'
import { createLive, type Live } from './live/live.ts'
import { openSession, type Session } from './session/session.ts'
import { createMachine, type Machine } from './shell/machine.ts'
import { pathSignal } from './shell/path.ts'
import { type Actions, createActions } from './widgets/act.ts'
import { createForms, type Forms } from './widgets/forms.ts'
import { createToasts, type Toasts } from './widgets/toasts.ts'

export interface Model extends Actions {
  session: Session
  live: Live
  bell: Bell
  machine: Machine
  forms: Forms
  toasts: Toasts
  /** Names the screen: see `screens/registry.ts`. */
  path: ReadonlySignal<string>
  theme: Signal<Theme>
  offline: Offline
}

export function openModel(): Model {
  const forms = createForms()
  const toasts = createToasts()
  const session = openSession(location.origin, forms)
  const path = pathSignal(window, (code) => {
    session.pairing.value = code
  })
  const page = { path, theme: themeSignal(), offline: registerOffline('/dashboard/') }
  const live = createLive(session)
  return {
    ...page,
    ...createActions(session, forms, toasts),
    forms,
    toasts,
    session,
    live,
    bell: createBell(live.unseen),
    machine: createMachine(session),
  }
}
