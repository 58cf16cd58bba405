import { asc, eq } from '../../src/drizzle/core.ts'
import {
  announcements,
  credentials,
  devices,
  flags,
  holds,
  incidentActions,
  incidentNotes,
  incidents,
  movements,
  overrides,
  sales,
  scans,
  tickets,
} from '../../src/ledger/schema.ts'
import type { Desk } from '../world/desk.ts'

/** The state that belongs to the event and to no single box: the same at every box that has replicated every journal. */
export function stateOf({ id: self, deps }: Desk) {
  const { ledger, versions, tickets: all } = deps
  const { drizzle } = ledger.db
  const refOf = new Map(
    drizzle
      .select({ id: tickets.id, ref: tickets.ref })
      .from(tickets)
      .all()
      .map(({ id, ref }) => [id, ref]),
  )
  const sorted = <T>(rows: readonly T[]) => rows.map((row) => JSON.stringify(row)).sort()
  const without = <T extends { entry: number }>({ entry, ...row }: T) => row
  return {
    tickets: sorted(
      drizzle
        .select()
        .from(tickets)
        .all()
        .map(({ id, entry, sharedRef, ...row }) => {
          // The box that made a ticket has a version of it, which means no more than that nobody has changed it.
          const known = versions.of(id, self).get('revoked') ?? null
          const codes = drizzle
            .select()
            .from(credentials)
            .where(eq(credentials.ticket, id))
            .orderBy(asc(credentials.codeHash))
          const had = codes.all().map(({ codeHash, kind }) => `${kind} ${codeHash.toString('hex')}`)
          const seen = { seed: row.seed.toString('hex'), publicKey: row.publicKey.toString('hex') }
          return { ...row, ...seen, known, had }
        }),
    ),
    sum: [...refOf.values()].length,
    movements: sorted(
      drizzle
        .select()
        .from(movements)
        .all()
        .map(({ entry, surplus, ticket, ...row }) => ({ ...row, ref: refOf.get(ticket) })),
    ),
    order: [...refOf].map(([id, ref]) => [ref, all.movementsOf(id).map(({ scanId }) => scanId)]).sort(),
    scans: sorted(drizzle.select({ id: scans.scanId, passed: scans.passed }).from(scans).all()),
    overrides: sorted(drizzle.select().from(overrides).all().map(without)),
    incidents: sorted(drizzle.select().from(incidents).all().map(without)),
    actions: sorted(drizzle.select().from(incidentActions).all().map(without)),
    notes: sorted(drizzle.select().from(incidentNotes).all().map(without)),
    holds: sorted(drizzle.select().from(holds).all().map(without)),
    sales: sorted(drizzle.select().from(sales).all().map(without)),
    announcements: sorted(drizzle.select().from(announcements).all().map(without)),
    devices: sorted(drizzle.select().from(devices).all()),
    flags: sorted(
      drizzle
        .select()
        .from(flags)
        .all()
        .map(({ entry, device, scanIds, ...row }) => ({ ...row, scanIds: [...scanIds].sort() })),
    ),
  }
}
