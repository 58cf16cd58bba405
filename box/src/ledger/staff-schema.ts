/** Tables of those who sign in: persons, their sessions and passkeys, API tokens, and the admin token that counts. Times are unix ms; `entry` columns hold places in the journal. */
import type { StaffRole } from '@gatehouse/proto/operations.ts'
import { blob, index, integer, sqliteTable, text } from '../drizzle/sqlite.ts'

/**
 * Persons of the staff. The same at every box: of two changes the one with the later `hlc` counts. Somebody who was removed
 * stays removed.
 */
export const people = sqliteTable('people', {
  id: text('id').primaryKey(),
  /** The person types it to sign in, and journals name them by it. */
  name: text('name').notNull(),
  role: text('role').$type<StaffRole>().notNull(),
  /** PIN or password as a PHC string of argon2id, with a key that is in no ledger (`staff/secret.ts`); null for none. */
  secret: text('secret'),
  addedAt: integer('added_at').notNull(),
  removedAt: integer('removed_at'),
  hlc: text('hlc').notNull(),
  /** The entry that last changed it here. */
  entry: integer('entry').notNull(),
})
export type PersonRow = typeof people.$inferSelect

/** The longest session of a browser, and the longest time that somebody is signed on at a scanner: a long shift. */
export const SIGN_ON_MS = 16 * 3_600_000

/** Sessions of persons at this box. Another box knows only those at scanners: a page asks the box that it came from. Not part of the record. */
export const staffSessions = sqliteTable(
  'staff_sessions',
  {
    id: text('id').primaryKey(),
    /** SHA-256 of the bearer token. */
    tokenHash: blob('token_hash', { mode: 'buffer' }).notNull(),
    person: text('person').notNull(),
    /** The paired tablet that it was opened on, whose id is that of the session, or a scanner; null for a browser that is not paired. */
    device: text('device'),
    /** Name of the tablet. */
    deviceName: text('device_name'),
    /** Of the tablet: SubjectPublicKeyInfo in DER. Every request of the session is signed with its key; null for a browser that is not paired. */
    publicKey: blob('public_key', { mode: 'buffer' }),
    /** Id of the passkey that opened it, and with which it ends; null for another way in. */
    passkey: text('passkey'),
    address: text('address').notNull(),
    openedAt: integer('opened_at').notNull(),
    /** Written now and then: memory has it to the second. */
    usedAt: integer('used_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [index('staff_sessions_person').on(table.person)],
)
export type StaffSessionRow = typeof staffSessions.$inferSelect

/**
 * Passkeys of persons (WebAuthn). Added once, and removed for good; the same at every box but for the count of uses and the last use, which
 * each box has of its own.
 */
export const passkeys = sqliteTable('passkeys', {
  id: text('id').primaryKey(),
  person: text('person').notNull(),
  /** The person's own name for it; in no entry. */
  name: text('name').notNull(),
  /** Public name of the box for which it was made: its RP ID. */
  site: text('site').notNull(),
  /** Credential id, as the authenticator chose it. */
  credential: blob('credential', { mode: 'buffer' }).notNull(),
  /** COSE key (RFC 9052). */
  publicKey: blob('public_key', { mode: 'buffer' }).notNull(),
  transports: text('transports', { mode: 'json' }).$type<string[]>().notNull(),
  /** Highest count of uses that this box has seen; 0 for the many that do not count. */
  counter: integer('counter').notNull(),
  addedAt: integer('added_at').notNull(),
  removedAt: integer('removed_at'),
  lastUsedAt: integer('last_used_at'),
  lastAddress: text('last_address'),
  /** The entry that last changed it here. */
  entry: integer('entry').notNull(),
})
export type PasskeyRow = typeof passkeys.$inferSelect

/** Tokens of other programs. Made once, and revoked for good; the same at every box but for the last use, which each box has of its own. */
export const apiTokens = sqliteTable('api_tokens', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  role: text('role').$type<StaffRole>().notNull(),
  /** Operations to which it is limited; null for all of its role. */
  operations: text('operations', { mode: 'json' }).$type<string[]>(),
  /** SHA-256 of the token, which has 256 random bits. */
  tokenHash: blob('token_hash', { mode: 'buffer' }).notNull(),
  madeAt: integer('made_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  revokedAt: integer('revoked_at'),
  lastUsedAt: integer('last_used_at'),
  lastAddress: text('last_address'),
  /** The entry that last changed it here. */
  entry: integer('entry').notNull(),
})
export type ApiTokenRow = typeof apiTokens.$inferSelect

/** Each rotation of the admin token: the one with the latest `hlc` counts. Without a row, the file `admin-token` does. */
export const adminTokens = sqliteTable('admin_tokens', {
  /** SHA-256 of the token, hex. */
  hash: text('hash').primaryKey(),
  hlc: text('hlc').notNull(),
  entry: integer('entry').notNull(),
})
export type AdminTokenRow = typeof adminTokens.$inferSelect
