/** One ticket for the help desk: what happened to it, proven, and what can be done about it. */
import './tickets.css'
import type { Attendance } from '@gatehouse/proto/wire/seal.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered, sentenceOf } from '../../session/answered.ts'
import type { Session } from '../../session/session.ts'
import { useOnce } from '../../widgets/once.ts'
import { actionWords as words } from '../../words/late.ts'
import { FindForm } from '../parts/find-form.tsx'
import { Page, Said } from '../parts/parts.tsx'
import { placeName } from '../parts/places.ts'
import { historyOf } from './history.ts'
import { proofHolds } from './proof.ts'
import { Ticket } from './ticket.tsx'

const say = words.tickets
/** As long as the box takes. */
const LONGEST = 256

export interface Found {
  /** The code or reference that it was found by. */
  code: string
  attendance: Attendance
  proof: 'checking' | 'holds' | 'does not hold'
}

export function Screen(model: Model): JSX.Element {
  const { typed, problem, found, finding, look } = useSearch(model.session)
  const { value } = found
  return (
    <Page title={say.title} lead={say.lead}>
      <search class="tickets-find">
        <FindForm label={say.field} submit={say.find} typed={typed} isBusy={finding.busy.value} find={look} />
        <p class="quiet">{say.notByName}</p>
      </search>
      <Said bad={problem.value} />
      {value && (
        <Ticket
          model={model}
          found={value}
          rows={historyOf(value.attendance.entries, (checkpoint) => placeName(model.live.stats.value, checkpoint))}
          again={() => finding.run(value.code)}
        />
      )}
    </Page>
  )
}

/** Looks up the ticket that is typed, or named by a link, and checks its proof. */
function useSearch({ client }: Session) {
  const typed = useSignal(linked())
  const problem = useSignal<string | null>(null)
  const found = useSignal<Found | null>(null)
  const finding = useOnce(async (code: string) => {
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
  })
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
  return { typed, problem, found, finding, look }
}

/** The reference that another screen's link names. A printed code opens a gate, and is never put into an address. */
function linked(): string {
  return new URLSearchParams(location.hash.split('?')[1] ?? '').get('ticket')?.slice(0, LONGEST) ?? ''
}
