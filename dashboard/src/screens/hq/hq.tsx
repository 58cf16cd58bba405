/** Headquarters, each way: what goes up to it, and what comes down from the shop. */
import './hq.css'
import type { components } from '@gatehouse/proto/client.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { boxNow } from '../../live/live.ts'
import { answered, sentenceOf } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { Table } from '../../widgets/table.tsx'
import { words } from '../../words/en-actions.ts'
import { Page, Panel, Said } from '../parts/parts.tsx'
import { type DownLink, standingOf, type UpLink } from './standing.ts'

const say = words.hq
const EVERY_MS = 3_000

export function Screen(): JSX.Element {
  const links = useSignal<components['schemas']['Links'] | null>(null)
  const problem = useSignal<string | null>(null)
  useEffect(() => {
    const look = () =>
      answered(client.GET('/v1/admin/links')).then(
        (found) => {
          links.value = found
          problem.value = null
        },
        (error) => {
          problem.value = sentenceOf(error)
        },
      )
    void look()
    const timer = setInterval(() => void look(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const { value } = links
  return (
    <Page title={say.title} lead={say.lead}>
      <Said bad={problem.value} />
      {value && (
        <div class="hq-links">
          <Direction title={say.up} lead={say.upLead} off={say.upOff} link={value.up} />
          <Direction title={say.down} lead={say.downLead} off={say.downOff} link={value.down}>
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
  children?: JSX.Element
}

function Direction({ title, lead, off, link, children }: DirectionProps): JSX.Element {
  const standing = standingOf(link)
  if (standing === 'off') {
    return (
      <Panel title={title} lead={lead}>
        <p class="quiet">{off}</p>
      </Panel>
    )
  }
  const facts: [string, string | null][] = [
    [say.peer, link.peer],
    [say.last, link.last_at && words.time.ago(boxNow.value - Date.parse(link.last_at))],
    [say.waiting, link.lag_events === null ? null : say.changes(link.lag_events)],
    [say.age, link.lag_seconds === null ? null : say.seconds(link.lag_seconds)],
    [say.retained, retained(link)],
    [say.position, link.position],
    ...('applied' in link ? ([[say.applied, link.applied.toLocaleString('en')]] as [string, string][]) : []),
  ]
  return (
    <Panel title={title} lead={lead}>
      <p class="hq-standing" data-standing={standing} role="status">
        {say.standings[standing]}
      </p>
      {link.last_error && (
        <p class="part-note" data-tone="bad">
          {link.last_error}
        </p>
      )}
      <dl class="hq-facts">
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
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
      <p class="part-note" data-tone="bad">
        {say.someKept(down.kept)}
      </p>
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
