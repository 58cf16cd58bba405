/** Rows of sessions that are bound to a scanner. A tablet has the id of its session; a scanner has one of its own, and a person after the other. */
import { and, desc, eq, isNull, ne } from '../drizzle/core.ts'
import type { Db } from './db.ts'
import { type StaffSessionRow, staffSessions } from './staff-schema.ts'

type Bound = Pick<StaffSessionRow, 'id' | 'device'>
type Drizzle = Db['drizzle']

export function isAtScanner<T extends Bound>(row: T): row is T & { device: string } {
  return row.device !== null && row.device !== row.id
}

export function kindOf(row: Bound): 'browser' | 'tablet' | 'scanner' {
  if (row.device === null) return 'browser'
  return isAtScanner(row) ? 'scanner' : 'tablet'
}

/** The latest sign-on at a scanner, whether or not it is over: of two at one reading of the clock, every box takes the same. */
export function latestAt(device: string, drizzle: Drizzle): StaffSessionRow | undefined {
  const { device: bound, openedAt, id } = staffSessions
  const rows = drizzle.select().from(staffSessions).where(eq(bound, device))
  return rows.orderBy(desc(openedAt), desc(id)).limit(1).get()
}

/** Ends what is open at a scanner, but for one. Within a transaction. @param at unix ms */
export function endOthersAt(device: string, but: string, at: number, drizzle: Drizzle): void {
  const { device: bound, endedAt, id } = staffSessions
  const open = and(eq(bound, device), isNull(endedAt), ne(id, but))
  drizzle.update(staffSessions).set({ endedAt: at }).where(open).run()
}
