/**
 * The way to every screen: at the side on a desk; at the bottom of a phone, with the first four, and the rest behind one press. The
 * screens of one entry are tabs above the screen.
 */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { isOver } from '../live/state.ts'
import type { Model } from '../model.ts'
import { GROUPS, type GroupId } from '../screens/groups.ts'
import { SCREENS } from '../screens/registry.ts'
import type { Screen } from '../screens/screen.ts'
import { words } from '../words/words.ts'

/** In the bar of a phone. */
const FIRST = 4

interface NavigationProps {
  model: Model
  current: Screen
}

export function Navigation({ model, current }: NavigationProps): JSX.Element {
  const [open, setOpen] = useState(false)
  const groups = GROUPS.flatMap(({ id, title, icon }) => {
    const screens = screensOf(id, model)
    const [first] = screens
    return first ? [{ id, title, screens, icon, path: first.path }] : []
  })
  const rest = groups.slice(FIRST)
  const inRest = rest.some(({ id }) => id === current.group)
  return (
    <nav class="shell-nav" aria-label={words.shell.navigation} data-open={open}>
      <ul>
        {groups.map(({ id, title, icon, path, screens }) => (
          <li key={id}>
            <Entry
              path={path}
              title={title}
              icon={icon}
              current={id === current.group && (path === current.path ? 'page' : 'true')}
              waiting={screens.reduce((sum, screen) => sum + waitingAt(screen.path, model), 0)}
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

/** The screens behind the entry of the navigation that is open. */
export function Tabs({ model, current }: NavigationProps): JSX.Element | null {
  const screens = screensOf(current.group, model)
  if (screens.length < 2) return null
  return (
    <nav class="shell-tabs" aria-label={GROUPS.find(({ id }) => id === current.group)?.title}>
      {screens.map((screen) => (
        <Entry
          key={screen.path}
          {...screen}
          current={screen.path === current.path && 'page'}
          waiting={waitingAt(screen.path, model)}
          onClick={() => {}}
        />
      ))}
    </nav>
  )
}

function screensOf(id: GroupId, { machine, session: { may } }: Model): Screen[] {
  const isThere = ({ only, needs }: Screen) => (only !== 'appliance' || machine.problems.value !== null) && may(needs)
  return SCREENS.filter((screen) => screen.group === id && isThere(screen))
}

interface EntryProps {
  path: string
  title: string
  /** Absent for a tab. */
  icon?: string
  current: 'page' | 'true' | false
  /** Number of things that wait there for somebody. */
  waiting: number
  onClick: () => void
}

function Entry({ path, title, icon, current, waiting, onClick }: EntryProps): JSX.Element {
  return (
    <a href={`#/${path}`} aria-current={current || undefined} onClick={onClick}>
      {icon && (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={icon} />
        </svg>
      )}
      <span>{title}</span>
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
