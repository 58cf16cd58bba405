/**
 * Merges tickets as another box has them with those here: each group of fields is taken from its latest change, and all codes and
 * keys that a ticket ever had stay its own.
 */
import { eq } from '../../../drizzle/core.ts'
import { writeValue } from '../../../ledger/identity.ts'
import { type Ticket, tickets } from '../../../ledger/schema.ts'
import { printedCodeOf } from '../../../tickets/current.ts'
import { NO_DETAILS } from '../../../tickets/details.ts'
import { NOBODY_NOR_NOTES, namesErased } from '../../../tickets/erasure.ts'
import { eraseHolder } from '../../../tickets/forget-holder.ts'
import { type SharedRefOf, sharedRefs } from '../../../tickets/shared-ref.ts'
import { currentSum, TICKET_SUM } from '../../../tickets/staging/publish.ts'
import type { TicketSum } from '../../../tickets/ticket-sum.ts'
import type { TicketVersions } from '../../../tickets/versions.ts'
import type { TicketRow } from '../ticket-row.ts'
import type { ApplyDeps } from './context.ts'
import { placeWaiting } from './passages.ts'
import { hasOtherCodes, storeCodes } from './ticket-codes.ts'
import { fieldsOf, GROUPS, mergeGroups, type TicketFields } from './ticket-groups.ts'

/** No box of this event can have made the ticket: its ref does not follow from its id by the key that the boxes share. */
export class ForeignTicketError extends Error {
  override readonly name = 'ForeignTicketError'
}

export interface TicketMergeDeps extends Pick<ApplyDeps, 'ledger' | 'tickets' | 'codes' | 'overrides'> {
  /** The id of this box. */
  self: string
}

/** Merges the tickets of one batch, in one transaction, and updates the sum over all tickets. */
export class TicketMerge {
  /** Rights whose passages had waited for their ticket. Whether they are a double use is looked at after the batch. */
  readonly placed: { ref: string; slot: string }[] = []
  readonly #deps: TicketMergeDeps
  readonly #recordedBy: number
  readonly #versions: TicketVersions
  readonly #sharedRefOf: SharedRefOf
  readonly #isErased: boolean
  /** Read when the first ticket changes. */
  #sum: TicketSum | undefined
  #changed = false

  /** @param recordedBy index of the entry of this box that will record the batch */
  constructor(deps: TicketMergeDeps, versions: TicketVersions, recordedBy: number) {
    const { db } = deps.ledger
    this.#deps = deps
    this.#recordedBy = recordedBy
    this.#versions = versions
    this.#sharedRefOf = sharedRefs(db)
    // After an erasure no name comes back: another box may not have replicated the erasure yet.
    this.#isErased = namesErased(db)
  }

  /** @throws ForeignTicketError */
  merge(row: TicketRow): void {
    const { tickets: all } = this.#deps
    if (all.refOf(row.capability) !== row.ref) throw new ForeignTicketError('a ticket of another event')
    const known = all.byRef(row.ref)
    if (known) this.#update(known, row)
    else this.#insert(row)
  }

  /** Stores the sum. @returns its digest; undefined where no ticket has changed */
  finish(): string | undefined {
    if (!this.#changed) return undefined
    const sum = this.#currentSum()
    writeValue(this.#deps.ledger.db, TICKET_SUM, sum.bytes())
    return sum.digest()
  }

  #insert(row: TicketRow): void {
    const { tickets: all, codes } = this.#deps
    const { ref, capability, code, earlier } = row
    const fields = this.#fieldsOf(row)
    const { claimedAt, revokedAt, revokedReason, deskCode, deskLink, deskHolder, deskNote } = fields
    const [codeHash, keyHash] = [codes.hash(printedCodeOf(fields)), codes.hash(fields.publicKey)]
    this.#currentSum().add({ ref, ...fields, codeHash: codes.hash(code) })
    const isFree = !all.credential(codeHash) && !all.credential(keyHash)
    const id = all.insert({ ...fields, ref, capability, codeHash, keyHash }, this.#recordedBy, { credentials: isFree })
    const desk = { deskCode, deskLink, deskHolder, deskNote }
    const besides = { claimedAt, revokedAt, ...desk }
    if (Object.values(besides).some((value) => value !== null)) this.#set(id, { ...besides, revokedReason })
    if (row.forgottenAt !== undefined) this.#erase(id, row.forgottenAt)
    if (!isFree || earlier.length > 0) storeCodes({ id, ref, ...fields }, earlier, this.#deps)
    for (const group of GROUPS) {
      const version = row.versions[group]
      if (version) this.#versions.changedElsewhere(id, group, version, this.#recordedBy)
    }
    this.#changed = true
    for (const slot of placeWaiting(ref, { ...this.#deps, recordedBy: this.#recordedBy }))
      this.placed.push({ ref, slot })
  }

  #update(ours: Ticket, row: TicketRow): void {
    const { codes, self } = this.#deps
    const { id, ref } = ours
    this.#versions.remember(id)
    const known = this.#versions.of(id, self)
    // The first erasure of any box counts at all of them, and nothing that was written before or after it brings a name back.
    const forgottenAt = earliest(ours.forgottenAt, row.forgottenAt ?? null)
    const names = forgottenAt !== null && NOBODY_NOR_NOTES
    const theirs = { ...this.#fieldsOf(row), ...names }
    const { fields, taken } = mergeGroups(
      { fields: { ...ours, ...names }, version: (group) => known.get(group) },
      { fields: theirs, version: (group) => row.versions[group] },
    )
    const hashOf = (code: string | Buffer) => codes.hash(code).toString('base64')
    const hasNewCodes = storeCodes(
      { id, ref, ...fields },
      [
        ...row.earlier,
        ...[ours, theirs].flatMap(printedCodes).map((code) => ({ hash: hashOf(code), kind: 'replaced' as const })),
        ...[ours, theirs].map(({ publicKey }) => ({ hash: hashOf(publicKey), kind: 'retired' as const })),
      ],
      this.#deps,
    )
    if (taken.length === 0 && !hasNewCodes && forgottenAt === ours.forgottenAt) return

    this.#changed = true
    const theirCodes = [...printedCodes(theirs), theirs.publicKey].map(hashOf)
    const knownThere = new Set([...row.earlier.map(({ hash }) => hash), ...theirCodes])
    if (hasOtherCodes(id, knownThere, this.#deps)) this.#versions.keepOwnCodes(id, this.#recordedBy)
    for (const [group, version] of taken) {
      if (version.hlc !== '') this.#versions.changedElsewhere(id, group, version, this.#recordedBy)
    }
    const sharedRef = fields.code === ours.code ? ours.sharedRef : this.#sharedRefOf(fields.code)
    this.#set(id, { ...fieldsOf(fields), sharedRef })
    if (forgottenAt !== null && forgottenAt !== ours.forgottenAt) this.#erase(id, forgottenAt)
    if (!taken.some(([group]) => group === 'shop' || group === 'details')) return
    const sum = this.#currentSum()
    sum.remove({ ...ours, codeHash: codes.hash(ours.code) })
    sum.add({ ...fields, ref, codeHash: codes.hash(fields.code) })
  }

  /** Also what is beside the ticket: answers, rows of the shop, an import under way. @param at unix ms */
  #erase(id: number, at: number): void {
    eraseHolder(this.#deps.ledger.db, id, at, this.#recordedBy)
  }

  #set(id: number, fields: Partial<Ticket>): void {
    const set = { ...fields, entry: this.#recordedBy }
    this.#deps.ledger.db.drizzle.update(tickets).set(set).where(eq(tickets.id, id)).run()
  }

  #currentSum(): TicketSum {
    this.#sum ??= currentSum(this.#deps)
    return this.#sum
  }

  #fieldsOf(row: TicketRow): TicketFields {
    const { ref, capability, earlier, versions, seed, publicKey, desk = NO_DESK, ...rest } = row
    const { details = NO_DETAILS, forgottenAt, ...fields } = rest
    const names = (this.#isErased || forgottenAt !== undefined) && NOBODY_NOR_NOTES
    return {
      ...fields,
      ...desk,
      ...details,
      ...names,
      seed: Buffer.from(seed, 'base64'),
      publicKey: Buffer.from(publicKey, 'base64'),
    }
  }
}

const NO_DESK = { deskCode: null, deskLink: null, deskHolder: null, deskNote: null }

/** The shop's code, and the desk's where it has issued the ticket again. */
function printedCodes({ code, deskCode }: TicketFields): string[] {
  return deskCode === null ? [code] : [code, deskCode]
}

function earliest(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.min(one, other)
}
