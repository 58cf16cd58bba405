/**
 * Proves where a ticket was: finds every entry of the journal about it, with an inclusion proof of each to a signed root. The
 * journal itself is searched, because no table has the refusals of a ticket, so a worker thread does it.
 */
import type { Attendance } from '@gatehouse/proto/wire/seal.ts'
import { and, asc, lt, sql } from '../drizzle/core.ts'
import type { Snapshot } from '../ledger/db.ts'
import { entryOf } from '../ledger/entries.ts'
import { journal } from '../ledger/schema.ts'
import { passageIn } from '../rights/passage.ts'
import { inclusionProof, leafHash } from './merkle.ts'
import type { Seal } from './sealer.ts'
import { LogTree } from './tree.ts'

/** @param ref the ticket's @param seal what the entries are proven against: those after it are left out */
export function provenAttendance({ drizzle }: Snapshot, ref: string, { size, note }: Seal): Attendance {
  const tree = new LogTree({ drizzle })
  const range = (start: number, end: number) => tree.range(start, end)
  const own = drizzle
    .select()
    .from(journal)
    .where(and(lt(journal.index, size), sql`instr(${journal.bytes}, cast(${ref} as blob)) > 0`))
    .orderBy(asc(journal.index))
    .all()
    .map(entryOf)
    .filter(({ fields }) => 'ticket' in fields && fields.ticket === ref)
  let inside = 0
  const entries = own.map((entry) => {
    const { index, bytes } = entry
    const passage = passageIn(entry)
    if (passage?.direction === 'in') inside += passage.people
    return {
      index,
      size,
      entry: bytes.toString('base64'),
      leaf_hash: leafHash(bytes).toString('base64'),
      proof: inclusionProof(index, size, range).map((hash) => Buffer.from(hash).toString('base64')),
    }
  })
  return { attended: inside > 0, entries, checkpoint: note }
}
