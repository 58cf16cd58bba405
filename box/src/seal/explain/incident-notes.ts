/** `incident_notes`: what scanners added to their reports, at all boxes. */
import { incidentNotes } from '../../ledger/schema.ts'
import type { FactOf } from '../fact.ts'
import { ExpectedRows, type ExplainContext, type Explainer, unixMs } from './explainer.ts'
import { Notes } from './notes.ts'

export function explainIncidentNotes({ drizzle, problems }: ExplainContext): Explainer {
  const texts = new Notes('incident_note', problems)
  const table = new ExpectedRows('incident_note', problems)
  /** By id: a scanner whose first box did not answer sends its note to another one, too, and the earlier one counts. */
  const earliest = new Map<string, FactOf<'incident_note'>>()
  const replicated = new Set<string>()
  return {
    add(fact) {
      texts.add(fact)
      if (fact.kind !== 'incident_note') return
      const { note: id } = fact.fields
      if (fact.box !== undefined) replicated.add(id)
      const before = earliest.get(id)
      if (!before || fact.hlc < before.hlc) earliest.set(id, fact)
    },
    finish() {
      for (const [id, fact] of earliest) {
        const { incident, device, at } = fact.fields
        const own = !replicated.has(id) && { entry: fact.index }
        table.set(id, fact.index, { incident, device, at: unixMs(at), hlc: fact.hlc, ...own })
        texts.expect(id, fact)
      }
      const rows = drizzle.select().from(incidentNotes).all()
      table.compare(rows.map(({ note: _, noteSalt: __, ...row }) => ({ key: row.id, index: row.entry, values: row })))
      for (const { id, note, noteSalt } of rows) texts.compare(id, note, noteSalt)
    },
  }
}
