/** Applies signing on and off at a scanner, which may go on at this box. Sessions of browsers and tablets are their own box's: a page asks the box that it came from. */
import { randomBytes } from 'node:crypto'
import { parse } from '@gatehouse/proto/hlc.ts'
import { eq } from '../../../drizzle/core.ts'
import { devices } from '../../../ledger/schema.ts'
import { endOthersAt, isAtScanner, latestAt } from '../../../ledger/sign-ons.ts'
import { people, SIGN_ON_MS, type StaffSessionRow, staffSessions } from '../../../ledger/staff-schema.ts'
import type { PeerEntry } from '../envelope.ts'
import type { ApplyContext } from './context.ts'

/** Of two boxes that could not reach each other the later sign-on counts. One that has ended stays so, also where the end is heard of first. */
export function applySignOn({ fields, hlc }: PeerEntry<'session'>, { ledger }: ApplyContext): void {
  const { action, session: id, of: person, device, address } = fields
  const at = parse(hlc)?.ms
  const isOpened = action === 'opened'
  if (at === undefined || device === null || !isAtScanner({ id, device }) || !(isOpened || action === 'ended')) return
  const { drizzle } = ledger.db
  // That box had not heard yet that the person was removed, or has another PIN or role.
  const known = drizzle.select().from(people).where(eq(people.id, person)).get()
  const isOver = !isOpened || (known !== undefined && (known.removedAt !== null || known.hlc > hlc))
  const named = drizzle.select().from(devices).where(eq(devices.id, device)).get()
  const row: StaffSessionRow = {
    ...{ id, person, device, deviceName: named?.name ?? null, address, publicKey: null, passkey: null },
    // Of no token: the scanner proves each request by itself.
    tokenHash: randomBytes(32),
    ...{ openedAt: at, usedAt: at, expiresAt: at + SIGN_ON_MS, endedAt: isOver ? at : null },
  }
  const insert = drizzle.insert(staffSessions).values(row)
  if (isOpened) insert.onConflictDoNothing().run()
  else insert.onConflictDoUpdate({ target: staffSessions.id, set: { endedAt: at } }).run()
  const latest = latestAt(device, drizzle)
  if (latest) endOthersAt(device, latest.id, at, drizzle)
}
