/** `movements`: every passage is that of a scan or of a supervisor's admission, at whichever box, and undone ones are gone. */
import { count, sql } from '../../drizzle/core.ts'
import { eventIn } from '../../event/recorded.ts'
import type { EntryFields } from '../../ledger/entries.ts'
import { journal, type Movement, movements, tickets, waitingPassages } from '../../ledger/schema.ts'
import { matching } from '../../ledger/statements.ts'
import type { Fact, FactOf } from '../fact.ts'
import { differences, type ExplainContext, type Explainer } from './explainer.ts'

/** The box reads its clock for the passage and for the entry one after the other. */
const SAME_MOMENT_MS = 10_000

/** An entry about a passage, and the right that the passage has used. */
interface Place {
  index: number
  hlc: string
  ref: string
  slot: string
}

export class MovementExplainer implements Explainer {
  readonly #context: ExplainContext
  readonly #reads: ReturnType<typeof prepare>
  /** Zones from and to which checkpoints lead, by box and id. */
  readonly #zones = new Map<string, { from: string | null; to: string | null }>()
  /** By scan, entries without a row: undone, known already from another box's entry, or waiting for their ticket. */
  readonly #absent = new Map<string, Place[]>()
  /** By scan, the last undo. */
  readonly #undone = new Map<string, Place>()
  #explained = 0

  constructor(context: ExplainContext) {
    this.#context = context
    this.#reads = prepare(context)
  }

  add(fact: Fact): void {
    const { box = '' } = fact
    if (fact.kind === 'event') {
      const { checkpoints } = eventIn(fact.fields)
      for (const { id, from, to } of checkpoints) this.#zones.set(`${box} ${id}`, { from, to })
    } else if (fact.kind === 'undo') this.#undo(fact)
    else if (fact.kind === 'scan' || fact.kind === 'supervisor_admit') this.#passage(fact)
  }

  finish(): void {
    for (const [scanId, place] of this.#undone) {
      if ((this.#rowOf(place, scanId)?.hlc ?? '9') < place.hlc) this.#stillThere(place.index, scanId)
    }
    for (const [scanId, places] of this.#absent) {
      for (const place of places) {
        const isUndone = (this.#undone.get(scanId)?.hlc ?? '') > place.hlc
        // Two boxes have admitted one person on one scan: the row is the earlier one's.
        const isEarlier = (this.#rowOf(place, scanId)?.hlc ?? '9') < place.hlc
        if (isUndone || isEarlier || this.#reads.waiting.get({ ticketRef: place.ref, scanId })) continue
        this.#context.problems.add('movement_missing', place.index, `no passage is stored for scan ${scanId}`)
      }
    }
    const [rows] = this.#context.drizzle.select({ rows: count() }).from(movements).all()
    if (rows && rows.rows > this.#explained) this.#reportUnexplained(rows.rows - this.#explained)
  }

  #undo({ index, hlc, fields, box }: FactOf<'undo'>): void {
    const { scan_id: scanId, ticket: ref, slot, undone: admission } = fields
    const place = { index, hlc, ref, slot }
    if (!(hlc < (this.#undone.get(scanId)?.hlc ?? ''))) this.#undone.set(scanId, place)
    // An entry of kind `heard` may have brought several passages.
    const isThere = (row: Movement) =>
      row.entry === admission &&
      (row.scanId === scanId || this.#reads.kindAt.get({ index: admission })?.kind !== 'heard')
    if (box === undefined && this.#rowsOn(place).some(isThere)) this.#stillThere(admission, scanId)
  }

  #passage({ index, hlc, box, known, fields }: FactOf<'scan' | 'supervisor_admit'>): void {
    const { checkpoint, direction, occurrence, scan_id: scanId, confidence, slot, surplus, ticket: ref } = fields
    if (slot === null || ref === null) return
    const place = { index, hlc, ref, slot }
    // `surplus` numbers the passages on one right at each box, and an entry of kind `heard` may have brought several.
    const row = this.#rowsOn(place).find(
      (row) =>
        row.entry === index && (box === undefined ? row.surplus === surplus : row.scanId === scanId && row.hlc === hlc),
    )
    if (!row) {
      // `known`: undone before it was replicated, or replicated by way of another box.
      if (!known) this.#absent.set(scanId, [...(this.#absent.get(scanId) ?? []), place])
      return
    }
    this.#explained++
    const expected = { checkpoint, direction, occurrence, scanId, hlc, provisional: confidence === 'provisional' }
    const differing = differences({ ...expected, ...this.#zones.get(`${box ?? ''} ${checkpoint}`) }, row)
    if (!isAt(fields, row)) differing.push('at')
    if (differing.length === 0) return
    this.#context.problems.add('movement_differs', index, `scan ${scanId}: ${differing.join(', ')}`)
  }

  #rowsOn({ ref, slot }: Place): Movement[] {
    const [ticket] = this.#reads.ticketOf.values({ ref }) as [number][]
    return ticket ? this.#reads.onRight.all({ ticket: ticket[0], slot }) : []
  }

  #rowOf(place: Place, scanId: string): Movement | undefined {
    return this.#rowsOn(place).find((row) => row.scanId === scanId)
  }

  #stillThere(index: number, scanId: string): void {
    const detail = `scan ${scanId} was taken back, its passage is there`
    this.#context.problems.add('movement_unexplained', index, detail)
  }

  /** An unexplained row shares its entry with an explained one, or names an entry by which nobody passed. */
  #reportUnexplained(many: number): void {
    const said = (name: string) => sql.raw(`json_extract(j.text, '$.${name}')`)
    const rows = this.#context.drizzle.all<{ entry: number }>(sql`
      SELECT m.entry AS entry FROM movements m LEFT JOIN tickets t ON t.id = m.ticket LEFT JOIN (
        SELECT idx, kind, CASE WHEN json_valid(CAST(bytes AS TEXT)) THEN CAST(bytes AS TEXT) END AS text FROM journal
        WHERE kind IN ('scan', 'supervisor_admit', 'heard')
      ) j ON j.idx = m.entry
      WHERE j.text IS NULL OR j.kind <> 'heard' AND
        (${said('ticket')} IS NOT t.ref OR ${said('slot')} IS NOT m.slot OR ${said('surplus')} IS NOT m.surplus)
      ORDER BY m.entry LIMIT 1`)
    const detail = `${many} ${many === 1 ? 'passage has' : 'passages have'} no entry`
    this.#context.problems.add('movement_unexplained', rows[0]?.entry ?? null, detail)
  }
}

/** True if the row's time is when the box learned of the passage, or when an offline scanner says that it was, if earlier. */
function isAt(entry: EntryFields<'scan' | 'supervisor_admit'>, { at }: Movement): boolean {
  const learned = Date.parse(entry.at)
  const observed = 'observed_at' in entry && entry.offline_admitted ? Date.parse(entry.observed_at) : learned
  return Math.abs(at - Math.min(observed, learned)) <= SAME_MOMENT_MS
}

function prepare({ drizzle }: ExplainContext) {
  return {
    ticketOf: drizzle.select({ id: tickets.id }).from(tickets).where(matching(tickets, 'ref')).prepare(),
    onRight: drizzle
      .select()
      .from(movements)
      .where(matching(movements, 'ticket', 'slot'))
      .prepare(),
    kindAt: drizzle.select({ kind: journal.kind }).from(journal).where(matching(journal, 'index')).prepare(),
    waiting: drizzle
      .select({ hlc: waitingPassages.hlc })
      .from(waitingPassages)
      .where(matching(waitingPassages, 'ticketRef', 'scanId'))
      .prepare(),
  }
}
