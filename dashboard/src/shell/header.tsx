/** The line on top: the event, the age of the figures, the mode, the bell, and the person who acts. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Live } from '../live/live.ts'
import type { Model } from '../model.ts'
import { loadLate } from '../words/late.ts'
import type { modeReason } from '../words/said.ts'
import { ageWords } from '../words/time.ts'
import { words } from '../words/words.ts'

const say = words.shell

export function Header(model: Model): JSX.Element {
  const { bell, live } = model
  const { actor, changeActor, signOut } = model.session
  return (
    <header class="shell-header">
      <p class="shell-event">
        <strong>{live.stats.value?.event_name ?? words.title}</strong>
      </p>
      <Freshness live={live} />
      <Mode model={model} />
      <button
        type="button"
        class="shell-sound"
        data-sound={bell.state.value}
        onClick={() => void bell.toggle()}
        aria-label={say.sound[bell.state.value]}
        title={say.sound[bell.state.value]}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 9v6h4l5 4V5L8 9z" />
          <path d={bell.state.value === 'on' ? 'M16 9q2 3 0 6M18.5 6.500q4 5.500 0 11' : 'M16 9l5 6M21 9l-5 6'} />
        </svg>
      </button>
      <button
        type="button"
        class="shell-actor"
        onClick={() => void changeActor().catch(() => undefined)}
        aria-label={actor.value === null ? words.session.actor.unknown : words.session.actor.change(actor.value)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 4a4 4 0 1 1 0 8a4 4 0 0 1 0-8zM4 20q1-6 8-6t8 6" />
        </svg>
        <span>{actor.value ?? words.session.actor.unknown}</span>
      </button>
      <button
        type="button"
        class="shell-out"
        onClick={() => signOut()}
        aria-label={words.session.signOut}
        title={words.session.signOut}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M14 4H5v16h9M10 12h11M17 8l4 4-4 4" />
        </svg>
      </button>
    </header>
  )
}

/** The consistency mode, to press; nothing before the first figures. */
function Mode({ model }: { model: Model }): JSX.Element | null {
  const { stats, boxNow } = model.live
  const reasonOf = useSignal<typeof modeReason | null>(null)
  const isMesh = stats.value?.mesh !== undefined
  useEffect(() => {
    if (isMesh)
      void loadLate()
        .then(() => import('../words/said.ts'))
        .then((said) => (reasonOf.value = said.modeReason))
  }, [isMesh])
  if (!stats.value) return null
  const { mode, mesh } = stats.value
  const reason = mesh && reasonOf.value?.(mesh)
  const label =
    mesh && reason ? say.mode.why(mode, reason, ageWords(boxNow.value - Date.parse(mesh.since))) : say.mode.change(mode)
  return (
    <button
      type="button"
      class="shell-mode"
      data-mode={mode}
      disabled={!model.session.may('setMode')}
      onClick={() =>
        void loadLate()
          .then(() => import('./mode.ts'))
          .then(({ changeMode }) => changeMode(model, mode, mesh))
      }
      aria-label={label}
      title={reason}
    >
      {mode}
    </button>
  )
}

/** "Live", "12 s old", or loud. Read out when it changes its kind, and not every second. */
function Freshness({ live: { freshness, dataAge, retryIn } }: { live: Live }): JSX.Element {
  const kind = freshness.value
  const age = dataAge.value ?? 0
  return (
    <p class="shell-fresh" data-fresh={kind}>
      <span class="shell-dot" aria-hidden="true" />
      <span>{kind === 'connecting' ? say.connecting : kind === 'live' ? say.live : say.old(ageWords(age))}</span>
      <span class="visually-hidden" role="status">
        {kind === 'stale' ? say.staleSpoken : kind === 'live' ? say.live : ''}
      </span>
      {kind !== 'live' && retryIn.value !== null && retryIn.value > 0 && (
        <span class="shell-retry">{say.retry(retryIn.value)}</span>
      )}
    </p>
  )
}
