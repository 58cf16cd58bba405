/** `incidents` and `incident_actions`: what was reported, and what the control rooms of all boxes did about it. */
import { incidentActions, incidents } from '../../ledger/schema.ts'
import { actionsInOrder, earliestReport, type Incident, Incidents, stepsOf } from '../cases/incidents.ts'
import type { FactOf } from '../fact.ts'
import { ExpectedRows, type ExplainContext, type Explainer, unixMs, type Values } from './explainer.ts'
import { Notes } from './notes.ts'

export function explainIncidents({ drizzle, problems }: ExplainContext): Explainer {
  const notes = new Notes('incident', problems)
  const table = new ExpectedRows('incident', problems)
  const actions = new ExpectedRows('incident_action', problems)
  const cases = new Incidents()
  return {
    add(fact) {
      notes.add(fact)
      if (fact.kind === 'incident_action' && fact.box === undefined && !cases.byId.has(fact.fields.incident)) {
        table.addUnknown(fact.fields.incident, fact.index)
      }
      cases.add(fact)
    },
    finish() {
      const rows = drizzle.select().from(incidents).all()
      const unreported = new Set<string>()
      for (const [id, incident] of cases.byId) {
        const report = earliestReport(incident)
        const row = rows.find((one) => one.id === id)
        // A third box has brought the action and the row of the report, whose own entry is still to come.
        const isEarlier = row && report && row.hlc < report.hlc && incident.actions.some(isReplicated)
        if (!report || isEarlier) unreported.add(id)
        else {
          table.set(id, report.index, { ...reportedRow(report), ...stateOf(incident) })
          notes.expect(id, report)
        }
        for (const { key, index, values } of actionRows(id, incident)) actions.set(key, index, values)
      }
      const reported = rows.filter(({ id }) => !unreported.has(id))
      table.compare(
        reported.map(({ digest: _, noteSalt: __, ...row }) => ({ key: row.id, index: row.entry, values: row })),
      )
      for (const { id, note, noteSalt } of reported) notes.compare(id, note, noteSalt)
      const done = drizzle.select().from(incidentActions).all()
      actions.compare(done.map((row) => ({ key: `${row.incident} ${row.version}`, index: row.entry, values: row })))
    },
  }
}

/** The row then names the entry by which it came, or a later one that changed nothing. */
const isReplicated = ({ box }: { box?: string }) => box !== undefined

function reportedRow({ fields, hlc }: FactOf<'incident'>): Values {
  const { checkpoint, gate, zone, occupancy, queue } = fields
  return {
    kind: fields.incident_kind,
    checkpoint,
    gate,
    zone,
    occupancy,
    hlc,
    queue,
    queueRatePerMin: fields.queue_rate_per_min,
    scans: fields.scans ?? null,
    refusals: fields.refusals ?? null,
    idleSeconds: fields.idle_seconds ?? null,
    reportedBy: fields.device,
    observedAt: unixMs(fields.observed_at),
    reportedAt: unixMs(fields.at),
  }
}

/** The report is version 1, and every action one more, in the order of the clocks. */
function stateOf(incident: Incident): Values {
  const entries = [...incident.reports, ...incident.actions]
  const assigned = actionsInOrder(incident).findLast(({ fields }) => fields.action === 'assign')
  return {
    state: stepsOf(incident).state,
    version: incident.actions.length + 1,
    assignee: assigned?.fields.assignee ?? null,
    ...(!entries.some(isReplicated) && { entry: Math.max(...entries.map(({ index }) => index)) }),
  }
}

function actionRows(id: string, incident: Incident): { key: string; index: number; values: Values }[] {
  const own = !incident.actions.some(isReplicated)
  return actionsInOrder(incident).map(({ index, hlc, fields }, i) => {
    const { action, actor, assignee, reason, at } = fields
    const values = { action, actor, assignee, reason, at: unixMs(at), hlc, ...(own && { entry: index }) }
    return { key: `${id} ${i + 2}`, index, values }
  })
}
