/** Calling for help: one press on what is wrong sends it, and the screen says how far it has come. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { IncidentState, Scanner } from '../gate/model.ts'
import { speech, words } from '../words/words.ts'
import { createAttempt } from './attempt.ts'
import { Drawing } from './icon.tsx'
import { INCIDENT_ICONS } from './incident-icons.ts'
import { placeAndTime, progressOf, sorted, waitingOf } from './incident-progress.ts'
import { OwnReport } from './own-report.tsx'
import { Page } from './page.tsx'
import { Problem } from './problem.tsx'
import './incidents.css'

type Kind = IncidentState['kind']
const say = words.incidents
/** Emergencies first. */
const KINDS: readonly Kind[] = [
  'crush',
  'medical',
  'fire',
  'need_staff',
  'security',
  'lost_child',
  'access',
  'equipment',
]

export function IncidentsScreen({ scanner }: { scanner: Scanner }): JSX.Element {
  const deviceId = scanner.pairing.value?.deviceId ?? ''
  const { own, here, elsewhere } = sorted(scanner.incidents.value, deviceId, scanner.checkpoint.value?.gate)
  return (
    <Page title={say.title} lead={say.lead} back="scan">
      <Report scanner={scanner} />
      <Others title={say.here} incidents={here} />
      <Others title={say.elsewhere} incidents={elsewhere} />
      <section aria-label={say.own}>
        <h2>{say.own}</h2>
        {own.length === 0 ? <p class="quiet">{say.ownNone}</p> : <IncidentList incidents={own} own={scanner} />}
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
  const [pressed, setPressed] = useState<{ id: string; kind: Kind } | null>(null)
  const [again, setAgain] = useState(true)
  const [note, setNote] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAgain(true), TWICE_MS)
    return () => clearTimeout(timer)
  }, [pressed])
  const send = (kind: Kind) =>
    attempt.run(async () => {
      const waiting = note.trim() ? undefined : waitingOf(kind, scanner.incidents.value)
      if (waiting) {
        scanner.retry()
        setPressed(waiting)
        return
      }
      const id = await scanner.report(kind, note.trim() || undefined)
      setPressed({ id, kind })
      setAgain(false)
      setNote('')
    })
  const latest = scanner.incidents.value.find(({ id }) => id === pressed?.id)
  return (
    <>
      <div role="status">{latest && <State of={latest} name={say.kinds[latest.kind]} />}</div>
      <Problem text={attempt.problem.value} />
      <div class="incident-kinds">
        {KINDS.map((one) => (
          <button
            type="button"
            key={one}
            class="incident-kind"
            data-emergency={isEmergency(one)}
            disabled={attempt.busy.value || (!again && pressed?.kind === one)}
            onClick={() => void send(one)}
          >
            <Drawing path={INCIDENT_ICONS[one]} class="icon" />
            {say.kinds[one]}
          </button>
        ))}
      </div>
      <label class="field">
        {say.note}
        <span class="hint">{say.noteHint}</span>
        <textarea rows={2} maxLength={2000} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
    </>
  )
}

function isEmergency(kind: Kind): boolean {
  return kind === 'crush' || kind === 'medical' || kind === 'fire'
}

/** The progress of a report, in the colour that it asks for. */
function State({ of, name }: { of: IncidentState; name?: string }): JSX.Element {
  const { tone, title, text } = progressOf(of)
  return (
    <p class="incident-state" data-tone={tone}>
      <b>{name ? say.named(name, title) : title}</b> {text}
    </p>
  )
}

interface ListProps {
  incidents: readonly IncidentState[]
  /** Of one's own reports: what changes them. */
  own?: Scanner
}

function IncidentList({ incidents, own }: ListProps): JSX.Element {
  return (
    <ul class="plain-list">
      {incidents.map((one) => (
        <li key={one.id} class="incident" data-progress={one.progress}>
          <b>{say.kinds[one.kind]}</b> <span class="quiet">{placeAndTime(one)}</span>
          {own && <Ticks progress={one.progress} />}
          <State of={one} />
          {one.incident?.note && <p class="quiet">{one.incident.note}</p>}
          {one.incident?.notes?.map(({ note, at }) => (
            <p key={at} class="quiet">
              {speech.clock(Date.parse(at))} {note}
            </p>
          ))}
          {own && <OwnReport of={one} scanner={own} />}
        </li>
      ))}
    </ul>
  )
}

const STEPS = ['pressed', 'received', 'seen'] as const
const REACHED = { sending: 0, unsent: 0, received: 1, seen: 2 } as const satisfies Record<
  IncidentState['progress'],
  number
>

/** Three ticks; the sentence below them says the same to a screen reader. */
function Ticks({ progress }: { progress: IncidentState['progress'] }): JSX.Element {
  return (
    <p class="ticks" aria-hidden="true">
      {STEPS.map((step, i) => (
        <span key={step} class="tick" data-reached={i <= REACHED[progress]}>
          <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d="M3 13l3-3 4 4L18 5l3 3L10 20z" fill="currentColor" />
          </svg>
          {say.ticks[step]}
        </span>
      ))}
    </p>
  )
}
