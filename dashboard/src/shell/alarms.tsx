/** What nobody may miss, on every screen: figures that are old, emergencies, a record that is no longer sealed. */
import type { JSX } from 'preact'
import { allowSound, soundBlocked } from '../live/bell.ts'
import { boxNow, dataAge, emergencies, isStale, stats, unreadable, unseen } from '../live/live.ts'
import { isUnseen } from '../live/state.ts'
import { words } from '../words/en.ts'
import { ageWords } from '../words/time.ts'
import { offline } from './here.ts'

const say = words.shell

export function Alarms(): JSX.Element {
  const refusal = stats.value?.seal.refusal
  return (
    <div class="alarms">
      {isStale.value && (
        // The age counts on outside of what is read out: a voice that says every second says nothing.
        <p class="alarm alarm-bad">
          <strong>{say.staleTitle(ageWords(dataAge.value ?? 0))}</strong> <span role="alert">{say.staleText}</span>
        </p>
      )}
      {emergencies.value.length > 0 && <Emergencies />}
      <CutOff />
      {refusal && (
        <p class="alarm alarm-bad" role="alert">
          <strong>{say.sealTitle}</strong> {words.sealRefusal[refusal] ?? refusal} {say.sealText}
        </p>
      )}
      {unreadable.value && (
        <p class="alarm alarm-warn">
          {say.unreadable}
          <button type="button" onClick={() => location.reload()}>
            {say.restart}
          </button>
        </p>
      )}
      {offline.newer.value && (
        <p class="alarm alarm-quiet">
          {say.newer}
          <button type="button" onClick={offline.restart}>
            {say.restart}
          </button>
        </p>
      )}
      {soundBlocked.value && unseen.value.length > 0 && (
        <p class="alarm alarm-warn" role="alert">
          {say.soundBlocked}
          <button type="button" onClick={() => void allowSound()}>
            {say.allowSound}
          </button>
        </p>
      )}
    </div>
  )
}

/** What every admission here means at this moment, and why. */
function CutOff(): JSX.Element | null {
  const mesh = stats.value?.mesh
  if (mesh?.mode !== 'DEGRADED') return null
  return (
    <section class="alarm alarm-warn" aria-label={say.mode.cutOff}>
      <strong>{say.mode.degradedFor(ageWords(boxNow.value - Date.parse(mesh.since)))}</strong>{' '}
      <span role="status">
        {mesh.reason} {say.mode.goesOn}
      </span>
      <a class="button" href="#/boxes">
        {say.mode.boxes}
      </a>
    </section>
  )
}

function Emergencies(): JSX.Element {
  return (
    <section class="alarm alarm-emergency" aria-label={say.emergencies}>
      <p class="visually-hidden" role="alert">
        {emergencies.value
          .filter(isUnseen)
          .map(({ kind, gate_name }) => words.incidents.named(words.incidentKinds[kind] ?? kind, gate_name))
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
