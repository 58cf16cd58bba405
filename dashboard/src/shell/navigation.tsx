/** Where to go. At the side on a desk; at the bottom of a phone, with the first four and the rest behind one press. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { incidents, stats } from '../live/live.ts'
import { isOver } from '../live/state.ts'
import { SCREENS } from '../screens/registry.ts'
import type { Screen } from '../screens/screen.ts'
import { words } from '../words/en.ts'
import { machineProblems } from './machine.ts'

/** In the bar of a phone. */
const FIRST = 4

export function Navigation({ current }: { current: string }): JSX.Element {
  const open = useSignal(false)
  const screens = SCREENS.filter(({ only }) => only !== 'appliance' || machineProblems.value !== null)
  const rest = screens.slice(FIRST)
  const inRest = rest.some(({ path }) => path === current)
  return (
    <nav class="shell-nav" aria-label={words.shell.navigation} data-open={open.value}>
      <ul>
        {screens.map((screen) => (
          <li key={screen.path}>
            <Entry
              screen={screen}
              current={screen.path === current}
              onClick={() => {
                open.value = false
              }}
            />
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <button
          type="button"
          class="shell-more"
          aria-expanded={open.value}
          data-current={inRest}
          onClick={() => {
            open.value = !open.value
          }}
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

function Entry({ screen, current, onClick }: { screen: Screen; current: boolean; onClick: () => void }): JSX.Element {
  const waiting = waitingFor(screen.path)
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

/** How many things wait there for somebody. */
function waitingFor(path: string): number {
  if (path === 'incidents') return incidents.value.filter((one) => !isOver(one)).length
  if (path === 'flags') return stats.value?.flags ?? 0
  if (path === 'gates') return stats.value?.gates.filter(({ hold }) => hold !== null).length ?? 0
  if (path === 'boxes') return stats.value?.mesh?.boxes.filter(({ self, heard }) => !self && !heard).length ?? 0
  if (path === 'appliance') return machineProblems.value ?? 0
  if (path === 'scanners') return stats.value?.scanners.filter(({ state }) => state === 'lost').length ?? 0
  return 0
}
