/** Calling for help: one press on what is wrong sends it. What became of it stands below. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { IncidentState, Scanner } from '../gate/model.ts'
import { words } from '../words/en.ts'
import { createAttempt } from './attempt.ts'
import { Page } from './page.tsx'
import { Problem } from './problem.tsx'
import { isOwn, response } from './scan/notices.ts'
import './incidents.css'

type Kind = IncidentState['kind']
const say = words.incidents
const FIRST: readonly Kind[] = ['crush', 'medical', 'need_staff']
const MORE: readonly Kind[] = ['fire', 'security', 'lost_child', 'access', 'equipment']

export function IncidentsScreen({ scanner }: { scanner: Scanner }): JSX.Element {
  const deviceId = scanner.pairing.value?.deviceId ?? ''
  const all = scanner.incidents.value
  const own = all.filter((one) => isOwn(one, deviceId))
  const others = all.filter((one) => !isOwn(one, deviceId))
  const gate = scanner.checkpoint.value?.gate
  const here = others.filter(({ incident }) => incident?.gate === gate)
  const elsewhere = others.filter(({ incident }) => incident?.gate !== gate)
  return (
    <Page title={say.title} lead={say.lead} back="scan">
      <Report scanner={scanner} />
      <Others title={say.here} incidents={here} />
      <Others title={say.elsewhere} incidents={elsewhere} />
      <section aria-label={say.own}>
        <h2>{say.own}</h2>
        {own.length === 0 ? <p class="quiet">{say.ownNone}</p> : <IncidentList incidents={own} ticks />}
      </section>
      <Waiting scanner={scanner} />
    </Page>
  )
}

function Others({ title, incidents }: { title: string; incidents: readonly IncidentState[] }): JSX.Element | null {
  if (incidents.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <IncidentList incidents={incidents} />
    </section>
  )
}

/** Numbers of people that can be told apart at a glance. */
const ABOUT = [0, 10, 25, 50, 100, 200, 500] as const

/** A box sees who passes, and never who waits. */
function Waiting({ scanner }: { scanner: Scanner }): JSX.Element {
  const [attempt] = useState(createAttempt)
  const [sent, setSent] = useState<number | null>(null)
  const send = async (people: number) => {
    setSent((await attempt.run(() => scanner.reportWaiting(people))) ? people : null)
  }
  return (
    <section aria-label={say.waiting}>
      <h2>{say.waiting}</h2>
      <p class="hint">{say.waitingHint}</p>
      <div class="waiting-counts">
        {ABOUT.map((people) => (
          <button type="button" key={people} disabled={attempt.busy.value} onClick={() => void send(people)}>
            {say.people(people)}
          </button>
        ))}
      </div>
      <p role="status" class="good">
        {sent !== null && say.waitingSent(sent)}
      </p>
      <Problem text={attempt.problem.value} />
    </section>
  )
}

/** A thumb that comes down twice reports once, ms. */
const TWICE_MS = 5000

function Report({ scanner }: { scanner: Scanner }): JSX.Element {
  const [attempt] = useState(createAttempt)
  const [more, setMore] = useState(false)
  const [sent, setSent] = useState<Kind | null>(null)
  const [note, setNote] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSent(null), TWICE_MS)
    return () => clearTimeout(timer)
  }, [sent])
  const send = async (kind: Kind) => {
    if (!(await attempt.run(() => scanner.report(kind, note.trim() || undefined)))) return
    setSent(kind)
    setNote('')
  }
  return (
    <>
      <p role="status" class="good incident-sent">
        {sent && say.sentAt(say.kinds[sent])}
      </p>
      <Problem text={attempt.problem.value} />
      <div class="incident-kinds">
        {[...FIRST, ...(more ? MORE : [])].map((one) => (
          <button
            type="button"
            key={one}
            class="incident-kind"
            data-kind={one}
            disabled={attempt.busy.value || sent === one}
            onClick={() => void send(one)}
          >
            {say.kinds[one]}
          </button>
        ))}
      </div>
      <button type="button" class="wide" aria-expanded={more} onClick={() => setMore(!more)}>
        {more ? say.fewer : say.more}
      </button>
      <label class="field">
        {say.note}
        <span class="hint">{say.noteHint}</span>
        <textarea rows={2} maxLength={2000} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
    </>
  )
}

function IncidentList({ incidents, ticks }: { incidents: readonly IncidentState[]; ticks?: boolean }): JSX.Element {
  return (
    <ul class="plain-list">
      {incidents.map(({ id, kind, at, progress, incident, refusal }) => (
        <li key={id} class="incident" data-progress={progress}>
          <b>{say.kinds[kind]}</b> <span class="quiet">{say.at(incident?.gate_name ?? '', at)}</span>
          {ticks && refusal === undefined && <Ticks progress={progress} />}
          {refusal !== undefined && <p class="bad">{say.refused(refusal)}</p>}
          {incident && <p>{response(incident)}</p>}
          {incident?.note && <p class="quiet">{incident.note}</p>}
        </li>
      ))}
    </ul>
  )
}

const STEPS = ['sending', 'received', 'seen'] as const

/** Three ticks, and the word for how far it is. */
function Ticks({ progress }: { progress: IncidentState['progress'] }): JSX.Element {
  const reached = STEPS.indexOf(progress)
  return (
    <p class="ticks">
      {STEPS.map((step, i) => (
        <span key={step} class="tick" data-reached={i <= reached}>
          <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d="M3 13l3-3 4 4L18 5l3 3L10 20z" fill="currentColor" />
          </svg>
          {say.ticks[step]}
        </span>
      ))}
      <span class="visually-hidden">{say.progress[progress]}</span>
    </p>
  )
}
