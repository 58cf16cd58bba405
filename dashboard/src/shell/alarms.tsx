/** Alarms that nobody may miss, on every screen: old figures, emergencies, a record that is no longer sealed. */
import type { JSX } from 'preact'
import type { Live } from '../live/live.ts'
import { isUnseen } from '../live/state.ts'
import type { Model } from '../model.ts'
import { ageWords } from '../words/time.ts'
import { words } from '../words/words.ts'

const say = words.shell

export function Alarms({ live, bell, offline }: Model): JSX.Element {
  const { stats, isStale, dataAge, emergencies, unreadable, unseen } = live
  const refusal = stats.value?.seal.refusal
  return (
    <div class="alarms">
      {isStale.value && (
        // The age counts on outside of what is read out: a voice that says every second says nothing.
        <p class="alarm alarm-bad">
          <strong>{say.staleTitle(ageWords(dataAge.value ?? 0))}</strong> <span role="alert">{say.staleText}</span>
        </p>
      )}
      {emergencies.value.length > 0 && <Emergencies live={live} />}
      <CutOff live={live} />
      {refusal && (
        <p class="alarm alarm-bad" role="alert">
          <strong>{say.sealTitle}</strong> {words.sealRefusal[refusal] ?? refusal} {say.sealText}
        </p>
      )}
      {stats.value?.admin_token_used && (
        <p class="alarm alarm-warn" role="status">
          <strong>{say.glassTitle}</strong>{' '}
          {say.glassText(
            ageWords(live.boxNow.value - Date.parse(stats.value.admin_token_used.last_at)),
            stats.value.admin_token_used.last_address,
          )}
          <a class="button" href="#/log">
            {say.glassLog}
          </a>
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
      {bell.blocked.value && unseen.value.length > 0 && (
        <p class="alarm alarm-warn" role="alert">
          {say.soundBlocked}
          <button type="button" onClick={() => void bell.allow()}>
            {say.allowSound}
          </button>
        </p>
      )}
    </div>
  )
}

/** Explains what an admission is worth while this box is DEGRADED, and why it is. */
function CutOff({ live: { stats, boxNow } }: { live: Live }): JSX.Element | null {
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

function Emergencies({ live: { emergencies, boxNow } }: { live: Live }): JSX.Element {
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
