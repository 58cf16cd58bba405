/** `movements`: every passage is of a scan or of a supervisor, at whichever box, and those that were taken back are gone. */
import { and, count, eq, sql } from '../../drizzle/core.ts'
import type { EventDefinition } from '../../event/event.ts'
import { journal, type Movement, movements, tickets, waitingPassages } from '../../ledger/schema.ts'
import type { StoredScanEntry, SupervisorAdmitEntry, UndoEntry } from '../../scan/entry.ts'
import { differences, type ExplainContext, type Explainer, type Fact } from './explainer.ts'

/** The box reads its clock for the passage and for the entry one after the other. */
const SAME_MOMENT_MS = 10_000

/** A passage without its row: it was taken back, is another box's word for one that stands, or waits for its ticket. */
interface Gone {
  index: number
  hlc: string
  ref: string
  slot: string
}

export function explainMovements({ drizzle, problems }: ExplainContext): Explainer {
  const { placeholder } = sql
  const ticketOf = drizzle
    .select({ id: tickets.id })
    .from(tickets)
    .where(eq(tickets.ref, placeholder('ref')))
    .prepare()
  const onRight = drizzle
    .select()
    .from(movements)
    .where(and(eq(movements.ticket, placeholder('ticket')), eq(movements.slot, placeholder('slot'))))
    .prepare()
  const kindAt = drizzle
    .select({ kind: journal.kind })
    .from(journal)
    .where(eq(journal.index, placeholder('index')))
    .prepare()
  const waiting = drizzle
    .select({ hlc: waitingPassages.hlc })
    .from(waitingPassages)
    .where(and(eq(waitingPassages.ticketRef, placeholder('ref')), eq(waitingPassages.scanId, placeholder('scanId'))))
    .prepare()
  /** Where checkpoints lead, by box. */
  const zones = new Map<string, { from: string | null; to: string | null }>()
  const gone = new Map<string, Gone[]>()
  const undone = new Map<string, Gone>()
  let explained = 0

  function fact({ index, hlc, kind, said, box = '', known }: Fact): void {
    if (kind === 'event') {
      const { checkpoints } = (said as { event: EventDefinition }).event
      for (const { id, from, to } of checkpoints) zones.set(`${box} ${id}`, { from, to })
    } else if (kind === 'undo') {
      const { scan_id, ticket: ref, slot, undone: admission } = said as unknown as UndoEntry
      if (!(hlc < (undone.get(scan_id)?.hlc ?? ''))) undone.set(scan_id, { index, hlc, ref, slot })
      // An entry that says what another box told may have brought several.
      const isThere = (row: Movement) => row.entry === admission && (row.scanId === scan_id || !isHeard(admission))
      if (box === '' && rowsOn(ref, slot).some(isThere)) again(admission, scan_id)
    } else if (kind === 'scan' || kind === 'supervisor_admit') {
      const entry = said as unknown as StoredScanEntry | SupervisorAdmitEntry
      if (entry.ticket !== null && entry.slot !== null) passage({ index, hlc, box, known }, entry)
    }
  }

  function passage(
    { index, hlc, box, known }: { index: number; hlc: string; box: string; known: boolean | undefined },
    entry: StoredScanEntry | SupervisorAdmitEntry,
  ): void {
    const { checkpoint, direction, occurrence, scan_id: scanId, confidence, slot, ticket: ref } = entry
    if (slot === null || ref === null) return
    const rows = rowsOn(ref, slot).filter((row) => row.entry === index)
    // A place among those on one right is each box's own; one entry may have brought several.
    const row = rows.find((row) =>
      box === '' ? row.surplus === entry.surplus : row.scanId === scanId && row.hlc === hlc,
    )
    if (!row) {
      // Taken back before it was told, or told by another box too: this one never had it.
      if (known) return
      gone.set(scanId, [...(gone.get(scanId) ?? []), { index, hlc, ref, slot }])
      return
    }
    explained++
    const expected = { checkpoint, direction, occurrence, scanId, hlc, provisional: confidence === 'provisional' }
    const differing = differences({ ...expected, ...zones.get(`${box} ${checkpoint}`) }, row)
    if (!isAt(entry, row)) differing.push('at')
    if (differing.length > 0) problems.add('movement_differs', index, `scan ${scanId}: ${differing.join(', ')}`)
  }

  function rowsOn(ref: string, slot: string): Movement[] {
    const [ticket] = ticketOf.values({ ref }) as [number][]
    return ticket ? onRight.all({ ticket: ticket[0], slot }) : []
  }

  function isHeard(index: number): boolean {
    return kindAt.get({ index })?.kind === 'heard'
  }

  function rowOf(ref: string, slot: string, scanId: string): Movement | undefined {
    return rowsOn(ref, slot).find((row) => row.scanId === scanId)
  }

  function again(index: number, scanId: string): void {
    problems.add('movement_unexplained', index, `scan ${scanId} was taken back, its passage is there`)
  }

  function end(): void {
    for (const [scanId, { index, hlc, ref, slot }] of undone) {
      if ((rowOf(ref, slot, scanId)?.hlc ?? '9') < hlc) again(index, scanId)
    }
    for (const [scanId, passages] of gone) {
      for (const { index, hlc, ref, slot } of passages) {
        const isUndone = (undone.get(scanId)?.hlc ?? '') > hlc
        // One person whom two boxes admitted on one scan: the earlier one stands.
        const stands = (rowOf(ref, slot, scanId)?.hlc ?? '9') < hlc
        if (isUndone || stands || waiting.get({ ref, scanId })) continue
        problems.add('movement_missing', index, `no passage is stored for scan ${scanId}`)
      }
    }
    const [rows] = drizzle.select({ rows: count() }).from(movements).all()
    if (rows && rows.rows > explained) stray(rows.rows - explained)
  }

  /** Each explained row names its own entry: another one shares an entry with it, or has one that let nobody pass. */
  function stray(many: number): void {
    const said = (name: string) => sql.raw(`json_extract(j.text, '$.${name}')`)
    const rows = drizzle.all<{ entry: number }>(sql`
      SELECT m.entry AS entry FROM movements m LEFT JOIN tickets t ON t.id = m.ticket LEFT JOIN (
        SELECT idx, kind, CASE WHEN json_valid(CAST(bytes AS TEXT)) THEN CAST(bytes AS TEXT) END AS text FROM journal
        WHERE kind IN ('scan', 'supervisor_admit', 'heard')
      ) j ON j.idx = m.entry
      WHERE j.text IS NULL OR j.kind <> 'heard' AND
        (${said('ticket')} IS NOT t.ref OR ${said('slot')} IS NOT m.slot OR ${said('surplus')} IS NOT m.surplus)
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
