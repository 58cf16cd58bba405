/**
 * `tickets` and `credentials`. What the shop says of all tickets together is in the digest of the
 * last import, or of the last change that its feed brought; what was done to
 * one of them at the box, a revocation, a claim, a release, is an entry of its own.
 */
import { and, asc, count, eq, gt, sql } from '../../drizzle/core.ts'
import { readValue } from '../../ledger/identity.ts'
import { credentials, type Ticket, tickets, ticketVersions } from '../../ledger/schema.ts'
import { CodeReader } from '../../tickets/codes.ts'
import { TicketSum } from '../../tickets/ticket-sum.ts'
import type { ExplainContext, Explainer, Fact } from './explainer.ts'

const PAGE = 1000

export function explainTickets({ drizzle, problems }: ExplainContext): Explainer {
  const codes = new CodeReader(readValue({ drizzle }, 'manifest_salt') ?? Buffer.alloc(0), Buffer.alloc(8))
  const find = drizzle
    .select({ publicKey: tickets.publicKey, claimedAt: tickets.claimedAt })
    .from(tickets)
    .where(eq(tickets.ref, sql.placeholder('ref')))
    .prepare()
  let digest: { index: number; value: string } | undefined
  const revoked = new Map<string, { index: number; reason: string | null }>()
  /** Claims and releases that left another key than the ticket has: a later one has to explain that. */
  const replaced = new Map<string, number>()
  /** Refs of tickets that a phone has, by what was done here. */
  const claimed = new Set<string>()
  /** Entries by which tickets of other boxes came: what was done to them before is in those boxes' journals. */
  const heard = new Set<number>()
  const others = changedElsewhere(drizzle)

  function fact({ index, kind, said, box }: Fact): void {
    // What another box did to a ticket comes with the ticket, as it stands there, and not with the word of it.
    if (box !== undefined) return
    if (kind === 'heard') heard.add(index)
    if ((kind === 'import' || kind === 'shop' || kind === 'heard') && typeof said.tickets_digest === 'string') {
      digest = { index, value: said.tickets_digest }
    }
    const { ticket, reason, code } = said as { ticket: string; reason: string; code: string }
    if (kind === 'ticket_revoked') revoked.set(ticket, { index, reason })
    else if (kind === 'ticket_reinstated') revoked.set(ticket, { index, reason: null })
    else if (kind === 'claim' || kind === 'release') {
      if (kind === 'claim') claimed.add(ticket)
      else claimed.delete(ticket)
      const row = find.get({ ref: ticket })
      const same =
        row && (row.claimedAt !== null) === (kind === 'claim') && codes.hash(row.publicKey).toString('hex') === code
      if (same) replaced.delete(ticket)
      else replaced.set(ticket, index)
    }
  }

  function end(): void {
    const sum = new TicketSum()
    const rows = { tickets: 0, claimed: 0, claims: 0 }
    for (const row of allTickets(drizzle)) {
      rows.tickets++
      const isHere = (group: 'revoked' | 'claim') => others[group].get(row.id) ?? !heard.has(row.entry)
      if (isHere('claim')) {
        if (row.claimedAt !== null) rows.claimed++
        if (claimed.has(row.ref)) rows.claims++
      } else replaced.delete(row.ref)
      sum.add({ ...row, codeHash: codes.hash(row.code) })
      if (isHere('revoked')) compareRevocation(row)
      else revoked.delete(row.ref)
      compareCredentials(row)
    }
    for (const [ref, index] of replaced) problems.add('ticket_differs', index, `ticket ${ref}: claim and key`)
    if (rows.claimed !== rows.claims) {
      problems.add('ticket_unexplained', null, `${rows.claimed} tickets are claimed, and ${rows.claims} by the journal`)
    }
    for (const [ref, { index, reason }] of revoked) {
      if (reason !== null) problems.add('ticket_differs', index, `ticket ${ref} is not revoked, or not there`)
    }
    if (digest ? sum.digest() !== digest.value : rows.tickets > 0) {
      const detail = digest ? 'the tickets are not those that this import left' : 'no import explains the tickets'
      problems.add('tickets_differ', digest?.index ?? null, detail)
    }
    countCredentials(rows.tickets)
  }

  function compareRevocation({ ref, revokedAt, revokedReason }: Ticket): void {
    const expected = revoked.get(ref)
    revoked.delete(ref)
    const reason = expected?.reason ?? null
    if (revokedAt !== null && reason === null) {
      problems.add('ticket_unexplained', expected?.index ?? null, `no entry explains why ticket ${ref} is revoked`)
    } else if ((revokedAt === null) !== (reason === null) || revokedReason !== reason) {
      problems.add('ticket_differs', expected?.index ?? null, `ticket ${ref}: revocation`)
    }
  }

  const opens = drizzle
    .select({ codeHash: credentials.codeHash })
    .from(credentials)
    .where(
      and(
        eq(credentials.codeHash, sql.placeholder('codeHash')),
        eq(credentials.ticket, sql.placeholder('ticket')),
        eq(credentials.kind, sql.placeholder('kind')),
      ),
    )
    .prepare()

  /** A ticket is opened by its printed code and its key; whatever else opened it would let a stranger in. */
  function compareCredentials({ id, ref, code, publicKey }: Ticket): void {
    for (const [kind, credential] of [
      ['static', code],
      ['key', publicKey],
    ] as const) {
      const row = opens.values({ codeHash: codes.hash(credential), ticket: id, kind })
      if (row.length === 0) problems.add('credential_differs', null, `ticket ${ref}: ${kind}`)
    }
  }

  function countCredentials(many: number): void {
    for (const kind of ['static', 'key'] as const) {
      const [rows] = drizzle.select({ rows: count() }).from(credentials).where(eq(credentials.kind, kind)).all()
      if (rows && rows.rows > many) {
        problems.add('credential_unexplained', null, `${rows.rows} credentials (${kind}) for ${many} tickets`)
      }
    }
  }

  return { fact, end }
}

/** Whether the last change of a ticket was this box's, where several boxes may change it; by the ticket's id. */
function changedElsewhere(drizzle: ExplainContext['drizzle']): Record<'revoked' | 'claim', Map<number, boolean>> {
  const own = { revoked: new Map<number, boolean>(), claim: new Map<number, boolean>() }
  for (const { ticket, group, box } of drizzle.select().from(ticketVersions).all()) {
    if (group === 'revoked' || group === 'claim') own[group].set(ticket, box === null)
  }
  return own
}

function* allTickets(drizzle: ExplainContext['drizzle']): Generator<Ticket> {
  const page = drizzle
    .select()
    .from(tickets)
    .where(gt(tickets.id, sql.placeholder('after')))
    .orderBy(asc(tickets.id))
    .limit(PAGE)
    .prepare()
  for (let after = 0; ; ) {
    const rows = page.all({ after })
    const last = rows.at(-1)
    if (!last) return
    yield* rows
    after = last.id
  }
}
