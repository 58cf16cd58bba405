/** One ticket for the help desk: what happened to it, proven, and what can be done about it. */
import './tickets.css'
import type { Attendance } from '@gatehouse/proto/wire/seal.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { stats } from '../../live/live.ts'
import { answered, sentenceOf } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { words } from '../../words/en-actions.ts'
import { once } from '../parts/once.ts'
import { Page, Said } from '../parts/parts.tsx'
import { placeName } from '../parts/places.ts'
import { historyOf } from './history.ts'
import { proofHolds } from './proof.ts'
import { Ticket } from './ticket.tsx'

const say = words.tickets
/** As long as the box takes. */
const LONGEST = 256

export interface Found {
  /** What it was found by. */
  code: string
  attendance: Attendance
  proof: 'checking' | 'holds' | 'does not hold'
}

export function Screen(): JSX.Element {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const typed = useSignal(linked())
  const problem = useSignal<string | null>(null)
  const found = useSignal<Found | null>(null)

  const finding = useMemo(
    () =>
      once(async (code: string) => {
        problem.value = null
        try {
          const params = { path: { id: code } }
          const attendance = await answered(client.GET('/v1/admin/attendance/{id}', { params }))
          const mine: Found = { code, attendance, proof: 'checking' }
          found.value = mine
          const { verifier_key } = await answered(client.GET('/v1/meta'))
          const holds = await proofHolds(attendance, verifier_key)
          if (found.value === mine) found.value = { ...mine, proof: holds ? 'holds' : 'does not hold' }
        } catch (error) {
          found.value = null
          problem.value = sentenceOf(error)
        }
      }),
    [],
  )
  const look = () => {
    const code = typed.value.trim()
    problem.value = code === '' ? say.empty : code.length > LONGEST ? say.tooLong : null
    if (problem.value === null) void finding.run(code)
  }
  useEffect(() => {
    const follow = () => {
      const link = linked()
      if (link === '') return
      typed.value = link
      look()
    }
    follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    look()
    // The next ticket is scanned over this one.
    field.current?.select()
  }

  const { value } = found
  return (
    <Page title={say.title} lead={say.lead}>
      <search>
        <form class="tickets-find" onSubmit={submit}>
          <div class="part-field">
            <label for={id}>{say.field}</label>
            <input
              ref={field}
              id={id}
              value={typed.value}
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              enterkeyhint="search"
              onInput={(event) => (typed.value = event.currentTarget.value)}
            />
          </div>
          <button type="submit" class="primary part-main" aria-busy={finding.busy.value}>
            {say.find}
          </button>
          <p class="quiet">{say.notByName}</p>
        </form>
      </search>
      <Said bad={problem.value} />
      {value && (
        <Ticket
          found={value}
          rows={historyOf(value.attendance.entries, (checkpoint) => placeName(stats.value, checkpoint))}
          again={() => finding.run(value.code)}
        />
      )}
    </Page>
  )
}

/** The reference that another screen's link names. A printed code opens a gate, and is never put into an address. */
function linked(): string {
  return new URLSearchParams(location.hash.split('?')[1] ?? '').get('ticket')?.slice(0, LONGEST) ?? ''
}
