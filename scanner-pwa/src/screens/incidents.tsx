/** Calling for help: one press on what is wrong sends it. What became of it stands below. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { IncidentState, Scanner } from '../model.ts'
import { words } from '../words/en.ts'
import { createAttempt } from './attempt.ts'
import { Page } from './page.tsx'
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
  const elsewhere = all.filter((one) => !isOwn(one, deviceId))
  return (
    <Page title={say.title} lead={say.lead} back="scan">
      <Report scanner={scanner} />
      {elsewhere.length > 0 && (
        <section aria-label={say.elsewhere}>
          <h2>{say.elsewhere}</h2>
          <IncidentList incidents={elsewhere} />
        </section>
      )}
      <section aria-label={say.own}>
        <h2>{say.own}</h2>
        {own.length === 0 ? <p class="quiet">{say.ownNone}</p> : <IncidentList incidents={own} ticks />}
      </section>
    </Page>
  )
}

/** A thumb that comes down twice reports once, ms. */
const TWICE_MS = 5000

function Report({ scanner }: { scanner: Scanner }): JSX.Element {
  const [attempt] = useState(createAttempt)
  const more = useSignal(false)
  const sent = useSignal<Kind | null>(null)
  const [note, setNote] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => {
      sent.value = null
    }, TWICE_MS)
    return () => clearTimeout(timer)
  }, [sent.value])
  const send = async (kind: Kind) => {
    if (!(await attempt.run(() => scanner.report(kind, note.trim() || undefined)))) return
    sent.value = kind
    setNote('')
  }
  return (
    <>
      <p role="status" class="good incident-sent">
        {sent.value && say.sentAt(say.kinds[sent.value])}
      </p>
      {attempt.problem.value && (
        <p role="alert" class="bad">
          {attempt.problem.value}
        </p>
      )}
      <div class="incident-kinds">
        {[...FIRST, ...(more.value ? MORE : [])].map((one) => (
          <button
            type="button"
            key={one}
            class="incident-kind"
            data-kind={one}
            disabled={attempt.busy.value || sent.value === one}
            onClick={() => void send(one)}
          >
            {say.kinds[one]}
          </button>
        ))}
      </div>
      <button
        type="button"
        class="wide"
        aria-expanded={more.value}
        onClick={() => {
          more.value = !more.value
        }}
      >
        {more.value ? say.fewer : say.more}
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
