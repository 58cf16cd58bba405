/** Headquarters, each way: what goes up to it, and what comes down from the shop. */
import '../parts/link.css'
import { Facts } from '@gatehouse/proto/ui/facts.tsx'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { Table } from '../../widgets/table.tsx'
import { actionWords as words } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'
import { speech } from '../../words/words.ts'
import { Note, Page, Panel, Said } from '../parts/parts.tsx'
import { useRead } from '../parts/read.ts'
import { type DownLink, linkStateOf, type UpLink } from './link-state.ts'

const say = words.hq
const EVERY_MS = 3_000

export function Screen({ live: { boxNow }, session: { client } }: Model): JSX.Element {
  const { found, problem, read } = useRead(() => answered(client.GET('/v1/admin/links')))
  useEffect(() => {
    void read()
    const timer = setInterval(() => void read(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const { value } = found
  return (
    <Page title={say.title} lead={say.lead}>
      <Said bad={problem.value} />
      {value && (
        <div class="link-pair">
          <Direction title={say.up} lead={say.upLead} off={say.upOff} link={value.up} now={boxNow.value} />
          <Direction title={say.down} lead={say.downLead} off={say.downOff} link={value.down} now={boxNow.value}>
            <Kept down={value.down} />
          </Direction>
        </div>
      )}
    </Page>
  )
}

interface DirectionProps {
  title: string
  lead: string
  off: string
  link: UpLink | DownLink
  /** Unix ms by the box's clock. */
  now: number
  children?: JSX.Element
}

function Direction({ title, lead, off, link, now, children }: DirectionProps): JSX.Element {
  const state = linkStateOf(link)
  if (state === 'off') {
    return (
      <Panel title={title} lead={lead}>
        <p class="quiet">{off}</p>
      </Panel>
    )
  }
  return (
    <Panel title={title} lead={lead}>
      <p class="link-state" data-state={state} role="status">
        {say.linkStates[state]}
      </p>
      {link.last_error && (
        <Note tone="bad">{saidBy(['link', 'pretix', 'mapping'], link.last_error_coded, link.last_error)}</Note>
      )}
      <Facts
        class="link-facts"
        rows={[
          [say.peer, link.peer],
          [say.last, link.last_at && words.time.ago(now - Date.parse(link.last_at))],
          [say.waiting, link.lag_events === null ? null : say.changes(link.lag_events)],
          [say.age, link.lag_seconds === null ? null : say.seconds(link.lag_seconds)],
          [say.retained, retained(link)],
          [say.position, link.position],
          [say.applied, 'applied' in link ? speech.number(link.applied) : null],
        ]}
      />
      {children}
    </Panel>
  )
}

function retained({ retained_events: events, retained_bytes: bytes }: UpLink): string | null {
  return events === null ? null : say.kept(events, bytes ?? 0)
}

/** Rows of the shop that could not become tickets. They keep nothing else waiting. */
function Kept({ down }: { down: DownLink }): JSX.Element | null {
  if (down.kept === 0) return <p class="quiet">{say.noneKept}</p>
  return (
    <div>
      <Note tone="bad">{say.someKept(down.kept)}</Note>
      <Table
        caption={say.problems}
        rows={down.problems}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          { name: say.problem.at, cell: ({ at }) => words.time.at(at) },
          { name: say.problem.table, cell: ({ table }) => table },
          { name: say.problem.reason, cell: ({ reason }) => reason },
        ]}
      />
    </div>
  )
}
