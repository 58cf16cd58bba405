/**
 * What the change feed tells of the ledger unless the operator chooses otherwise. A ticket's id, its codes, its keys and its
 * holder stay here, and so does whatever people have typed about people; what happened at the gates goes out.
 */

import { getTableColumns, getTableName } from '../drizzle/core.ts'
import type { SQLiteTable } from '../drizzle/sqlite.ts'
import type { PublishedTable } from '../feed/sources/sqlite/options.ts'
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
  seals,
  tickets,
} from './schema.ts'

export const PUBLISHED: readonly PublishedTable[] = [
  // First, so that a copy that is begun later has each seal before the entries that it holds them against.
  all(seals),
  // The journal never changes: the change log needs no copy of what is in it.
  { ...all(journal), text: ['bytes'], appendOnly: true },
  only(tickets, [
    ...(['id', 'ref', 'sharedRef', 'tier', 'seat', 'validFrom', 'validUntil'] as const),
    ...(['status', 'revokedAt', 'claimedAt', 'entry'] as const),
  ]),
  all(movements),
  only(flags, ['id', 'kind', 'ticketRef', 'device', 'occurrence', 'detectedAt', 'scanIds', 'resolution', 'resolvedAt']),
  only(incidents, [
    ...(['id', 'kind', 'state', 'checkpoint', 'gate', 'zone', 'queueRatePerMin', 'occupancy', 'reportedBy'] as const),
    ...(['observedAt', 'reportedAt', 'hlc', 'assignee', 'version', 'entry'] as const),
  ]),
  all(incidentActions),
  all(holds),
  only(overrides, ['scanId', 'kind', 'device', 'actor', 'reason', 'at', 'entry']),
  all(announcements),
  only(devices, ['id', 'name', 'checkpoints', 'enrolledAt', 'expiresAt', 'revokedAt', 'revokedReason', 'supervisor']),
]

function all(table: SQLiteTable): PublishedTable {
  return { name: getTableName(table), columns: Object.values(getTableColumns(table)).map(({ name }) => name) }
}

/** Named one by one: a column that a table gains later stays here until somebody has thought about it. */
function only<T extends SQLiteTable>(table: T, columns: readonly (keyof T['_']['columns'] & string)[]): PublishedTable {
  const byKey: Record<string, { name: string }> = getTableColumns(table)
  return { name: getTableName(table), columns: columns.map((key) => byKey[key]?.name ?? key) }
}
