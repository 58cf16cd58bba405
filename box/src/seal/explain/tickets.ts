/**
 * `tickets` and `credentials`. The digest of the last import, or of the last change by the shop's feed, is over what the shop says of
 * all tickets. What was done to a single ticket at the box, a revocation, a claim or a release, is an entry of its own.
 */
import { count, eq } from '../../drizzle/core.ts'
import { readValue } from '../../ledger/identity.ts'
import { noteHash } from '../../ledger/note-hash.ts'
import { credentials, type Ticket, tickets, ticketVersions } from '../../ledger/schema.ts'
import { matching } from '../../ledger/statements.ts'
import { CodeReader } from '../../tickets/codes.ts'
import { printedCodeOf } from '../../tickets/current.ts'
import { namesErased } from '../../tickets/erasure.ts'
import { TicketPages } from '../../tickets/ticket-pages.ts'
import { TicketSum } from '../../tickets/ticket-sum.ts'
import type { Fact, FactOf } from '../fact.ts'
import type { ExplainContext, Explainer } from './explainer.ts'

export class TicketExplainer implements Explainer {
  readonly #context: ExplainContext
  readonly #codes: CodeReader
  readonly #reads: ReturnType<typeof prepare>
  /** Over all tickets, as the last import or change has left them. */
  #digest: { index: number; value: string } | undefined
  /** By ref, the last revocation, or reinstatement without a reason. */
  readonly #revoked = new Map<string, { index: number; reason: string | null }>()
  /** By ref, claims and releases after which the ticket had another key than now: a later one has to explain that. */
  readonly #replaced = new Map<string, number>()
  /** By ref, the printed code of the last re-issue; and by group and ref, the hash of what the desk wrote last. */
  readonly #reissued = new Map<string, Explained>()
  readonly #written = { holder: new Map<string, Explained>(), note: new Map<string, Explained>() }
  /** Refs of tickets that were claimed here. */
  readonly #claimed = new Set<string>()
  /** Entries that brought tickets of other boxes, in whose journals is what was done to those before. */
  readonly #replicated = new Set<number>()
  /** By ticket, whether this box has made the last change; absent for a ticket that was never changed. */
  readonly #own: Record<ExplainedGroup, ReadonlyMap<number, boolean>>
  /** Names and notes were erased: their hashes stay in the journal. */
  #isErased = false

  constructor(context: ExplainContext) {
    const { drizzle } = context
    this.#context = context
    this.#codes = new CodeReader(readValue({ drizzle }, 'manifest_salt') ?? Buffer.alloc(0), Buffer.alloc(8))
    this.#reads = prepare(context)
    this.#own = ownChanges(drizzle)
  }

  add(fact: Fact): void {
    // A change that another box made to a ticket is replicated with the ticket's row.
    if (fact.box !== undefined) return
    const { index, kind, fields } = fact
    if (kind === 'ticket_reissued') this.#reissued.set(fields.ticket, { index, hash: fields.code })
    if (kind === 'ticket_edited') this.#written[fields.what].set(fields.ticket, { index, hash: fields.text_hash })
    if (kind === 'heard') this.#replicated.add(index)
    if (
      (kind === 'import' || kind === 'shop' || kind === 'heard' || kind === 'sale') &&
      typeof fields.tickets_digest === 'string'
    ) {
      this.#digest = { index, value: fields.tickets_digest }
    }
    if (kind === 'ticket_revoked') this.#revoked.set(fields.ticket, { index, reason: fields.reason })
    else if (kind === 'ticket_reinstated') this.#revoked.set(fields.ticket, { index, reason: null })
    else if (fact.kind === 'claim' || fact.kind === 'release' || fact.kind === 'ticket_reissued') this.#changeKey(fact)
  }

  finish(): void {
    this.#isErased = namesErased(this.#context)
    const sum = new TicketSum()
    const counts = { tickets: 0, claimed: 0, claims: 0 }
    for (const page of new TicketPages(this.#context).all()) {
      for (const ticket of page) {
        counts.tickets++
        if (this.#isOwn('claim', ticket)) {
          if (ticket.claimedAt !== null) counts.claimed++
          if (this.#claimed.has(ticket.ref)) counts.claims++
        } else this.#replaced.delete(ticket.ref)
        sum.add({ ...ticket, codeHash: this.#codes.hash(ticket.code) })
        if (this.#isOwn('revoked', ticket)) this.#compareRevocation(ticket)
        else this.#revoked.delete(ticket.ref)
        this.#compareDesk(ticket)
        this.#compareCredentials(ticket)
      }
    }
    this.#compareTotals(sum, counts)
    this.#countCredentials(counts.tickets)
  }

  #changeKey({ index, kind, fields }: FactOf<'claim' | 'release' | 'ticket_reissued'>): void {
    const { ticket: ref } = fields
    const code = fields.kind === 'ticket_reissued' ? fields.key : fields.code
    if (kind === 'claim') this.#claimed.add(ref)
    else this.#claimed.delete(ref)
    const row = this.#reads.keyOf.get({ ref })
    const same =
      row && (row.claimedAt !== null) === (kind === 'claim') && this.#codes.hash(row.publicKey).toString('hex') === code
    if (same) this.#replaced.delete(ref)
    else this.#replaced.set(ref, index)
  }

  #isOwn(group: ExplainedGroup, { id, entry }: Ticket): boolean {
    return this.#own[group].get(id) ?? !this.#replicated.has(entry)
  }

  #compareRevocation({ ref, revokedAt, revokedReason }: Ticket): void {
    const { problems } = this.#context
    const expected = this.#revoked.get(ref)
    this.#revoked.delete(ref)
    const reason = expected?.reason ?? null
    if (revokedAt !== null && reason === null) {
      problems.add('ticket_unexplained', expected?.index ?? null, `no entry explains why ticket ${ref} is revoked`)
    } else if ((revokedAt === null) !== (reason === null) || revokedReason !== reason) {
      problems.add('ticket_differs', expected?.index ?? null, `ticket ${ref}: revocation`)
    }
  }

  /** Checks the desk's texts against its own entries. Another box's desk is explained by that box's journal. */
  #compareDesk(ticket: Ticket): void {
    const { ref, deskCode, deskHolder, deskNote } = ticket
    if (this.#isOwn('reissue', ticket)) {
      const hash = deskCode === null ? null : this.#codes.hash(deskCode).toString('hex')
      this.#compareHash(ref, 'code', hash, this.#reissued.get(ref))
    }
    for (const [what, written] of [
      ['holder', deskHolder],
      ['note', deskNote],
    ] as const) {
      if (!this.#isOwn(what, ticket) || (written === null && (this.#isErased || ticket.forgottenAt !== null))) continue
      const hash = written && noteHash(written.text, Buffer.from(written.salt, 'hex'))
      this.#compareHash(ref, what, hash, this.#written[what].get(ref))
    }
  }

  #compareHash(ref: string, what: string, hash: string | null, explained: Explained | undefined): void {
    const { problems } = this.#context
    if (hash === (explained?.hash ?? null)) return
    if (explained) problems.add('ticket_differs', explained.index, `ticket ${ref}: ${what}`)
    else problems.add('ticket_unexplained', null, `no entry explains the desk's ${what} of ticket ${ref}`)
  }

  /** Only the printed code and the key open a ticket: any other credential would admit a stranger. */
  #compareCredentials({ publicKey, id, ref, ...ticket }: Ticket): void {
    for (const [kind, credential] of [
      ['static', printedCodeOf(ticket)],
      ['key', publicKey],
    ] as const) {
      const row = this.#reads.credential.values({ codeHash: this.#codes.hash(credential), ticket: id, kind })
      if (row.length === 0) this.#context.problems.add('credential_differs', null, `ticket ${ref}: ${kind}`)
    }
  }

  #compareTotals(sum: TicketSum, { tickets, claimed, claims }: { tickets: number; claimed: number; claims: number }) {
    const { problems } = this.#context
    for (const [ref, index] of this.#replaced) problems.add('ticket_differs', index, `ticket ${ref}: claim and key`)
    if (claimed !== claims) {
      problems.add('ticket_unexplained', null, `${claimed} tickets are claimed, and ${claims} by the journal`)
    }
    for (const [ref, { index, reason }] of this.#revoked) {
      if (reason !== null) problems.add('ticket_differs', index, `ticket ${ref} is not revoked, or not there`)
    }
    if (this.#digest ? sum.digest() === this.#digest.value : tickets === 0) return
    const detail = this.#digest ? 'the tickets are not those that this import left' : 'no import explains the tickets'
    problems.add('tickets_differ', this.#digest?.index ?? null, detail)
  }

  #countCredentials(many: number): void {
    const { drizzle, problems } = this.#context
    for (const kind of ['static', 'key'] as const) {
      const [rows] = drizzle.select({ rows: count() }).from(credentials).where(eq(credentials.kind, kind)).all()
      if (rows && rows.rows > many) {
        problems.add('credential_unexplained', null, `${rows.rows} credentials (${kind}) for ${many} tickets`)
      }
    }
  }
}

const EXPLAINED_GROUPS = ['revoked', 'claim', 'reissue', 'holder', 'note'] as const
type ExplainedGroup = (typeof EXPLAINED_GROUPS)[number]

interface Explained {
  index: number
  /** Hex; null for what was removed. */
  hash: string | null
}

function ownChanges(drizzle: ExplainContext['drizzle']): Record<ExplainedGroup, Map<number, boolean>> {
  const own = Object.fromEntries(EXPLAINED_GROUPS.map((group) => [group, new Map()])) as ReturnType<typeof ownChanges>
  for (const { ticket, group, box } of drizzle.select().from(ticketVersions).all()) {
    if (group !== 'shop' && group !== 'details' && group !== 'codes') own[group].set(ticket, box === null)
  }
  return own
}

function prepare({ drizzle }: ExplainContext) {
  return {
    keyOf: drizzle
      .select({ publicKey: tickets.publicKey, claimedAt: tickets.claimedAt })
      .from(tickets)
      .where(matching(tickets, 'ref'))
      .prepare(),
    credential: drizzle
      .select({ codeHash: credentials.codeHash })
      .from(credentials)
      .where(matching(credentials, 'codeHash', 'ticket', 'kind'))
      .prepare(),
  }
}
