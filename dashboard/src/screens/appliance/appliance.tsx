/** The machine: what is wrong with its settings, its clock, its software, its backups, and starting it again. */
import './appliance.css'
import { leavesLineUnused } from '@gatehouse/proto/unused-line.ts'
import type { Appliance } from '@gatehouse/proto/wire/appliance.ts'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useOnce } from '../../widgets/once.ts'
import { actionWords as common, applianceWords as say } from '../../words/late.ts'
import { Facts, Page, Panel, Run, Said } from '../parts/parts.tsx'
import { BackupPanel } from './backup.tsx'
import { isBusy } from './busy.ts'
import { isWorthSetting } from './clock.ts'
import { placeOf, problemText } from './problems.ts'
import { restart } from './restart.ts'
import { type Watched, watched } from './state.ts'
import { UpdatePanel } from './update.tsx'

const LOW_BYTES = 300_000_000
/** A Pi slows itself down at 80. */
const HOT_CELSIUS = 78

export function Screen(model: Model): JSX.Element {
  const state = useMemo(() => watched(model.session), [])
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
          <ClockPanel model={model} state={state} machine={machine} />
          <UpdatePanel model={model} state={state} />
          <BackupPanel model={model} state={state} machine={machine} />
          <PowerPanel model={model} state={state} />
        </>
      )}
    </Page>
  )
}

function SettingsPanel({ machine: { problems } }: { machine: Appliance }): JSX.Element {
  const lines = problems.filter(leavesLineUnused).length
  return (
    <Panel title={say.settings}>
      {problems.length === 0 && <p>{say.fine}</p>}
      {lines > 0 && (
        <>
          <p class="warn">{say.problems(lines)}</p>
          <p>{say.correct}</p>
        </>
      )}
      {problems.length > 0 && (
        <ul class="appliance-problems">
          {problems.map((problem) => (
            <li key={`${problem.where} ${problem.message}`}>
              <strong>{placeOf(problem)}</strong> {problemText(problem)}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function MachinePanel({ machine }: { machine: Appliance }): JSX.Element {
  const { free_bytes: free, total_bytes: total, temperature_celsius: celsius, uptime_ms: uptime } = machine
  const isLow = free !== null && free < LOW_BYTES
  const room = free === null || total === null ? say.unknown : say.room(free, total)
  const isHot = celsius !== null && celsius > HOT_CELSIUS
  const degrees = celsius === null ? say.unknown : say.degrees(celsius)
  return (
    <Panel title={say.machine}>
      <Facts
        rows={[
          [say.facts.room, isLow ? `${room} ${say.roomLow}` : room, isLow ? 'warn' : undefined],
          [say.facts.temperature, isHot ? `${degrees} ${say.hot}` : degrees, isHot ? 'warn' : undefined],
          [say.facts.uptime, uptime === null ? say.unknown : common.time.duration(uptime)],
        ]}
      />
    </Panel>
  )
}

interface ClockPanelProps {
  model: Model
  state: Watched
  machine: Appliance
}

function ClockPanel({ model: { act, session }, state, machine }: ClockPanelProps): JSX.Element {
  const { time_quality: quality, time_source: source, now } = machine
  const behind = state.behindMs.value
  const setting = useOnce(() =>
    act(async (actor) => {
      // The time at which the request is sent: typing a name may have come between the press and now.
      await answered(session.client.POST('/v1/admin/time', { body: { now: new Date().toISOString(), actor } }))
      await state.read()
      return say.timeSet
    }),
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
            <Run work={setting} class="primary part-main">
              {say.setTime}
            </Run>
          </div>
        </>
      )}
    </Panel>
  )
}

function PowerPanel({ model, state }: { model: Model; state: Watched }): JSX.Element {
  const busy = isBusy(state.update.value, state.machine.value)
  return (
    <Panel title={say.power} lead={say.powerLead}>
      <div class="part-row">
        <button type="button" class="danger" disabled={busy} onClick={() => void restart(model, say.restartText)}>
          {say.restart}
        </button>
      </div>
    </Panel>
  )
}
