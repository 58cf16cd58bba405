/** Folds a batch into changes of the readable tables: for each row its last state, so that each is written once. Pure. */
import { type At, compareEvents, type HqEvent } from './event.ts'
import { READABLE, type ReadableTable } from './readable.ts'
import { type Row, readRow } from './row.ts'

export interface RowChange {
  readonly values: Row['values']
  readonly extra: Row['extra']
  readonly deleted: boolean
  readonly at: At
}

export interface TableChanges {
  readonly table: ReadableTable
  /** By key. */
  readonly rows: Map<string, RowChange>
  /** Every older row is deleted. */
  truncated?: At
}

export interface Finding {
  readonly kind: 'unreadable' | 'unknown_table'
  readonly subject: string
  readonly detail: string
}

export interface Folded {
  readonly tables: ReadonlyMap<string, TableChanges>
  readonly findings: readonly Finding[]
}

/**
 * @param events of one history, in order, all new
 * @param truncated by table, where it was truncated before this batch: an older change that comes late makes a deleted row
 */
export function fold(events: readonly HqEvent[], truncated: Readonly<Record<string, [number, number]>>): Folded {
  const tables = new Map<string, TableChanges>()
  const findings = new Map<string, Finding>()
  const find = (finding: Finding) => findings.set(`${finding.kind} ${finding.subject}`, finding)

  for (const event of events) {
    const table = READABLE.get(event.table)
    if (!table) {
      find({ kind: 'unknown_table', subject: event.table, detail: 'HQ has no readable table for it: see events.' })
      continue
    }
    const changes = tables.get(event.table) ?? { table, rows: new Map<string, RowChange>() }
    tables.set(event.table, changes)
    if (event.op === 'truncate') {
      changes.rows.clear()
      changes.truncated = event
      continue
    }
    const emptied = truncated[event.table]
    const isGone = emptied !== undefined && compareEvents(event, at(event.history, emptied)) < 0
    const [before, after] = [event.before && readRow(table, event.before), event.after && readRow(table, event.after)]
    const unfit = after?.unfit ?? []
    if (unfit.length > 0 || (after ?? before)?.key === undefined) {
      const what = unfit.length > 0 ? unfit.join(', ') : table.key.join(', ')
      find({ kind: 'unreadable', subject: event.table, detail: `${what} of event ${event.id} is not what HQ expects.` })
    }
    // A row whose key changed is deleted under its old one.
    if (before?.key !== undefined && before.key !== after?.key)
      put(changes, before.key, deletionOf(before, table, event))
    if (after?.key !== undefined) {
      put(changes, after.key, { values: after.values, extra: after.extra, deleted: isGone, at: event })
    }
  }
  return { tables, findings: [...findings.values()] }
}

function put({ rows }: TableChanges, key: string, change: RowChange): void {
  const earlier = rows.get(key)
  rows.set(key, {
    ...change,
    values: { ...earlier?.values, ...change.values },
    extra: { ...earlier?.extra, ...change.extra },
  })
}

/** Sets the key alone: the other columns of a deleted row stay readable. */
function deletionOf({ values }: Row, { key }: ReadableTable, event: HqEvent): RowChange {
  return {
    values: Object.fromEntries(key.map((column) => [column, values[column] ?? null])),
    extra: {},
    deleted: true,
    at: event,
  }
}

function at(history: number, [sequence, index]: [number, number]) {
  return { history, sequence, index }
}
