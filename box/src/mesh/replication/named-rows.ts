/** Reads the rows that an entry names by its fields, such as the device of an enrolment, as they are now. */
import { and, sql } from '../../drizzle/core.ts'
import type { Db } from '../../ledger/db.ts'
import type { EntryFields, EntryWith } from '../../ledger/entries.ts'
import {
  announcements,
  answers,
  devices,
  flags,
  holds,
  incidentNotes,
  incidents,
  movements,
  overrides,
  tickets,
} from '../../ledger/schema.ts'
import { apiTokens, passkeys, people } from '../../ledger/staff-schema.ts'
import { matching } from '../../ledger/statements.ts'
import { prepareFind } from '../../rights/scans.ts'
import type { Rows } from './rows.ts'

export class NamedRows {
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: Pick<Db, 'drizzle'>) {
    this.#statements = prepare(db)
  }

  /** @returns undefined for an entry with which no row travels */
  of({ kind, fields, hlc }: EntryWith<'hlc' | 'kind' | 'fields'>): Rows | undefined {
    switch (kind) {
      case 'scan': {
        const { scan_id: scanId } = fields
        const scan = this.#statements.scan(scanId)
        const { passed = false, response = '' } = scan ?? {}
        return {
          ...(scan && { scan: { digest: base64(scan.digest), passed, response } }),
          ...this.#passage(fields, hlc),
        }
      }
      case 'supervisor_admit':
      case 'undo': {
        const { scan_id: scanId } = fields
        const found = this.#statements.override.get({ scanId, kind })
        if (!found) return undefined
        const { device, actor, reason, at, response } = found
        return { override: { device, actor, reason, at, response }, ...this.#passage(fields, hlc) }
      }
      case 'incident':
      case 'incident_action': {
        const found = this.#statements.incident.get({ id: fields.incident })
        if (!found) return undefined
        const { digest, noteSalt, state, assignee, version, entry, scans, refusals, idleSeconds, ...report } = found
        return { incident: { ...report, digest: base64(digest), noteSalt: noteSalt && base64(noteSalt) } }
      }
      case 'incident_note': {
        const { note = null, noteSalt: salt = null } = this.#statements.incidentNote.get({ id: fields.note }) ?? {}
        return note === null || salt === null ? undefined : { note: { note, salt: base64(salt) } }
      }
      case 'hold':
      case 'hold_released': {
        const replaces = fields.kind === 'hold' ? fields.replaces : null
        const rows = [fields.hold, replaces].flatMap((id) =>
          id === null ? [] : (this.#statements.hold.get({ id }) ?? []),
        )
        return { holds: rows.map(({ entry, ...row }) => row) }
      }
      case 'announcement': {
        const found = this.#statements.announcement.get({ id: fields.id })
        if (!found) return undefined
        const { entry, signature, replaces, withdrawn, ...row } = found
        // Absent in a plain one, as boxes of earlier versions send it.
        const corrects = { ...(replaces && { replaces }), ...(withdrawn && { withdrawn }) }
        return { announcement: { ...row, ...corrects, signature: base64(signature) } }
      }
      case 'answers': {
        const found = this.#statements.answers.get({ scanId: fields.scan_id })
        return found && { answers: { answers: found.answers } }
      }
      case 'enrolment':
      case 'device_revoked': {
        const found = this.#statements.device.get({ id: fields.device })
        if (!found) return undefined
        const { tokenHash, publicKey, app, ...row } = found
        const keys = { tokenHash: base64(tokenHash), publicKey: base64(publicKey) }
        return { device: { ...row, ...keys, ...(app !== null && { app }) } }
      }
      case 'staff': {
        const found = this.#statements.person.get({ id: fields.about })
        if (!found) return undefined
        const { entry, ...person } = found
        return { person }
      }
      case 'api_token': {
        const found = this.#statements.apiToken.get({ id: fields.token })
        if (!found) return undefined
        const { entry, lastUsedAt, lastAddress, tokenHash, ...row } = found
        return { apiToken: { ...row, tokenHash: base64(tokenHash) } }
      }
      case 'passkey': {
        const found = this.#statements.passkey.get({ id: fields.passkey })
        if (!found) return undefined
        const { entry, lastUsedAt, lastAddress, credential, publicKey, ...row } = found
        return { passkey: { ...row, credential: base64(credential), publicKey: base64(publicKey) } }
      }
      case 'flag_resolved': {
        const found = this.#statements.flag.get({ id: fields.flag })
        const { resolutionNote: note = null, resolutionSalt: salt = null } = found ?? {}
        return note === null || salt === null ? undefined : { note: { note, salt: base64(salt) } }
      }
      default:
        return undefined
    }
  }

  /** Undefined where nobody passed, where it was undone since, and where another box's admission on the same scan was earlier. */
  #passage(
    { ticket: ref, slot, scan_id: scanId }: EntryFields<'scan' | 'supervisor_admit' | 'undo'>,
    hlc: string,
  ): Pick<Rows, 'passage'> | undefined {
    if (ref === null || slot === null) return undefined
    const found = this.#statements.passage.get({ ref, slot, scanId, hlc })
    if (!found) return undefined
    const { at, from, to, occurrence, provisional } = found
    return { passage: { at, from, to, occurrence, provisional } }
  }
}

function prepare({ drizzle }: Pick<Db, 'drizzle'>) {
  return {
    scan: prepareFind({ drizzle }),
    passage: drizzle
      .select()
      .from(movements)
      .where(
        and(
          sql`${movements.ticket} = (SELECT ${tickets.id} FROM ${tickets} WHERE ${tickets.ref} = ${sql.placeholder('ref')})`,
          matching(movements, 'slot', 'scanId', 'hlc'),
        ),
      )
      .prepare(),
    override: drizzle
      .select()
      .from(overrides)
      .where(matching(overrides, 'scanId', 'kind'))
      .prepare(),
    incident: drizzle.select().from(incidents).where(matching(incidents, 'id')).prepare(),
    incidentNote: drizzle.select().from(incidentNotes).where(matching(incidentNotes, 'id')).prepare(),
    hold: drizzle.select().from(holds).where(matching(holds, 'id')).prepare(),
    announcement: drizzle.select().from(announcements).where(matching(announcements, 'id')).prepare(),
    answers: drizzle.select().from(answers).where(matching(answers, 'scanId')).prepare(),
    person: drizzle.select().from(people).where(matching(people, 'id')).prepare(),
    apiToken: drizzle.select().from(apiTokens).where(matching(apiTokens, 'id')).prepare(),
    passkey: drizzle.select().from(passkeys).where(matching(passkeys, 'id')).prepare(),
    device: drizzle.select().from(devices).where(matching(devices, 'id')).prepare(),
    flag: drizzle.select().from(flags).where(matching(flags, 'id')).prepare(),
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64')
}
