/** Moves the rows of a copied ledger: what they point to, whose journal they are, and which of them stay behind. */
import { sql } from '../../../drizzle/core.ts'
import type { Db } from '../../../ledger/db.ts'
import {
  announcements,
  answers,
  boxes,
  flags,
  holds,
  incidentActions,
  incidentNotes,
  incidents,
  invites,
  journal,
  movements,
  overrides,
  paperQueue,
  peerJournal,
  peerSeals,
  products,
  reservationQueue,
  sales,
  scans,
  seals,
  shopCertificates,
  shopLookups,
  shopRows,
  shopSources,
  subtrees,
  tallies,
  tickets,
  ticketVersions,
} from '../../../ledger/schema.ts'
import { adminTokens, apiTokens, passkeys, people, staffSessions } from '../../../ledger/staff-schema.ts'
import type { CopiedBox } from './identity.ts'
import type { Stretch } from './stretches.ts'

/** Tables whose rows name the entry that last changed them. */
export const WITH_ENTRY = [
  tickets,
  movements,
  scans,
  flags,
  announcements,
  incidents,
  incidentActions,
  incidentNotes,
  holds,
  overrides,
  peerJournal,
  ticketVersions,
  products,
  answers,
  sales,
  people,
  apiTokens,
  passkeys,
  adminTokens,
]

/** Tables of one box alone: what it has promised, queued or counted, who is signed in, and who delivers to its shop's receiver. */
const LEFT_BEHIND = [
  invites,
  reservationQueue,
  paperQueue,
  seals,
  subtrees,
  tallies,
  shopCertificates,
  shopSources,
  shopRows,
  shopLookups,
  staffSessions,
]

/** Index of the new journal's first record: entry 0 is the event's. */
const FIRST_RECORD = 1

/**
 * Makes every row point to the record that brings the entry which it points to now. Negative values mean that a replicated entry is
 * not recorded yet, and stay. Within a transaction, before `passOnJournal`.
 */
export function repointRows({ drizzle }: Db, stretches: readonly Stretch[]): void {
  // `carried_by`: the record of what the last entry of the stretch had replicated, where that entry is itself a record.
  drizzle.run(
    sql`CREATE TEMP TABLE stretches (first INTEGER PRIMARY KEY, last INTEGER, recorded_by INTEGER, carried_by INTEGER) STRICT`,
  )
  stretches.forEach(({ record, own }, place) => {
    if (!own) return
    const recordedBy = FIRST_RECORD + place
    const carriedBy = stretches[place + 1]?.own === false ? recordedBy + 1 : recordedBy
    drizzle.run(sql`INSERT INTO stretches VALUES (${record.from}, ${record.to - 1}, ${recordedBy}, ${carriedBy})`)
  })
  for (const table of WITH_ENTRY) {
    drizzle.run(sql`UPDATE ${table} SET entry = (
      SELECT CASE WHEN ${table}.entry = s.last THEN s.carried_by ELSE s.recorded_by END FROM stretches s
      WHERE s.first <= ${table}.entry ORDER BY s.first DESC LIMIT 1) WHERE entry >= 0`)
  }
}

/** Stores the copied box's journal and seals as those of another box. Within a transaction, after `repointRows`. */
export function passOnJournal({ drizzle }: Db, { boxId, logKey, entries }: CopiedBox): void {
  drizzle.run(sql`INSERT INTO ${peerJournal} (box, idx, hlc, kind, bytes, entry)
    SELECT ${boxId}, idx, hlc, kind, bytes,
      (SELECT recorded_by FROM stretches s WHERE s.first <= idx ORDER BY s.first DESC LIMIT 1)
    FROM ${journal}`)
  drizzle.run(sql`INSERT OR IGNORE INTO ${peerSeals} (box, size, root, note, at)
    SELECT ${boxId}, size, root, note, at FROM ${seals}`)
  drizzle
    .insert(boxes)
    .values({ id: boxId, name: boxId, logKey, heard: entries })
    // The copy may lack the key of its own log. What the topology said of it stays.
    .onConflictDoUpdate({ target: boxes.id, set: { heard: entries } })
    .run()
  drizzle.run(sql`DROP TABLE stretches`)
}

export function deleteOwnRows({ drizzle }: Db): void {
  for (const table of LEFT_BEHIND) drizzle.delete(table).run()
}
