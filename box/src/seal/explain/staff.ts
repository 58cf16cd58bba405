/** `people`, `passkeys`, `api_tokens` and `admin_tokens`: who may sign in, and with what. A row that no entry explains is a way in that somebody has written into the file. */
import { createHash } from 'node:crypto'
import { adminTokens, apiTokens, passkeys, people } from '../../ledger/staff-schema.ts'
import { credentialDigest } from '../../staff/passkeys/digest.ts'
import { ExpectedRows, type ExplainContext, type Explainer, unixMs } from './explainer.ts'

/** Every entry says all of the person: the latest counts, and a removal for good. */
export function explainPeople({ drizzle, problems }: ExplainContext): Explainer {
  const table = new ExpectedRows('person', problems)
  const latest = new Map<string, string>()
  const removed = new Set<string>()
  return {
    add({ index, kind, fields, hlc }) {
      if (kind !== 'staff') return
      const { about, action, name, role, secret } = fields
      if (action === 'removed') removed.add(about)
      const before = table.get(about)
      const isNewer = hlc >= (latest.get(about) ?? '')
      if (isNewer) latest.set(about, hlc)
      const values = isNewer || !before ? { name, role, secret } : before
      table.set(about, index, { ...values, removed: removed.has(about) })
    },
    finish() {
      const rows = drizzle.select().from(people).all()
      table.compare(
        rows.map(({ id, name, role, secret, removedAt }) => {
          const values = { name, role, secret: secretDigest(secret), removed: removedAt !== null }
          return { key: id, index: null, values }
        }),
      )
    },
  }
}

export function explainApiTokens({ drizzle, problems }: ExplainContext): Explainer {
  const table = new ExpectedRows('api_token', problems)
  const revoked = new Set<string>()
  return {
    add({ index, kind, fields }) {
      if (kind !== 'api_token') return
      const { token, action, name, role, operations, expires_at } = fields
      if (action === 'revoked') revoked.add(token)
      const expiresAt = unixMs(expires_at)
      table.set(token, index, { name, role, operations, expiresAt, revoked: revoked.has(token) })
    },
    finish() {
      const rows = drizzle.select().from(apiTokens).all()
      table.compare(
        rows.map((row) => ({ key: row.id, index: null, values: { ...row, revoked: row.revokedAt !== null } })),
      )
    },
  }
}

/** With the digest of the key: a key in the place of another would open the box in somebody's name. */
export function explainPasskeys({ drizzle, problems }: ExplainContext): Explainer {
  const table = new ExpectedRows('passkey', problems)
  const removed = new Set<string>()
  return {
    add({ index, kind, fields }) {
      if (kind !== 'passkey') return
      const { passkey, action, of: person, site, credential } = fields
      if (action === 'removed') removed.add(passkey)
      table.set(passkey, index, { person, site, credential, removed: removed.has(passkey) })
    },
    finish() {
      const rows = drizzle.select().from(passkeys).all()
      table.compare(
        rows.map((row) => {
          const { id, person, site, removedAt } = row
          const values = { person, site, credential: credentialDigest(row), removed: removedAt !== null }
          return { key: id, index: null, values }
        }),
      )
    },
  }
}

export function explainAdminTokens({ drizzle, problems }: ExplainContext): Explainer {
  const table = new ExpectedRows('admin_token', problems)
  return {
    add({ index, kind, fields, hlc }) {
      if (kind === 'admin_token' && fields.hash !== null) table.set(fields.hash, index, { hlc })
    },
    finish() {
      const rows = drizzle.select().from(adminTokens).all()
      table.compare(rows.map((row) => ({ key: row.hash, index: null, values: row })))
    },
  }
}

function secretDigest(secret: string | null): string | null {
  return secret === null ? null : createHash('sha256').update(secret).digest('hex')
}
