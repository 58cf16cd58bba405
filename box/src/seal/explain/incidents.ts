/** `incidents`, `incident_actions` and `holds`: what was reported, and what the control room did about it. */
import type { HoldEntry, HoldReleasedEntry, IncidentActionEntry, IncidentEntry } from '../../incidents/entry.ts'
import { holds, incidentActions, incidents } from '../../ledger/schema.ts'
import { type ExplainContext, type Explainer, SmallTable, unixMs } from './explainer.ts'
import { Notes } from './notes.ts'

export function explainIncidents({ drizzle, problems }: ExplainContext): Explainer {
  const table = new SmallTable('incident', problems)
  const actions = new SmallTable('incident_action', problems)
  const notes = new Notes('incident', problems)
  return {
    fact(fact) {
      const { index, hlc, kind, said } = fact
      notes.fact(fact)
      if (kind === 'incident') {
        const entry = said as unknown as IncidentEntry
        const { incident, checkpoint, gate, zone, occupancy, queue } = entry
        table.set(incident, index, {
          ...{
            kind: entry.incident_kind,
            state: 'open',
            version: 1,
            assignee: null,
            checkpoint,
            gate,
            zone,
            occupancy,
          },
          ...{ queue, queueRatePerMin: entry.queue_rate_per_min, reportedBy: entry.device, hlc, entry: index },
          ...{ observedAt: unixMs(entry.observed_at), reportedAt: unixMs(entry.at) },
        })
        notes.expect(incident, index, entry.note_hash)
      } else if (kind === 'incident_action') {
        const { incident, version, action, actor, assignee, reason, at, to } = said as unknown as IncidentActionEntry
        table.change(incident, index, { state: to, version, entry: index, ...(assignee !== null && { assignee }) })
        const values = { action, actor, assignee, reason, at: unixMs(at), hlc, entry: index }
        actions.set(`${incident} ${version}`, index, values)
      }
    },
    end() {
      const rows = drizzle.select().from(incidents).all()
      table.compare(rows.map(({ digest: _, noteSalt: __, ...row }) => ({ key: row.id, index: row.entry, values: row })))
      for (const { id, note, noteSalt } of rows) notes.compare(id, note, noteSalt)
      const done = drizzle.select().from(incidentActions).all()
      actions.compare(done.map((row) => ({ key: `${row.incident} ${row.version}`, index: row.entry, values: row })))
    },
  }
}

export function explainHolds({ drizzle, problems }: ExplainContext): Explainer {
  const table = new SmallTable('hold', problems)
  return {
    fact({ index, kind, said }) {
      if (kind === 'hold') {
        const { hold, gate, reason, actor, at, expires_at, replaces } = said as unknown as HoldEntry
        const placedAt = unixMs(at)
        if (replaces !== null) table.change(replaces, index, { releasedAt: placedAt, releasedBy: actor, entry: index })
        const standing = { releasedAt: null, releasedBy: null, entry: index }
        table.set(hold, index, { gate, reason, actor, placedAt, expiresAt: unixMs(expires_at), ...standing })
      } else if (kind === 'hold_released') {
        const { hold, actor: releasedBy, at } = said as unknown as HoldReleasedEntry
        table.change(hold, index, { releasedAt: unixMs(at), releasedBy, entry: index })
      }
    },
    end() {
      const rows = drizzle.select().from(holds).all()
      table.compare(rows.map((row) => ({ key: row.id, index: row.entry, values: row })))
    },
  }
}
