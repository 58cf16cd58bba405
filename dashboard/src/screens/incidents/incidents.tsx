/** The board: what nobody has answered first, and on every card how long that is. */
import './incidents.css'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { type Once, useOnce } from '../../widgets/once.ts'
import { type Column, Table } from '../../widgets/table.tsx'
import { liveWords } from '../../words/late.ts'
import { ageWords, stopwatch, timeWords } from '../../words/time.ts'
import { words } from '../../words/words.ts'
import { checkpointName } from '../parts/places.ts'
import { actOn } from './act-on.ts'
import { figuresNow, figuresThen, lateBy } from './facts.ts'
import { type Action, COLUMNS, columnsOf, endOf, stepsFrom, stepText } from './steps.ts'

const say = liveWords.incidents
const BOARD = COLUMNS.filter((column) => column !== 'over')

export function Screen(model: Model): JSX.Element {
  const { boxNow, incidents, incidentsKnown, stats } = model.live
  const columns = columnsOf(incidents.value)
  const response = stats.value?.response
  return (
    <div class="incidents">
      <div class="incidents-head">
        <h1>{words.screens.incidents}</h1>
        {response && (
          <p class="quiet">
            {say.response(
              response.median_ack_seconds === null ? '–' : ageWords(response.median_ack_seconds * 1000),
              response.median_resolve_seconds === null ? '–' : ageWords(response.median_resolve_seconds * 1000),
            )}
          </p>
        )}
      </div>
      {!incidentsKnown.value && <p class="quiet">{words.shell.loading}</p>}
      <div class="incidents-board">
        {BOARD.map((column) => (
          <section key={column} class="incidents-column" aria-labelledby={`incidents-${column}`}>
            <h2 id={`incidents-${column}`}>
              {say.columns[column]} <span class="incidents-count">{columns[column].length}</span>
            </h2>
            {columns[column].length === 0 && <p class="quiet">{say.none[column]}</p>}
            <ul>
              {columns[column].map((incident) => (
                <li key={incident.incident_id}>
                  <Card model={model} incident={incident} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Over incidents={columns.over} now={boxNow.value} />
    </div>
  )
}

/** Past incidents, in one line each, the latest first. */
function Over({ incidents, now }: { incidents: readonly Incident[]; now: number }): JSX.Element {
  return (
    <section class="incidents-over" aria-labelledby="incidents-over">
      <h2 id="incidents-over">
        {say.columns.over} <span class="incidents-count">{incidents.length}</span>
      </h2>
      <Table
        caption={say.columns.over}
        columns={overColumns(now)}
        rows={incidents}
        keyOf={({ incident_id }) => incident_id}
        empty={say.none.over}
      />
    </section>
  )
}

/** @param now unix ms by the box's clock */
const overColumns = (now: number): readonly Column<Incident>[] => [
  {
    name: say.past.what,
    cell: ({ kind, gate_name }) => say.named(words.incidentKinds[kind] ?? kind, gate_name),
  },
  { name: say.past.end, cell: ({ state }) => words.incidentStates[state] ?? state },
  {
    name: say.past.reported,
    number: true,
    cell: ({ reported_at }) => timeWords(Date.parse(reported_at), now),
  },
  {
    name: say.past.took,
    number: true,
    cell: (incident) => stopwatch(endOf(incident) - Date.parse(incident.reported_at)),
  },
  { name: say.past.steps, cell: ({ actions }) => actions.map(stepText).join(' ') },
]

function Card({ model, incident }: { model: Model; incident: Incident }): JSX.Element {
  const { boxNow, stats } = model.live
  const { incident_id: id, kind, state, emergency, gate_name, note, reported_by_name, assignee, alert } = incident
  const name = words.incidentKinds[kind] ?? kind
  const where = checkpointName(stats.value, incident.checkpoint)
  const late = lateBy(incident)
  const now = figuresNow(incident, stats.value)
  const stepping = useOnce(async (seen: Incident, action: Action) => {
    await actOn(model, seen, action)
    refocus(seen)
  })
  return (
    <article class="incident" data-state={state} data-emergency={emergency} aria-labelledby={`incident-${id}`}>
      <div class="incident-head">
        <h3 id={`incident-${id}`}>
          {emergency && <span class="incident-mark" aria-hidden="true" />}
          {name} <span class="incident-gate">{gate_name}</span>
        </h3>
        <p class="incident-age">{stopwatch(boxNow.value - Date.parse(incident.reported_at))}</p>
      </div>
      {note && <p class="incident-note">{note}</p>}
      {incident.notes?.map(({ note: added, at }) => (
        <p key={at} class="incident-note">
          <time dateTime={at}>{timeWords(Date.parse(at), boxNow.value)}</time> {added}
        </p>
      ))}
      <p class="incident-facts quiet">
        {[where !== gate_name && where, reported_by_name && say.by(reported_by_name)].filter(Boolean).join(' · ')}
      </p>
      {late !== null && (
        <p class="incident-late">
          {say.late(timeWords(Date.parse(incident.observed_at), boxNow.value), ageWords(late))}
        </p>
      )}
      <p class="incident-facts quiet">
        {say.atArrival(
          timeWords(Date.parse(incident.reported_at), boxNow.value),
          figuresThen(incident, stats.value).join(' · '),
        )}
      </p>
      {now.length > 0 && <p class="incident-facts quiet">{say.now(now.join(' · '))}</p>}
      {state === 'assigned' && assignee && <p class="incident-assignee">{say.goes(assignee)}</p>}
      {state === 'open' && alert !== undefined && <p class="incident-alert">{say.again(alert)}</p>}
      {incident.actions.length > 0 && <Steps incident={incident} now={boxNow.value} />}
      {model.session.may('actOnIncident') && (
        <div class="incident-actions">
          {stepsFrom(state).map((action) => (
            <StepButton
              key={action}
              incident={incident}
              action={action}
              name={`${name}, ${gate_name}`}
              stepping={stepping}
            />
          ))}
        </div>
      )}
    </article>
  )
}

function Steps({ incident, now }: { incident: Incident; now: number }): JSX.Element {
  return (
    <ol class="incident-steps">
      {incident.actions.map((step) => (
        <li key={step.hlc}>
          <time dateTime={step.at}>{timeWords(Date.parse(step.at), now)}</time> {stepText(step)}
        </li>
      ))}
    </ol>
  )
}

interface StepButtonProps {
  incident: Incident
  action: Action
  name: string
  /** One step at a time for the whole card: the next press is about the result of the first. */
  stepping: Once<[Incident, Action]>
}

function StepButton({ incident, action, name, stepping: { busy, run } }: StepButtonProps): JSX.Element {
  const text = action === 'assign' && incident.state === 'assigned' ? say.assignAgain : say.actions[action]
  // The most likely next step: a team that is on its way has been sent already.
  const likely = incident.state === 'assigned' ? 'resolve' : stepsFrom(incident.state)[0]
  return (
    <button
      type="button"
      class={action === likely ? 'primary' : ''}
      aria-busy={busy.value}
      aria-label={`${text}: ${name}`}
      onClick={() => void run(incident, action)}
    >
      {text}
    </button>
  )
}

/** A card that moves to another column is drawn anew there: the keyboard focus follows it. */
function refocus({ incident_id: id }: Incident): void {
  if (document.activeElement !== document.body) return
  const card = document.getElementById(`incident-${id}`)?.closest('article')
  const next = card?.querySelector('button') ?? document.getElementById('main')
  next?.focus()
}
