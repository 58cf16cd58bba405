/**
 * The tables and columns of the ledger that the change feed publishes unless the operator chooses otherwise: what happened at
 * the gates. A ticket's id, codes, keys and holder are not published, nor what people have typed about people.
 */

import { getTableColumns, getTableName } from '../drizzle/core.ts'
import type { SQLiteTable } from '../drizzle/sqlite.ts'
import {
  announcements,
  devices,
  flags,
  holds,
  incidentActions,
  incidents,
  journal,
  movements,
  overrides,
  sales,
  seals,
  tickets,
} from './schema.ts'
import type { PublishedTable } from './triggers.ts'

type ColumnOf<T extends SQLiteTable> = keyof T['_']['columns'] & string

/** A table of the ledger, and which columns of it are published; `text` and `appendOnly` as in the feed's configuration. */
export interface Published<T extends SQLiteTable = SQLiteTable, K extends ColumnOf<T> = ColumnOf<T>> {
  readonly table: T
  readonly columns: readonly K[]
  readonly text?: readonly K[]
  readonly appendOnly?: true
}

export const published = {
  // First: a copy that is begun later then has each seal before the entries that it is verified with.
  seals: all(seals),
  // Entries never change: the change log refers to them and holds no copy.
  journal: { ...all(journal), text: ['bytes'] as const, appendOnly: true },
  tickets: only(tickets, [
    'id',
    'ref',
    'sharedRef',
    'tier',
    'seat',
    'validFrom',
    'validUntil',
    'status',
    'revokedAt',
    'claimedAt',
    'entry',
  ]),
  movements: all(movements),
  flags: only(flags, [
    'id',
    'kind',
    'ticketRef',
    'device',
    'occurrence',
    'detectedAt',
    'scanIds',
    'resolution',
    'resolvedAt',
  ]),
  incidents: only(incidents, [
    'id',
    'kind',
    'state',
    'checkpoint',
    'gate',
    'zone',
    'queueRatePerMin',
    'occupancy',
    'reportedBy',
    'observedAt',
    'reportedAt',
    'hlc',
    'assignee',
    'version',
    'entry',
  ]),
  incidentActions: all(incidentActions),
  holds: all(holds),
  overrides: only(overrides, ['scanId', 'kind', 'device', 'actor', 'reason', 'at', 'entry']),
  // Reasons are typed by people, about people.
  sales: only(sales, [
    'id',
    'homeBox',
    'receipt',
    'tier',
    'tickets',
    'paid',
    'price',
    'currency',
    'soldBy',
    'soldAt',
    'voidedAt',
    'voidedBy',
    'entry',
  ]),
  announcements: only(announcements, [
    'id',
    'severity',
    'text',
    'lang',
    'zones',
    'issuedAt',
    'expiresAt',
    'hlc',
    'signature',
    'entry',
  ]),
  devices: only(devices, [
    'id',
    'name',
    'checkpoints',
    'enrolledAt',
    'expiresAt',
    'revokedAt',
    'revokedReason',
    'supervisor',
  ]),
} satisfies Record<string, Published>

/** The same as the feed's configuration has it. */
export const PUBLISHED: readonly PublishedTable[] = Object.values(published).map(configured)

function configured({ table, columns, text, appendOnly }: Published): PublishedTable {
  const byKey: Record<string, { name: string }> = getTableColumns(table)
  const names = (keys: readonly string[]) => keys.map((key) => byKey[key]?.name ?? key)
  return {
    name: getTableName(table),
    columns: names(columns),
    ...(text && { text: names(text) }),
    ...(appendOnly && { appendOnly }),
  }
}

function all<T extends SQLiteTable>(table: T): Published<T> {
  return { table, columns: Object.keys(getTableColumns(table)) as ColumnOf<T>[] }
}

/** Named one by one: a column that a table gains later is not published until somebody has decided so. */
function only<T extends SQLiteTable, K extends ColumnOf<T>>(table: T, columns: readonly K[]): Published<T, K> {
  return { table, columns }
}
