/** The way to every screen: at the side on a desk; at the bottom of a phone, with the first four, and the rest behind one press. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { isOver } from '../live/state.ts'
import type { Model } from '../model.ts'
import { SCREENS } from '../screens/registry.ts'
import type { Screen } from '../screens/screen.ts'
import { words } from '../words/words.ts'

/** In the bar of a phone. */
const FIRST = 4

export function Navigation({ model, current }: { model: Model; current: string }): JSX.Element {
  const [open, setOpen] = useState(false)
  const { may } = model.session
  const screens = SCREENS.filter(
    ({ only, needs }) => (only !== 'appliance' || model.machine.problems.value !== null) && may(needs),
  )
  const rest = screens.slice(FIRST)
  const inRest = rest.some(({ path }) => path === current)
  return (
    <nav class="shell-nav" aria-label={words.shell.navigation} data-open={open}>
      <ul>
        {screens.map((screen) => (
          <li key={screen.path}>
            <Entry
              screen={screen}
              current={screen.path === current}
              waiting={waitingAt(screen.path, model)}
              onClick={() => setOpen(false)}
            />
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <button
          type="button"
          class="shell-more"
          aria-expanded={open}
          data-current={inRest}
          onClick={() => setOpen(!open)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 6h16M4 12h16M4 18h16" />
          </svg>
          {words.shell.more}
        </button>
      )}
    </nav>
  )
}

interface EntryProps {
  screen: Screen
  current: boolean
  /** Number of things that wait there for somebody. */
  waiting: number
  onClick: () => void
}

function Entry({ screen, current, waiting, onClick }: EntryProps): JSX.Element {
  return (
    <a href={`#/${screen.path}`} aria-current={current ? 'page' : undefined} onClick={onClick}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={screen.icon} />
      </svg>
      <span>{screen.title}</span>
      {waiting > 0 && (
        <>
          <span class="shell-badge" aria-hidden="true">
            {waiting > 99 ? '99+' : waiting}
          </span>
          <span class="visually-hidden">{words.shell.waiting(waiting)}</span>
        </>
      )}
    </a>
  )
}

function waitingAt(path: string, { live: { incidents, stats }, machine }: Model): number {
  if (path === 'incidents') return incidents.value.filter((one) => !isOver(one)).length
  if (path === 'flags') return stats.value?.flags ?? 0
  if (path === 'gates') return stats.value?.gates.filter(({ hold }) => hold !== null).length ?? 0
  if (path === 'boxes') return stats.value?.mesh?.boxes.filter(({ self, heard }) => !self && !heard).length ?? 0
  if (path === 'appliance') return machine.problems.value ?? 0
  if (path === 'scanners') return stats.value?.scanners.filter(({ state }) => state === 'lost').length ?? 0
  return 0
}
