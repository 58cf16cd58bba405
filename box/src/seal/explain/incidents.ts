/** `incidents`, `incident_actions` and `holds`: what was reported, and what the control rooms of all boxes did about it. */
import type { HoldEntry, HoldReleasedEntry, IncidentActionEntry, IncidentEntry } from '../../incidents/entry.ts'
import { next } from '../../incidents/incident.ts'
import { holds, type IncidentState, incidentActions, incidents } from '../../ledger/schema.ts'
import { type ExplainContext, type Explainer, type Fact, SmallTable, unixMs, type Values } from './explainer.ts'
import { Notes } from './notes.ts'

interface Told<Entry> {
  index: number
  hlc: string
  /** Another box's word: the row names the entry by which it came, or one that came later and changed nothing. */
  heard: boolean
  entry: Entry
}

/** Everything that was said of one incident. */
interface Story {
  reports: Told<IncidentEntry>[]
  actions: Told<IncidentActionEntry>[]
}

export function explainIncidents({ drizzle, problems }: ExplainContext): Explainer {
  const notes = new Notes('incident', problems)
  const stories = new Map<string, Story>()

  function storyOf(id: string): Story {
    const story = stories.get(id) ?? { reports: [], actions: [] }
    stories.set(id, story)
    return story
  }

  function fact(fact: Fact): void {
    const { index, hlc, kind, said, box } = fact
    notes.fact(fact)
    const told = { index, hlc, heard: box !== undefined }
    if (kind === 'incident') {
      const entry = said as unknown as IncidentEntry
      storyOf(entry.incident).reports.push({ ...told, entry })
    } else if (kind === 'incident_action') {
      const entry = said as unknown as IncidentActionEntry
      const { reports, actions } = storyOf(entry.incident)
      if (box === undefined && reports.length === 0 && actions.length === 0) {
        problems.add('incident_unknown', index, `nothing before this entry tells of incident ${entry.incident}`)
      }
      actions.push({ ...told, entry })
    }
  }

  function end(): void {
    const table = new SmallTable<Values>('incident', problems)
    const actions = new SmallTable<Values>('incident_action', problems)
    const rows = drizzle.select().from(incidents).all()
    const untold = new Set<string>()
    for (const [id, story] of stories) {
      // One report that two boxes were sent, because the first did not answer: the earlier one stands.
      const [report] = story.reports.toSorted((a, b) => (a.hlc < b.hlc ? -1 : 1))
      const row = rows.find((one) => one.id === id)
      // What was done about it has come from a third box, and the report with it; its own word is still to come.
      if (!report || (row && row.hlc < report.hlc && story.actions.some(({ heard }) => heard))) untold.add(id)
      else {
        table.set(id, report.index, { ...reported(report), ...standing(story) })
        notes.expect(id, report.index, report.entry.note_hash, { heard: report.heard })
      }
      for (const [key, values] of stepsOf(id, story)) actions.set(key, values.index, values.step)
    }
    const told = rows.filter(({ id }) => !untold.has(id))
    table.compare(told.map(({ digest: _, noteSalt: __, ...row }) => ({ key: row.id, index: row.entry, values: row })))
    for (const { id, note, noteSalt } of told) notes.compare(id, note, noteSalt)
    const done = drizzle.select().from(incidentActions).all()
    actions.compare(done.map((row) => ({ key: `${row.incident} ${row.version}`, index: row.entry, values: row })))
  }

  return { fact, end }
}

function reported({ entry, hlc }: Told<IncidentEntry>): Values {
  const { checkpoint, gate, zone, occupancy, queue } = entry
  return {
    ...{ kind: entry.incident_kind, checkpoint, gate, zone, occupancy, hlc },
    ...{ queue, queueRatePerMin: entry.queue_rate_per_min, reportedBy: entry.device },
    ...{ observedAt: unixMs(entry.observed_at), reportedAt: unixMs(entry.at) },
  }
}

/** The report is the first version, and every action one more, in the order of the clocks. */
function standing({ reports, actions }: Story): Values {
  const inOrder = sorted(actions)
  const last = Math.max(...[...reports, ...actions].map(({ index }) => index))
  return {
    state: inOrder.reduce<IncidentState>((state, { entry }) => next(state, entry.action) ?? state, 'open'),
    version: actions.length + 1,
    assignee: inOrder.findLast(({ entry }) => entry.action === 'assign')?.entry.assignee ?? null,
    ...([...reports, ...actions].some(({ heard }) => heard) ? {} : { entry: last }),
  }
}

function stepsOf(id: string, { actions }: Story): [string, { index: number; step: Values }][] {
  const heard = actions.some((action) => action.heard)
  return sorted(actions).map(({ index, hlc, entry }, i) => {
    const { action, actor, assignee, reason, at } = entry
    const step = { action, actor, assignee, reason, at: unixMs(at), hlc, ...(!heard && { entry: index }) }
    return [`${id} ${i + 2}`, { index, step }]
  })
}

function sorted(actions: readonly Told<IncidentActionEntry>[]): Told<IncidentActionEntry>[] {
  const placeOf = ({ hlc, entry: { action, actor, assignee, reason } }: Told<IncidentActionEntry>) =>
    JSON.stringify([hlc, action, actor, assignee, reason])
  return actions.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

interface HoldValues {
  readonly [name: string]: unknown
  releasedAt: number | null
  releasedBy: string | null
}

export function explainHolds({ drizzle, problems }: ExplainContext): Explainer {
  const table = new SmallTable<HoldValues>('hold', problems)
  /** Ended by a box that was heard before the one that placed them: they came along. */
  const early = new Map<string, Pick<HoldValues, 'releasedAt' | 'releasedBy'>>()

  function release(hold: string, index: number, releasedAt: number | null, by: string, box: string | undefined): void {
    const there = table.get(hold) ?? early.get(hold)
    const end = { releasedAt, releasedBy: by }
    if (there && there.releasedAt !== null && !isBefore(end, there)) return
    if (table.get(hold)) table.change(hold, index, { ...end, entry: index })
    else if (box !== undefined) early.set(hold, end)
    else table.change(hold, index, { ...end, entry: index })
    if (box !== undefined) table.forget(hold, 'entry')
  }

  return {
    fact({ index, kind, said, box }) {
      if (kind === 'hold') {
        const { hold, gate, reason, actor, at, expires_at, replaces } = said as unknown as HoldEntry
        const placedAt = unixMs(at)
        if (replaces !== null) release(replaces, index, placedAt, actor, box)
        const end = early.get(hold) ?? { releasedAt: null, releasedBy: null }
        table.set(hold, index, { gate, reason, actor, placedAt, expiresAt: unixMs(expires_at), ...end, entry: index })
        if (box !== undefined) table.forget(hold, 'entry')
      } else if (kind === 'hold_released') {
        const { hold, actor, at } = said as unknown as HoldReleasedEntry
        release(hold, index, unixMs(at), actor, box)
      }
    },
    end() {
      const rows = drizzle.select().from(holds).all()
      const told = rows.filter(({ id }) => table.get(id) || !early.has(id))
      table.compare(told.map((row) => ({ key: row.id, index: row.entry, values: row })))
    },
  }
}

function isBefore(a: Pick<HoldValues, 'releasedAt' | 'releasedBy'>, b: Pick<HoldValues, 'releasedAt' | 'releasedBy'>) {
  const [x, y] = [a.releasedAt ?? 0, b.releasedAt ?? 0]
  return x < y || (x === y && (a.releasedBy ?? '') < (b.releasedBy ?? ''))
}
