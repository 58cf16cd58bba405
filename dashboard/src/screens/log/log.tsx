/** The journal for people: newest first, by what an entry is about. */
import './log.css'
import type { LogRow } from '@gatehouse/proto/wire/log.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { untracked, useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useMemo } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import type { Session } from '../../session/session.ts'
import { actionWords as words } from '../../words/late.ts'
import { ListEnd, Page, Select } from '../parts/parts.tsx'
import { placeName } from '../parts/places.ts'
import { filterIn, keeps, type LogFilter, addressOf as logOf, NO_FILTER, newerThan, queryOf } from './filters.ts'
import { pages } from './pages.ts'

const say = words.log
const KINDS = Object.keys(say.kinds)
const FEW = 40
/** Typing a name should not ask for the whole journal with each letter. */
const PAUSE_MS = 400

export function Screen({ live: { stats }, session }: Model): JSX.Element {
  const filter = useSignal<LogFilter>(filterIn(location.hash, KINDS))
  const list = useMemo(() => pages<LogRow, number>(FEW), [])
  useSignalEffect(() => {
    const { value } = filter
    untracked(() => void list.start(sourceOf(session, value)))
  })
  useEffect(() => {
    const follow = () => {
      if (location.hash.startsWith('#/log')) filter.value = filterIn(location.hash, KINDS)
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const set = (part: Partial<LogFilter>) => {
    filter.value = { ...filter.value, ...part }
    // The address is the filter: it can be kept, and a reload has it again.
    history.replaceState(null, '', logOf(filter.value))
  }
  const fresh = newerThan(list.rows.value, stats.value?.entries)
  const unfiltered = logOf(filter.value) === logOf(NO_FILTER)
  return (
    <Page title={say.title} lead={say.lead}>
      <Filters filter={filter.value} set={set} stats={stats.value} />
      {unfiltered && fresh !== null && fresh > 0 && (
        <button type="button" onClick={() => void list.refresh()}>
          {say.fresh(fresh)}
        </button>
      )}
      <ol class="log-rows" aria-label={say.entries}>
        {list.rows.value.map((row) => (
          <li key={row.index}>
            <Row row={row} stats={stats.value} />
          </li>
        ))}
      </ol>
      <ListEnd list={list} none={say.none} />
    </Page>
  )
}

function sourceOf({ client }: Session, filter: LogFilter) {
  return {
    keyOf: (row: LogRow) => row.index,
    keep: keeps(filter),
    fetch: async (after: number | null) => {
      const query = { limit: 50, ...queryOf(filter), ...(after !== null && { after }) }
      return answered(client.GET('/v1/admin/log', { params: { query } }))
    },
  }
}

interface FiltersProps {
  filter: LogFilter
  set: (part: Partial<LogFilter>) => void
  stats: Stats | null
}

function Filters({ filter, set, stats }: FiltersProps): JSX.Element {
  const id = useId()
  const { scanners = [], gates = [] } = stats ?? {}
  const byName = [...scanners].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  const checkpoints = gates.flatMap((gate) => gate.checkpoints)
  const unfiltered = logOf(filter) === logOf(NO_FILTER)
  return (
    <search class="log-filters" aria-label={say.filters}>
      <Select
        label={say.kind}
        value={filter.kind}
        set={(kind) => set({ kind })}
        options={[
          { value: '', label: say.everyKind },
          { value: 'decisions', label: say.decisions },
          ...Object.entries(say.kinds).map(([kind, label]) => ({ value: kind as LogFilter['kind'], label })),
        ]}
      />
      <Typed
        id={`${id}-actor`}
        label={say.actor}
        hint={say.actorHint}
        value={filter.actor}
        set={(actor) => set({ actor })}
      />
      <Typed
        id={`${id}-ticket`}
        label={say.ticket}
        hint={say.ticketHint}
        value={filter.ticket}
        set={(ticket) => set({ ticket })}
      />
      <Select
        label={say.device}
        value={filter.device}
        set={(device) => set({ device })}
        options={[
          { value: '', label: say.everyDevice },
          ...byName.map(({ device_id, name }) => ({ value: device_id, label: name })),
        ]}
      />
      <Select
        label={say.checkpoint}
        value={filter.checkpoint}
        set={(checkpoint) => set({ checkpoint })}
        options={[
          { value: '', label: say.everyCheckpoint },
          ...checkpoints.map((each) => ({ value: each.id, label: placeName(stats, each.id) })),
        ]}
      />
      <button type="button" disabled={unfiltered} onClick={() => set(NO_FILTER)}>
        {say.clear}
      </button>
    </search>
  )
}

interface TypedProps {
  id: string
  label: string
  hint: string
  value: string
  set: (value: string) => void
}

/** A field that is taken over when somebody stops typing. */
function Typed({ id, label, hint, value, set }: TypedProps): JSX.Element {
  const typed = useSignal(value)
  useEffect(() => {
    typed.value = value
  }, [value])
  useEffect(() => {
    if (typed.value === value) return
    const timer = setTimeout(() => set(typed.value.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed.value])
  return (
    <div class="part-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        value={typed.value}
        placeholder={hint}
        maxLength={256}
        autocomplete="off"
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
    </div>
  )
}

function Row({ row, stats }: { row: LogRow; stats: Stats | null }): JSX.Element {
  const { index, at, kind, summary, actor, address, device_name, checkpoint, ticket, entry } = row
  const open = useSignal(false)
  const about = [
    actor === null || summary.includes(actor) ? null : actor,
    address === null ? null : say.from(address),
    ...[device_name, checkpoint === null ? null : placeName(stats, checkpoint)],
  ].filter((part) => part !== null)
  return (
    <>
      <p class="log-when">
        <time dateTime={at}>{words.time.at(at)}</time>
      </p>
      <p class="log-kind">{say.kinds[kind] ?? kind}</p>
      <div>
        <p>{summary}</p>
        <p class="log-about">
          {about.join(' · ')}
          {ticket !== null && (
            <>
              {about.length > 0 && ' · '}
              <a href={`#/tickets?ticket=${encodeURIComponent(ticket)}`}>{words.flags.ticket(ticket)}</a>
            </>
          )}
          {actor !== null && typeof entry.person === 'string' && (
            <>
              {' · '}
              <a href={logOf({ person: entry.person })}>{say.allOf(actor)}</a>
            </>
          )}
        </p>
      </div>
      <details onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary>{say.rawOf(index)}</summary>
        {/* Two hundred rows are on the page: most are never opened. */}
        {open.value && <code class="part-code">{JSON.stringify(entry, null, 2)}</code>}
      </details>
    </>
  )
}
