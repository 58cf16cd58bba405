/**
 * A ticket as another box has it, merged with what is here. What the shop says, the revocation and the key are three things, each
 * as its last change left it (`tickets/versions.ts`). Codes and keys that a ticket once had stay known as its own, whoever was last.
 */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { eq } from '../../../drizzle/core.ts'
import { writeValue } from '../../../ledger/identity.ts'
import { type CredentialKind, credentials, type Ticket, tickets } from '../../../ledger/schema.ts'
import { namesForgotten } from '../../../tickets/forget.ts'
import { sumBefore, TICKET_SUM } from '../../../tickets/import-tickets.ts'
import { type SharedRefOf, sharedRefs } from '../../../tickets/shared-ref.ts'
import type { TicketSum } from '../../../tickets/ticket-sum.ts'
import {
  compareVersions,
  NEVER,
  type TicketGroup,
  type TicketVersions,
  type Version,
} from '../../../tickets/versions.ts'
import type { TicketRow } from '../rows.ts'
import type { ApplyDeps } from './hearing.ts'
import { placeWaiting } from './passages.ts'

const GROUPS = ['shop', 'revoked', 'claim'] as const satisfies readonly TicketGroup[]

type Fields = Omit<Ticket, 'id' | 'ref' | 'capability' | 'sharedRef' | 'entry'>

/** A ticket that no box of this event can have made: its name does not follow from its id by the key that the boxes share. */
export class ForeignTicketError extends Error {
  override readonly name = 'ForeignTicketError'
}

export interface HearTicketsDeps extends Pick<ApplyDeps, 'ledger' | 'tickets' | 'codes' | 'overrides'> {
  /** The id of this box. */
  self: string
}

/** Tickets of one page, in one transaction; the sum over all tickets is kept in step. */
export class HearTickets {
  /** Rights whose passages had waited for the ticket: whether they are a case is for the end of the page. */
  readonly placed: { ref: string; slot: string }[] = []
  readonly #deps: HearTicketsDeps
  readonly #heard: number
  readonly #versions: TicketVersions
  readonly #sharedRefOf: SharedRefOf
  readonly #forgotten: boolean
  /** Read when the first ticket changes. */
  #sum: TicketSum | undefined
  #changed = false

  /** @param heard index of the entry of this box that will explain it */
  constructor(deps: HearTicketsDeps, versions: TicketVersions, heard: number) {
    const { db } = deps.ledger
    this.#deps = deps
    this.#heard = heard
    this.#versions = versions
    this.#sharedRefOf = sharedRefs(db)
    // Once forgotten, a name does not come back: another box may not have heard of it yet.
    this.#forgotten = namesForgotten(db)
  }

  /** @throws ForeignTicketError */
  hear(row: TicketRow): void {
    const { tickets: all } = this.#deps
    if (all.refOf(row.capability) !== row.ref) throw new ForeignTicketError('a ticket of another event')
    const there = all.byRef(row.ref)
    if (there) this.#merge(there, row)
    else this.#insert(row)
  }

  /** Keeps the sum. @returns its digest; undefined where nothing of any ticket was new */
  finish(): string | undefined {
    if (!this.#changed) return undefined
    const sum = this.#sumNow()
    writeValue(this.#deps.ledger.db, TICKET_SUM, sum.bytes())
    return sum.digest()
  }

  #insert(row: TicketRow): void {
    const { tickets: all, codes } = this.#deps
    const { ref, capability, code, earlier } = row
    const fields = this.#fieldsOf(row)
    const { claimedAt, revokedAt, revokedReason } = fields
    const [codeHash, keyHash] = [codes.hash(code), codes.hash(fields.publicKey)]
    this.#sumNow().add({ ref, ...fields, codeHash })
    const isFree = !all.credential(codeHash) && !all.credential(keyHash)
    const id = all.insert({ ...fields, ref, capability, codeHash, keyHash }, this.#heard, { credentials: isFree })
    if (claimedAt !== null || revokedAt !== null) this.#set(id, { claimedAt, revokedAt, revokedReason })
    if (!isFree || earlier.length > 0) this.#keepCodes({ id, ref, ...fields }, earlier)
    for (const group of GROUPS) {
      const version = row.versions[group]
      if (version) this.#versions.heard(id, group, version, this.#heard)
    }
    this.#changed = true
    for (const slot of placeWaiting(ref, { ...this.#deps, heard: this.#heard })) this.placed.push({ ref, slot })
  }

  #merge(there: Ticket, row: TicketRow): void {
    const { codes, self } = this.#deps
    const { id, ref } = there
    this.#versions.remember(id)
    const known = this.#versions.of(id, self)
    const theirs = this.#fieldsOf(row)
    const after: Fields = { ...there }
    const taken: [TicketGroup, Version][] = []
    for (const group of GROUPS) {
      const version = row.versions[group] ?? NEVER
      const order = compareVersions(version, known.get(group) ?? NEVER)
      // Neither was ever changed, and yet they differ: two boxes have made the same ticket.
      const tied = order === 0 && version.hlc === ''
      if (order < 0 || (order === 0 && !tied)) continue
      const [ours, other] = [of(group, there), of(group, theirs)]
      if (tied && textOf(other) <= textOf(ours)) continue
      Object.assign(after, other)
      taken.push([group, version])
    }
    const had = (hash: Buffer, kind: 'retired' | 'replaced') => ({ hash: hash.toString('base64'), kind })
    const moreCodes = this.#keepCodes({ id, ref, ...after }, [
      ...row.earlier,
      ...[there, theirs].map(({ code }) => had(codes.hash(code), 'replaced')),
      ...[there, theirs].map(({ publicKey }) => had(codes.hash(publicKey), 'retired')),
    ])
    if (taken.length === 0 && !moreCodes) return

    this.#changed = true
    const told = new Set([...row.earlier.map(({ hash }) => hash), had(codes.hash(theirs.code), 'replaced').hash])
    told.add(had(codes.hash(theirs.publicKey), 'retired').hash)
    if (this.#codesOf(id).some(({ codeHash }) => !told.has(codeHash.toString('base64')))) {
      this.#versions.knowsMore(id, this.#heard)
    }
    for (const [group, version] of taken) {
      if (version.hlc !== '') this.#versions.heard(id, group, version, this.#heard)
    }
    const sharedRef = after.code === there.code ? there.sharedRef : this.#sharedRefOf(after.code)
    this.#set(id, { ...dataOf(after), sharedRef })
    if (!taken.some(([group]) => group === 'shop')) return
    const sum = this.#sumNow()
    sum.remove({ ...there, codeHash: codes.hash(there.code) })
    sum.add({ ...after, ref, codeHash: codes.hash(after.code) })
  }

  #set(id: number, fields: Partial<Ticket>): void {
    const set = { ...fields, entry: this.#heard }
    this.#deps.ledger.db.drizzle.update(tickets).set(set).where(eq(tickets.id, id)).run()
  }

  #sumNow(): TicketSum {
    this.#sum ??= sumBefore(this.#deps)
    return this.#sum
  }

  /** Every code that the ticket has or had, as its own. @returns whether any of it is new here */
  #keepCodes(ticket: Fields & Pick<Ticket, 'id' | 'ref'>, earlier: TicketRow['earlier']): boolean {
    const { ledger, codes, tickets: all } = this.#deps
    const { drizzle } = ledger.db
    const known = this.#codesOf(ticket.id)
    const before = new Map(known.map(({ codeHash, kind }) => [codeHash.toString('base64'), kind]))
    const wanted = new Map<string, CredentialKind>(earlier.map(({ hash, kind }) => [hash, kind]))
    for (const [hash, kind] of before)
      wanted.set(hash, kind === 'static' || kind === 'replaced' ? 'replaced' : 'retired')
    wanted.set(codes.hash(ticket.code).toString('base64'), 'static')
    wanted.set(codes.hash(ticket.publicKey).toString('base64'), 'key')
    let more = false
    for (const [hash, kind] of wanted) {
      if (before.get(hash) === kind) continue
      const codeHash = Buffer.from(hash, 'base64')
      const other = all.credential(codeHash)
      // Two tickets with one code, from shops that did not know of each other: every box gives it to the same one.
      if (other && other.ticket !== ticket.id && (all.byId(other.ticket)?.ref ?? '') < ticket.ref) continue
      const row = { ticket: ticket.id, kind }
      drizzle
        .insert(credentials)
        .values({ codeHash, ...row })
        .onConflictDoUpdate({ target: credentials.codeHash, set: row })
        .run()
      more = true
    }
    return more
  }

  #codesOf(ticket: number) {
    return this.#deps.ledger.db.drizzle.select().from(credentials).where(eq(credentials.ticket, ticket)).all()
  }

  #fieldsOf(row: TicketRow): Fields {
    const { ref, capability, earlier, versions, seed, publicKey, ...fields } = row
    const names = this.#forgotten && { holderName: null, email: null }
    return { ...fields, ...names, seed: Buffer.from(seed, 'base64'), publicKey: Buffer.from(publicKey, 'base64') }
  }
}

function dataOf(fields: Fields) {
  const { code, tier, seat, holderName, email, validFrom, validUntil, status, statusDetail } = fields
  const { revokedAt, revokedReason, seed, publicKey, claimedAt } = fields
  return {
    ...{ code, tier, seat, holderName, email, validFrom, validUntil, status, statusDetail },
    ...{ revokedAt, revokedReason, seed, publicKey, claimedAt },
  }
}

/** What of a ticket is one thing, and changes as one. */
function of(group: TicketGroup, fields: Fields): Partial<Fields> {
  const { revokedAt, revokedReason, seed, publicKey, claimedAt, ...shop } = dataOf(fields)
  switch (group) {
    case 'shop':
      return shop
    case 'revoked':
      return { revokedAt, revokedReason }
    case 'claim':
      return { seed, publicKey, claimedAt }
  }
}

function textOf(fields: Partial<Fields>): string {
  const { seed, publicKey, ...plain } = fields
  return canonicalJson({ ...plain, key: publicKey?.toString('hex') ?? null, seed: seed?.toString('hex') ?? null })
}
