/** Alarms that have a moment: emergencies, a rehearsal, a box that is cut off, the admin token in use, and holds that end within two minutes. Loaded when one is due. */
import type { JSX } from 'preact'
import type { Live } from '../live/live.ts'
import { isUnseen } from '../live/state.ts'
import type { Model } from '../model.ts'
import { holdGate } from '../screens/gates/hold.ts'
import { answered } from '../session/answered.ts'
import { useAttempt } from '../widgets/attempt.ts'
import { actionWords } from '../words/late.ts'
import { modeReason } from '../words/said.ts'
import { ageWords } from '../words/time.ts'
import { words } from '../words/words.ts'
import type { Gate } from './ending.ts'
import { Rehearsing } from './rehearsing.tsx'

const say = words.shell
const ends = actionWords.holdEnds

export function LateAlarms({ model, ending }: { model: Model; ending: readonly Gate[] }): JSX.Element {
  const { bell, offline } = model
  const { unreadable, unseen } = model.live
  const refusal = model.live.stats.value?.seal.refusal
  return (
    <>
      {model.live.emergencies.value.length > 0 && <Emergencies live={model.live} />}
      <Rehearsing model={model} />
      <CutOff live={model.live} />
      {refusal && (
        <p class="alarm alarm-bad" role="alert">
          <strong>{say.sealTitle}</strong> {words.sealRefusal[refusal] ?? refusal} {say.sealText}
        </p>
      )}
      <HoldEnds model={model} gates={ending} />
      <TokenUsed model={model} />
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
    </>
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

/** Explains what an admission is worth while this box is DEGRADED, and why it is. */
function CutOff({ live: { stats, boxNow } }: { live: Live }): JSX.Element | null {
  const mesh = stats.value?.mesh
  if (mesh?.mode !== 'DEGRADED') return null
  return (
    <section class="alarm alarm-warn" aria-label={say.mode.cutOff}>
      <strong>{say.mode.degradedFor(ageWords(boxNow.value - Date.parse(mesh.since)))}</strong>{' '}
      <span role="status">
        {modeReason(mesh)} {say.mode.goesOn}
      </span>
      <a class="button" href="#/boxes">
        {say.mode.boxes}
      </a>
    </section>
  )
}

function TokenUsed({ model }: { model: Model }): JSX.Element | null {
  const { session, live } = model
  const { stats, boxNow } = live
  const used = stats.value?.admin_token_used
  const { busy, problem, run } = useAttempt(() => answered(session.client.POST('/v1/admin/token/seen', { body: {} })))
  if (!used) return null
  return (
    <p class="alarm alarm-warn" role="status">
      <strong>{say.glassTitle}</strong>{' '}
      {say.glassText(ageWords(boxNow.value - Date.parse(used.last_at)), used.last_address)}
      <a class="button" href="#/log">
        {say.glassLog}
      </a>
      {/* Not with the token itself: it would take its own warning away. */}
      {session.role.value !== null && session.may('acknowledgeAdminToken') && (
        <button type="button" aria-busy={busy.value} onClick={() => void run()}>
          {say.glassSeen}
        </button>
      )}
      {problem.value && <span role="alert">{problem.value}</span>}
    </p>
  )
}

/** A gate that opens by itself surprises whoever stands there: it is said before, and one press lets the hold go on. */
function HoldEnds({ model, gates }: { model: Model; gates: readonly Gate[] }): JSX.Element {
  const left = ({ hold }: Gate) => Date.parse(hold?.expires_at ?? '') - model.live.boxNow.value
  return (
    <>
      {gates.map((gate) => (
        <p key={gate.id} class="alarm alarm-warn">
          <span class="visually-hidden" role="alert">
            {ends.soon(gate.name)}
          </span>
          <strong aria-hidden="true">{ends.title(gate.name, ageWords(left(gate)))}</strong> {ends.text}
          {model.session.may('holdGate') && (
            <button type="button" onClick={() => void holdGate(model, gate)}>
              {ends.goOn(gate.name)}
            </button>
          )}
        </p>
      ))}
    </>
  )
}
