/** The machine: what is wrong with its settings, its clock, its software, its backups, and starting it again. */
import './appliance.css'
import type { Appliance } from '@gatehouse/proto/wire/appliance.ts'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { answered } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { act } from '../../widgets/act.ts'
import { words as common } from '../../words/en-actions.ts'
import { words as say } from '../../words/en-appliance.ts'
import { once } from '../parts/once.ts'
import { Page, Panel, Said } from '../parts/parts.tsx'
import { BackupPanel } from './backup.tsx'
import { isBusy } from './busy.ts'
import { isWorthSetting } from './clock.ts'
import { restart } from './restart.ts'
import { type Watched, watched } from './state.ts'
import { UpdatePanel } from './update.tsx'

const LOW_BYTES = 300_000_000
/** A Pi slows itself down at 80. */
const HOT_CELSIUS = 78

export function Screen(): JSX.Element {
  const state = useMemo(watched, [])
  useEffect(state.start, [])
  const machine = state.machine.value
  return (
    <Page title={say.title} lead={say.lead}>
      <Said bad={state.problem.value} />
      {machine === null && state.problem.value === null && <p class="quiet">{say.loading}</p>}
      {machine?.appliance === false && <p>{say.none}</p>}
      {machine?.appliance && (
        <>
          <SettingsPanel machine={machine} />
          <MachinePanel machine={machine} />
          <ClockPanel state={state} machine={machine} />
          <UpdatePanel state={state} />
          <BackupPanel state={state} machine={machine} />
          <PowerPanel state={state} />
        </>
      )}
    </Page>
  )
}

function SettingsPanel({ machine: { problems } }: { machine: Appliance }): JSX.Element {
  return (
    <Panel title={say.settings}>
      {problems.length === 0 ? (
        <p>{say.fine}</p>
      ) : (
        <>
          <p class="warn">{say.problems(problems.length)}</p>
          <p>{say.correct}</p>
          <ul class="appliance-problems">
            {problems.map(({ where, message }) => (
              <li key={`${where} ${message}`}>
                <strong>{where}</strong> {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}

function MachinePanel({ machine }: { machine: Appliance }): JSX.Element {
  const { free_bytes: free, total_bytes: total, temperature_celsius: celsius, uptime_ms: uptime } = machine
  return (
    <Panel title={say.machine}>
      <dl class="part-facts">
        <dt>{say.facts.room}</dt>
        <dd class={free !== null && free < LOW_BYTES ? 'warn' : undefined}>
          {free === null || total === null ? say.unknown : say.room(free, total)}
          {free !== null && free < LOW_BYTES && ` ${say.roomLow}`}
        </dd>
        <dt>{say.facts.temperature}</dt>
        <dd class={celsius !== null && celsius > HOT_CELSIUS ? 'warn' : undefined}>
          {celsius === null ? say.unknown : say.degrees(celsius)}
          {celsius !== null && celsius > HOT_CELSIUS && ` ${say.hot}`}
        </dd>
        <dt>{say.facts.uptime}</dt>
        <dd>{uptime === null ? say.unknown : common.time.duration(uptime)}</dd>
      </dl>
    </Panel>
  )
}

function ClockPanel({ state, machine }: { state: Watched; machine: Appliance }): JSX.Element {
  const { time_quality: quality, time_source: source, now } = machine
  const behind = state.behindMs.value
  const setting = useMemo(
    () =>
      once(() =>
        act(async (actor) => {
          // Of the moment in which it is sent, and not of that in which somebody said who they are.
          await answered(client.POST('/v1/admin/time', { body: { now: new Date().toISOString(), actor } }))
          await state.read()
          return say.timeSet
        }),
      ),
    [],
  )
  return (
    <Panel title={say.time}>
      {quality === 'synced' ? <p>{say.synced(source)}</p> : <p class="warn">{say.unsynced}</p>}
      <p>{say.boxTime(common.time.at(now))}</p>
      {quality === 'unsynced' && !isWorthSetting(quality, behind) && <p class="quiet">{say.agrees}</p>}
      {isWorthSetting(quality, behind) && (
        <>
          <p>{say.differs(behind)}</p>
          <div class="part-row">
            <button
              type="button"
              class="primary part-main"
              aria-busy={setting.busy.value}
              onClick={() => void setting.run()}
            >
              {say.setTime}
            </button>
          </div>
        </>
      )}
    </Panel>
  )
}

function PowerPanel({ state }: { state: Watched }): JSX.Element {
  const busy = isBusy(state.update.value, state.machine.value)
  return (
    <Panel title={say.power} lead={say.powerLead}>
      <div class="part-row">
        <button type="button" class="danger" disabled={busy} onClick={() => void restart(say.restartText)}>
          {say.restart}
        </button>
      </div>
    </Panel>
  )
}
