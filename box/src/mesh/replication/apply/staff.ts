/** Applies what another box did with persons, their passkeys, API tokens and the admin token: whoever may sign in at one box may at all, and whoever may not, nowhere. */
import { eq } from '../../../drizzle/core.ts'
import { adminTokens, apiTokens, type PersonRow, passkeys, people } from '../../../ledger/staff-schema.ts'
import { clearUses, noteUse } from '../../../ledger/token-uses.ts'
import { credentialDigest } from '../../../staff/passkeys/digest.ts'
import type { PeerEntry } from '../envelope.ts'
import type { ApplyContext } from './context.ts'

/** The later of two changes counts. A removal stays, whatever was changed elsewhere meanwhile. */
export function applyPerson({ fields, rows }: PeerEntry<'staff'>, { ledger, recordedBy: entry }: ApplyContext): void {
  const row = rows.person
  if (!row || row.id !== fields.about) return
  const { drizzle } = ledger.db
  const there = drizzle.select().from(people).where(eq(people.id, row.id)).get()
  if (!there) {
    drizzle
      .insert(people)
      .values({ ...row, entry })
      .run()
    return
  }
  const removals = [there.removedAt, row.removedAt].filter((at) => at !== null)
  const removedAt = removals.length > 0 ? Math.min(...removals) : null
  const { name, role, secret, hlc } = isLater(row, there) ? row : there
  drizzle.update(people).set({ name, role, secret, hlc, removedAt, entry }).where(eq(people.id, row.id)).run()
}

/** A token is made once, and its revocation is final: of two the earlier one counts. */
export function applyApiToken({ fields, rows }: PeerEntry<'api_token'>, context: ApplyContext): void {
  const row = rows.apiToken
  if (!row || row.id !== fields.token) return
  const { ledger, recordedBy: entry } = context
  const { drizzle } = ledger.db
  const there = drizzle.select().from(apiTokens).where(eq(apiTokens.id, row.id)).get()
  if (!there) {
    const tokenHash = Buffer.from(row.tokenHash, 'base64')
    drizzle
      .insert(apiTokens)
      .values({ ...row, tokenHash, lastUsedAt: null, lastAddress: null, entry })
      .run()
  } else if (row.revokedAt !== null && (there.revokedAt === null || row.revokedAt < there.revokedAt)) {
    drizzle.update(apiTokens).set({ revokedAt: row.revokedAt, entry }).where(eq(apiTokens.id, row.id)).run()
  }
}

/** Added once, and its removal is final: of two the earlier one counts. A row that is not the one of the entry would be another way in. */
export function applyPasskey({ fields, rows }: PeerEntry<'passkey'>, context: ApplyContext): void {
  const row = rows.passkey
  if (!row || row.id !== fields.passkey || row.person !== fields.of || row.site !== fields.site) return
  const credential = Buffer.from(row.credential, 'base64')
  const publicKey = Buffer.from(row.publicKey, 'base64')
  if (credentialDigest({ credential, publicKey }) !== fields.credential) return
  const { ledger, recordedBy: entry } = context
  const { drizzle } = ledger.db
  const there = drizzle.select().from(passkeys).where(eq(passkeys.id, row.id)).get()
  if (!there) {
    drizzle
      .insert(passkeys)
      .values({ ...row, credential, publicKey, lastUsedAt: null, lastAddress: null, entry })
      .run()
  } else if (row.removedAt !== null && (there.removedAt === null || row.removedAt < there.removedAt)) {
    drizzle.update(passkeys).set({ removedAt: row.removedAt, entry }).where(eq(passkeys.id, row.id)).run()
  }
}

/** The hash is in the entry: the token has 256 random bits, and no hash of it helps to guess one. */
export function applyAdminToken({ fields, hlc }: PeerEntry<'admin_token'>, context: ApplyContext): void {
  const { ledger, recordedBy: entry } = context
  if (fields.action === 'used') noteUse(ledger.db, { hlc, address: fields.address })
  if (fields.action === 'seen') clearUses(ledger.db)
  if (fields.action !== 'rotated' || fields.hash === null) return
  ledger.db.drizzle.insert(adminTokens).values({ hash: fields.hash, hlc, entry }).onConflictDoNothing().run()
}

type Version = Pick<PersonRow, 'hlc' | 'name' | 'role' | 'secret'>

/** At the same reading of two boxes' clocks, whichever has the greater text: all boxes choose the same. */
function isLater(a: Version, b: Version): boolean {
  if (a.hlc !== b.hlc) return a.hlc > b.hlc
  const text = ({ name, role, secret }: Version) => JSON.stringify([name, role, secret])
  return text(a) > text(b)
}
