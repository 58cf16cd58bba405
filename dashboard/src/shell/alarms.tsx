/** Alarms that nobody may miss, on every screen: old figures, emergencies, a record that is no longer sealed. */
import type { JSX } from 'preact'
import type { Live } from '../live/live.ts'
import { isUnseen } from '../live/state.ts'
import type { Model } from '../model.ts'
import { ageWords } from '../words/time.ts'
import { words } from '../words/words.ts'
import { endingSoon } from './ending.ts'
import { Lazy } from './lazy.tsx'

const say = words.shell

export function Alarms(model: Model): JSX.Element {
  const { live, bell, offline } = model
  const ending = endingSoon(live.stats.value?.gates ?? [], live.boxNow.value)
  const { stats, isStale, dataAge, emergencies, unreadable } = live
  return (
    <div class="alarms">
      {isStale.value && (
        // The age counts on outside of what is read out: a voice that says every second says nothing.
        <p class="alarm alarm-bad">
          <strong>{say.staleTitle(ageWords(dataAge.value ?? 0))}</strong> <span role="alert">{say.staleText}</span>
        </p>
      )}
      {emergencies.value.length > 0 && <Emergencies live={live} />}
      {(ending.length > 0 ||
        stats.value?.mesh?.mode === 'DEGRADED' ||
        stats.value?.admin_token_used ||
        stats.value?.seal.refusal ||
        unreadable.value ||
        offline.newer.value ||
        bell.blocked.value) && (
        <Lazy
          quiet
          load={() => import('./late-alarms.tsx').then(({ LateAlarms }) => LateAlarms)}
          given={{ model, ending }}
        />
      )}
    </div>
  )
}

function Emergencies({ live: { emergencies, boxNow } }: { live: Live }): JSX.Element {
  return (
    <section class="alarm alarm-emergency" aria-label={say.emergencies}>
      <p class="visually-hidden" role="alert">
        {emergencies.value
          .filter(isUnseen)
          .map(({ kind, gate_name }) => words.shell.emergencyAt(words.incidentKinds[kind] ?? kind, gate_name))
          .join('. ')}
      </p>
      <ul>
        {emergencies.value.slice(0, 3).map((one) => {
          const kind = words.incidentKinds[one.kind] ?? one.kind
          const age = ageWords(boxNow.value - Date.parse(one.reported_at))
          const standing = isUnseen(one) ? say.nobody : (one.assignee ?? words.incidentStates[one.state] ?? one.state)
          return (
            <li key={one.incident_id} data-unseen={isUnseen(one)}>
              <a href="#/incidents">
                <strong>{kind}</strong>
                <b class="alarm-gate">{one.gate_name}</b>
                <span>
                  {age} · {standing}
                </span>
              </a>
            </li>
          )
        })}
        {emergencies.value.length > 3 && <li>{say.moreEmergencies(emergencies.value.length - 3)}</li>}
      </ul>
    </section>
  )
}
