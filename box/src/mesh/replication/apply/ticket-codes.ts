/** The codes and keys that a ticket has or had, as other boxes know them. They stay the ticket's own, whoever changed it last. */
import { eq } from '../../../drizzle/core.ts'
import { type CredentialKind, credentials, type Ticket } from '../../../ledger/schema.ts'
import { printedCodeOf } from '../../../tickets/current.ts'
import type { TicketRow } from '../ticket-row.ts'
import type { ApplyDeps } from './context.ts'

type Deps = Pick<ApplyDeps, 'ledger' | 'tickets' | 'codes'>

/**
 * Stores every code that the ticket has or had. Within a transaction.
 * @param earlier codes that it had, as the other box or this one knows them
 * @returns whether any of them is new here
 */
export function storeCodes(
  ticket: Pick<Ticket, 'id' | 'ref' | 'code' | 'deskCode' | 'publicKey'>,
  earlier: TicketRow['earlier'],
  { ledger, codes, tickets }: Deps,
): boolean {
  const { drizzle } = ledger.db
  const known = drizzle.select().from(credentials).where(eq(credentials.ticket, ticket.id)).all()
  const before = new Map(known.map(({ codeHash, kind }) => [codeHash.toString('base64'), kind]))
  const wanted = new Map<string, CredentialKind>(earlier.map(({ hash, kind }) => [hash, kind]))
  for (const [hash, kind] of before) wanted.set(hash, kind === 'static' || kind === 'replaced' ? 'replaced' : 'retired')
  wanted.set(codes.hash(ticket.code).toString('base64'), 'replaced')
  wanted.set(codes.hash(printedCodeOf(ticket)).toString('base64'), 'static')
  wanted.set(codes.hash(ticket.publicKey).toString('base64'), 'key')
  let isNew = false
  for (const [hash, kind] of wanted) {
    if (before.get(hash) === kind) continue
    const codeHash = Buffer.from(hash, 'base64')
    const other = tickets.credential(codeHash)
    // Two shops without knowledge of each other sold one code: every box assigns it to the same ticket.
    if (other && other.ticket !== ticket.id && (tickets.byId(other.ticket)?.ref ?? '') < ticket.ref) continue
    const row = { ticket: ticket.id, kind }
    drizzle
      .insert(credentials)
      .values({ codeHash, ...row })
      .onConflictDoUpdate({ target: credentials.codeHash, set: row })
      .run()
    isNew = true
  }
  return isNew
}

/** True if this box knows codes of the ticket that are not among those, base64. */
export function hasOtherCodes(ticket: number, known: ReadonlySet<string>, { ledger }: Pick<Deps, 'ledger'>): boolean {
  const rows = ledger.db.drizzle.select().from(credentials).where(eq(credentials.ticket, ticket)).all()
  return rows.some(({ codeHash }) => !known.has(codeHash.toString('base64')))
}
