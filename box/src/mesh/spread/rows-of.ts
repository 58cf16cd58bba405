/**
 * Reads what travels with an entry of this box: found by what the entry names, as it stands now. What has changed since is with a
 * later entry too, and comes to the same.
 *
 * Tickets are with the entry that changed them last, this box's part in them included: whoever hears the whole journal has
 * every ticket that this box has made or changed. Where that entry says that another box was heard, tickets in which this box
 * has no part stay at home: the others have them from there.
 */

import type { Db } from '../../db.ts'
import { and, asc, eq, gt, lte, sql } from '../../drizzle/core.ts'
import type { IncidentActionEntry } from '../../incidents/entry.ts'
import type { Entry } from '../../ledger/ledger.ts'
import {
  announcements,
  credentials,
  devices,
  flags,
  holds,
  incidents,
  movements,
  overrides,
  scans,
  type Ticket,
  tickets,
} from '../../ledger/schema.ts'
import { TicketVersions } from '../../tickets/versions.ts'
import type { Rows, TicketRow } from './rows.ts'

/** Tickets read at a time, and how much of them goes in one page. */
const TICKETS = 250
const TICKET_BYTES = 256 * 1024

const WITH_TICKETS: ReadonlySet<string> = new Set([
  ...['import', 'shop', 'claim', 'release', 'ticket_revoked', 'ticket_reinstated', 'heard'],
])

export interface RowsFound {
  rows: Rows | undefined
  /** There are more tickets, after this one. */
  more: number | undefined
}

/** Entries of this box: those after `from`, up to `upTo`. */
interface Stretch {
  from: number
  upTo: number
}

export class RowsOf {
  readonly #self: string
  readonly #versions: TicketVersions
  readonly #statements: ReturnType<typeof prepare>

  /** @param self the id of this box */
  constructor(db: Pick<Db, 'drizzle'>, self: string) {
    this.#self = self
    this.#versions = new TicketVersions(db)
    this.#statements = prepare(db)
  }

  /** @param after tickets after this one, of an entry with more of them than go in one page */
  of(entry: Omit<Entry, 'bytes'>, after = 0): RowsFound {
    if (WITH_TICKETS.has(entry.kind)) {
      const { index, kind } = entry
      return this.#ticketsIn(this.#statements.changedBy.all({ entry: index, after }), { ownOnly: kind === 'heard' })
    }
    const rows = this.#named(entry)
    return { rows: rows && Object.keys(rows).length > 0 ? rows : undefined, more: undefined }
  }

  /**
   * What travels with an entry of another box, as it stands here.
   * @param here the entries of this box, after the one and up to the other, that brought it
   */
  heard(entry: Omit<Entry, 'bytes'>, here: Stretch, after = 0): RowsFound {
    if (WITH_TICKETS.has(entry.kind) && entry.kind !== 'heard') {
      return this.#ticketsIn(this.#statements.changedIn.all({ ...here, after }), { ownOnly: false })
    }
    const rows = this.#named(entry)
    return { rows: rows && Object.keys(rows).length > 0 ? rows : undefined, more: undefined }
  }

  #ticketsIn(page: readonly Ticket[], { ownOnly }: { ownOnly: boolean }): RowsFound {
    const rows: TicketRow[] = []
    let more = page.length === TICKETS ? page.at(-1)?.id : undefined
    let bytes = 0
    for (const ticket of page) {
      if (ownOnly && !this.#versions.hasOwn(ticket.id)) continue
      const row = this.#ticketRow(ticket)
      rows.push(row)
      bytes += JSON.stringify(row).length
      if (bytes < TICKET_BYTES || ticket === page.at(-1)) continue
      more = ticket.id
      break
    }
    return { rows: rows.length === 0 ? undefined : { tickets: rows }, more }
  }

  #ticketRow(ticket: Ticket): TicketRow {
    const { ref, capability, code, tier, seat, holderName, email, validFrom, validUntil, status, statusDetail } = ticket
    const { revokedAt, revokedReason, claimedAt, seed, publicKey, id } = ticket
    return {
      ...{ ref, capability, code, tier, seat, holderName, email, validFrom, validUntil, status, statusDetail },
      ...{ revokedAt, revokedReason, claimedAt, seed: base64(seed), publicKey: base64(publicKey) },
      earlier: this.#statements.credentialsOf
        .all({ id })
        .flatMap(({ codeHash, kind }) =>
          kind === 'retired' || kind === 'replaced' ? [{ hash: base64(codeHash), kind }] : [],
        ),
      versions: Object.fromEntries(this.#versions.of(id, this.#self)),
    }
  }

  #named({ kind, fields, hlc }: Omit<Entry, 'bytes'>): Rows | undefined {
    switch (kind) {
      case 'scan': {
        const { scan_id: scanId } = fields as { scan_id: string }
        const scan = this.#statements.scan.get({ scanId })
        const { passed = false, response = '' } = scan ?? {}
        return {
          ...(scan && { scan: { digest: base64(scan.digest), passed, response } }),
          ...this.#passage(fields, hlc),
        }
      }
      case 'supervisor_admit':
      case 'undo': {
        const { scan_id: scanId } = fields as { scan_id: string }
        const found = this.#statements.override.get({ scanId, kind })
        if (!found) return undefined
        const { device, actor, reason, at, response } = found
        return { override: { device, actor, reason, at, response }, ...this.#passage(fields, hlc) }
      }
      case 'incident':
      case 'incident_action': {
        const found = this.#statements.incident.get({ id: (fields as IncidentActionEntry).incident })
        if (!found) return undefined
        const { digest, noteSalt, state, assignee, version, entry, ...report } = found
        return { incident: { ...report, digest: base64(digest), noteSalt: noteSalt && base64(noteSalt) } }
      }
      case 'hold':
      case 'hold_released': {
        const { hold, replaces = null } = fields as { hold: string; replaces?: string | null }
        const rows = [hold, replaces].flatMap((id) => (id === null ? [] : (this.#statements.hold.get({ id }) ?? [])))
        return { holds: rows.map(({ entry, ...row }) => row) }
      }
      case 'announcement': {
        const found = this.#statements.announcement.get({ id: (fields as { id: string }).id })
        if (!found) return undefined
        const { entry, signature, ...row } = found
        return { announcement: { ...row, signature: base64(signature) } }
      }
      case 'enrolment':
      case 'device_revoked': {
        const found = this.#statements.device.get({ id: (fields as { device: string }).device })
        if (!found) return undefined
        const { tokenHash, publicKey, ...row } = found
        return { device: { ...row, tokenHash: base64(tokenHash), publicKey: base64(publicKey) } }
      }
      case 'flag_resolved': {
        const found = this.#statements.flag.get({ id: (fields as { flag: string }).flag })
        const { resolutionNote: note = null, resolutionSalt: salt = null } = found ?? {}
        return note === null || salt === null ? undefined : { note: { note, salt: base64(salt) } }
      }
      default:
        return undefined
    }
  }

  /** Undefined where nobody passed, or it was taken back since; or another box's admission on the same scan was earlier. */
  #passage(fields: unknown, hlc: string): Pick<Rows, 'passage'> | undefined {
    const {
      ticket: ref,
      slot,
      scan_id: scanId,
    } = fields as { ticket: string | null; slot: string | null; scan_id: string }
    if (ref === null || slot === null) return undefined
    const found = this.#statements.passage.get({ ref, slot, scanId, hlc })
    if (!found) return undefined
    const { at, from, to, occurrence, provisional } = found
    return { passage: { at, from, to, occurrence, provisional } }
  }
}

function prepare({ drizzle }: Pick<Db, 'drizzle'>) {
  const { placeholder } = sql
  return {
    changedBy: drizzle
      .select()
      .from(tickets)
      .where(and(eq(tickets.entry, placeholder('entry')), gt(tickets.id, placeholder('after'))))
      .orderBy(asc(tickets.id))
      .limit(TICKETS)
      .prepare(),
    // Asked of somebody else's journal alone: it may have to sort.
    changedIn: drizzle
      .select()
      .from(tickets)
      .where(
        and(
          gt(tickets.entry, placeholder('from')),
          lte(tickets.entry, placeholder('upTo')),
          gt(tickets.id, placeholder('after')),
        ),
      )
      .orderBy(asc(tickets.id))
      .limit(TICKETS)
      .prepare(),
    credentialsOf: drizzle
      .select()
      .from(credentials)
      .where(eq(credentials.ticket, placeholder('id')))
      .prepare(),
    scan: drizzle
      .select()
      .from(scans)
      .where(eq(scans.scanId, placeholder('scanId')))
      .prepare(),
    passage: drizzle
      .select()
      .from(movements)
      .where(
        and(
          sql`${movements.ticket} = (SELECT ${tickets.id} FROM ${tickets} WHERE ${tickets.ref} = ${placeholder('ref')})`,
          eq(movements.slot, placeholder('slot')),
          eq(movements.scanId, placeholder('scanId')),
          eq(movements.hlc, placeholder('hlc')),
        ),
      )
      .prepare(),
    override: drizzle
      .select()
      .from(overrides)
      .where(and(eq(overrides.scanId, placeholder('scanId')), eq(overrides.kind, placeholder('kind'))))
      .prepare(),
    incident: drizzle
      .select()
      .from(incidents)
      .where(eq(incidents.id, placeholder('id')))
      .prepare(),
    hold: drizzle
      .select()
      .from(holds)
      .where(eq(holds.id, placeholder('id')))
      .prepare(),
    announcement: drizzle
      .select()
      .from(announcements)
      .where(eq(announcements.id, placeholder('id')))
      .prepare(),
    device: drizzle
      .select()
      .from(devices)
      .where(eq(devices.id, placeholder('id')))
      .prepare(),
    flag: drizzle
      .select()
      .from(flags)
      .where(eq(flags.id, placeholder('id')))
      .prepare(),
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64')
}
