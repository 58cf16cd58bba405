/** `movements`: every passage is of a scan or of a supervisor, and those that were taken back are gone. */
import { and, count, eq, sql } from 'drizzle-orm'
import type { EventDefinition } from '../../event/event.ts'
import { type Movement, movements, tickets } from '../../ledger/schema.ts'
import type { StoredScanEntry, SupervisorAdmitEntry, UndoEntry } from '../../scan/entry.ts'
import { differences, type ExplainContext, type Explainer, type Fact } from './explainer.ts'

/** The box reads its clock for the passage and for the entry one after the other. */
const SAME_MOMENT_MS = 10_000

export function explainMovements({ drizzle, problems }: ExplainContext): Explainer {
  const { placeholder } = sql
  const ticketOf = drizzle
    .select({ id: tickets.id })
    .from(tickets)
    .where(eq(tickets.ref, placeholder('ref')))
    .prepare()
  const find = drizzle
    .select()
    .from(movements)
    .where(
      and(
        eq(movements.ticket, placeholder('ticket')),
        eq(movements.slot, placeholder('slot')),
        eq(movements.surplus, placeholder('surplus')),
      ),
    )
    .prepare()
  const zones = new Map<string, { from: string | null; to: string | null }>()
  /** Passages without their row: an entry to come takes each of them back. */
  const gone = new Map<number, { scanId: string; at: number }>()
  let explained = 0

  function fact({ index, hlc, kind, said }: Fact): void {
    if (kind === 'event') {
      const { checkpoints } = (said as { event: EventDefinition }).event
      for (const { id, from, to } of checkpoints) zones.set(id, { from, to })
    } else if (kind === 'undo') {
      const { undone, scan_id } = said as unknown as UndoEntry
      if (!gone.delete(undone))
        problems.add('movement_unexplained', undone, `scan ${scan_id} was taken back, its passage is there`)
    } else if (kind === 'scan' || kind === 'supervisor_admit') {
      const entry = said as unknown as StoredScanEntry | SupervisorAdmitEntry
      if (entry.ticket !== null && entry.slot !== null) passage(index, hlc, entry)
    }
  }

  function passage(index: number, hlc: string, entry: StoredScanEntry | SupervisorAdmitEntry): void {
    const [ticket] = ticketOf.values({ ref: entry.ticket }) as [number][]
    const row = ticket && find.get({ ticket: ticket[0], slot: entry.slot, surplus: entry.surplus })
    if (row?.entry !== index) return void gone.set(index, { scanId: entry.scan_id, at: index })
    explained++
    const { checkpoint, direction, occurrence, scan_id: scanId, confidence } = entry
    const expected = { checkpoint, direction, occurrence, scanId, hlc, provisional: confidence === 'provisional' }
    const differing = differences({ ...expected, ...zones.get(checkpoint) }, row)
    if (!isAt(entry, row)) differing.push('at')
    if (differing.length > 0) problems.add('movement_differs', index, `scan ${scanId}: ${differing.join(', ')}`)
  }

  function end(): void {
    for (const [index, { scanId }] of gone)
      problems.add('movement_missing', index, `no passage is stored for scan ${scanId}`)
    const [rows] = drizzle.select({ rows: count() }).from(movements).all()
    if (rows && rows.rows > explained) stray(rows.rows - explained)
  }

  /** Each explained row names its own entry: another one shares an entry with it, or has one that let nobody pass. */
  function stray(many: number): void {
    const said = (name: string) => sql.raw(`json_extract(j.text, '$.${name}')`)
    const rows = drizzle.all<{ entry: number }>(sql`
      SELECT m.entry AS entry FROM movements m LEFT JOIN tickets t ON t.id = m.ticket LEFT JOIN (
        SELECT idx, CASE WHEN json_valid(CAST(bytes AS TEXT)) THEN CAST(bytes AS TEXT) END AS text FROM journal
        WHERE kind IN ('scan', 'supervisor_admit')
      ) j ON j.idx = m.entry
      WHERE j.text IS NULL OR ${said('ticket')} IS NOT t.ref OR ${said('slot')} IS NOT m.slot OR ${said('surplus')} IS NOT m.surplus
      ORDER BY m.entry LIMIT 1`)
    const detail = `${many} ${many === 1 ? 'passage has' : 'passages have'} no entry`
    problems.add('movement_unexplained', rows[0]?.entry ?? null, detail)
  }

  return { fact, end }
}

/** When the person stood there: when the box learned of it, or before that, when a scanner that was alone says so. */
function isAt(entry: StoredScanEntry | SupervisorAdmitEntry, { at }: Movement): boolean {
  const learned = Date.parse(entry.at)
  const observed = 'observed_at' in entry && entry.offline_admitted ? Date.parse(entry.observed_at) : learned
  return Math.abs(at - Math.min(observed, learned)) <= SAME_MOMENT_MS
}
