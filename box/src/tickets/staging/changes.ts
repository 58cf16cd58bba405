/**
 * An import's changes in tickets that are there: each with its fields, before and after. A ticket that was used or revoked keeps its
 * tier unless the importer says otherwise: another tier may give it a right to enter that nobody has looked at.
 */
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { Ticket } from '../../ledger/schema.ts'
import { DETAIL_COLUMNS } from '../statements.ts'
import type { TicketFields, Tickets } from '../tickets.ts'

type TicketChange = NonNullable<ImportReport['changes']>[number]
type ChangedField = TicketChange['fields'][number]

/** Tickets of each kind that a report lists at most: those whose tier is in question, and the others. */
export const MOST_LISTED = 100

export interface ChangesOptions {
  /** For tickets that were used or are revoked; `keep` when absent. */
  usedTiers?: 'keep' | 'change' | undefined
}

export class Changes {
  readonly #tickets: Pick<Tickets, 'movementsOf'>
  readonly #isKept: boolean
  readonly #asked: TicketChange[] = []
  readonly #others: TicketChange[] = []
  #kept = 0

  constructor(tickets: Pick<Tickets, 'movementsOf'>, { usedTiers = 'keep' }: ChangesOptions) {
    this.#tickets = tickets
    this.#isKept = usedTiers === 'keep'
  }

  /**
   * Notes how a row of the file differs from its ticket.
   * @returns the fields to write; undefined where nothing changes
   */
  take(row: number, there: Ticket, fields: TicketFields): TicketFields | undefined {
    const differing = namesOf(fields).filter((name) => there[name] !== fields[name])
    if (differing.length === 0) return undefined
    const state = differing.includes('tier') ? this.#stateOf(there) : 'unused'
    const kept = state !== 'unused' && this.#isKept
    if (kept) this.#kept++
    const list = state === 'unused' ? this.#others : this.#asked
    if (list.length < MOST_LISTED) {
      list.push({ row, ref: there.ref, state, tier_kept: kept, fields: changedFields(differing, there, fields) })
    }
    if (!kept) return fields
    return differing.length > 1 ? { ...fields, tier: there.tier } : undefined
  }

  /** Nothing where nothing changes. */
  report(): Pick<ImportReport, 'changes' | 'tiers_kept'> {
    const changes = [...this.#asked, ...this.#others]
    return { ...(changes.length > 0 && { changes }), ...(this.#kept > 0 && { tiers_kept: this.#kept }) }
  }

  #stateOf({ id, status, revokedAt }: Ticket): TicketChange['state'] {
    if (status === 'revoked' || revokedAt !== null) return 'revoked'
    return [...this.#tickets.movementsOf(id)].length > 0 ? 'used' : 'unused'
  }
}

function namesOf(fields: TicketFields): (keyof TicketFields)[] {
  return Object.keys(fields) as (keyof TicketFields)[]
}

/** With the values where they say nothing of a person. Details of an order are one field. */
function changedFields(names: readonly (keyof TicketFields)[], there: Ticket, fields: TicketFields): ChangedField[] {
  const changed = new Map<ChangedField['field'], ChangedField>()
  for (const name of names) {
    // It follows from the status.
    if (name === 'statusDetail' && names.includes('status')) continue
    const field = FIELDS[name] ?? 'details'
    const [from, to] = isDetail(name) ? [null, null] : [textIn(name, there), textIn(name, fields)]
    changed.set(field, { field, from, to })
  }
  return [...changed.values()]
}

const FIELDS: Partial<Record<keyof TicketFields, ChangedField['field']>> = {
  ...{ tier: 'tier', status: 'status', statusDetail: 'status_detail', seat: 'seat' },
  ...{ holderName: 'holder_name', email: 'email', validFrom: 'valid_from', validUntil: 'valid_until' },
}

function isDetail(name: keyof TicketFields): boolean {
  return (DETAIL_COLUMNS as readonly string[]).includes(name)
}

function textIn(name: keyof TicketFields, of: TicketFields): string | null {
  const value = of[name]
  if (value === null || name === 'holderName' || name === 'email') return null
  return typeof value === 'number' ? new Date(value).toISOString() : value
}
