/** Tokens of other programs: named, limited by role and operation, expiring, shown once, and in memory for each request. */
import { createHash, randomBytes } from 'node:crypto'
import { grantOf, mayUse, type StaffRole } from '@gatehouse/proto/operations.ts'
import { type By, whoOf } from '../ca/actor.ts'
import { eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { factsIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type ApiTokenRow, apiTokens } from '../ledger/staff-schema.ts'

const MOST_TOKENS = 500
const WRITE_EVERY_MS = 60_000

export interface NewApiToken {
  name: string
  role: StaffRole
  /** Operations to which it is limited; undefined for all of its role but those that cannot be undone. */
  operations?: readonly string[] | undefined
  seconds: number
}

export class ApiTokens {
  readonly #ledger: Ledger
  readonly #now: () => number
  readonly #byHash = new Map<string, ApiTokenRow>()

  constructor({ ledger, now }: { ledger: Ledger; now: () => number }) {
    this.#ledger = ledger
    this.#now = now
    this.#load()
    ledger.subscribe('committed', (entries) => {
      if (factsIn(ledger, entries).some(({ kind }) => kind === 'api_token')) this.#load()
    })
  }

  list(): ApiTokenRow[] {
    return [...this.#byHash.values()].sort((a, b) => a.madeAt - b.madeAt)
  }

  /** True if the token with this id works now. */
  isOpen(id: string): boolean {
    const row = this.list().find((one) => one.id === id)
    return row !== undefined && row.revokedAt === null && row.expiresAt > this.#now()
  }

  /** @throws GatehouseError `bad_request` for an operation that there is not, or that the role may not use */
  async make(wanted: NewApiToken, by: By): Promise<{ row: ApiTokenRow; token: string }> {
    const { name, role, seconds } = wanted
    const operations = wanted.operations === undefined ? null : [...new Set(wanted.operations)].sort()
    const beyond = operations?.find((id) => !mayUse(role, id) || grantOf(id)?.role === 'self')
    if (beyond !== undefined)
      throw new GatehouseError(
        'bad_request',
        `The role ${role} has no such operation: take them from /v1/openapi.json.`,
      )
    const token = `ga_${randomBytes(32).toString('base64url')}`
    const tokenHash = createHash('sha256').update(token).digest()
    const madeAt = this.#now()
    const expiresAt = madeAt + seconds * 1000
    const id = `tok-${randomBytes(6).toString('hex')}`
    const row = await this.#ledger.commit(() => {
      if (this.list().length >= MOST_TOKENS)
        throw new GatehouseError('conflict', `The box keeps ${MOST_TOKENS} API tokens: it makes no more.`, {
          reason: 'tokens_many',
          values: { most: MOST_TOKENS },
        })
      const said = { action: 'made', token: id, name, role, operations, expires_at: iso(expiresAt) } as const
      const { index: entry } = this.#ledger.append('api_token', { ...whoOf(by), ...said })
      const unused = { revokedAt: null, lastUsedAt: null, lastAddress: null }
      const row = { id, name, role, operations, tokenHash, madeAt, expiresAt, ...unused, entry }
      this.#ledger.db.drizzle.insert(apiTokens).values(row).run()
      return row
    })
    return { row, token }
  }

  /** @throws GatehouseError `not_found` */
  revoke(id: string, by: By): Promise<ApiTokenRow> {
    return this.#ledger.commit(() => {
      const { drizzle } = this.#ledger.db
      const row = drizzle.select().from(apiTokens).where(eq(apiTokens.id, id)).get()
      if (!row)
        throw new GatehouseError('not_found', 'No API token has this id: take it from the list of tokens.', {
          reason: 'token_gone',
        })
      if (row.revokedAt !== null) return row
      const { name, role, operations, expiresAt } = row
      const said = { action: 'revoked', token: id, name, role, operations, expires_at: iso(expiresAt) } as const
      const { index: entry } = this.#ledger.append('api_token', { ...whoOf(by), ...said })
      const revoked = { revokedAt: this.#now(), entry }
      drizzle.update(apiTokens).set(revoked).where(eq(apiTokens.id, id)).run()
      return { ...row, ...revoked }
    })
  }

  /** Of a token that works now; counts as a use. */
  find(token: string, address: string): ApiTokenRow | undefined {
    const row = this.#byHash.get(createHash('sha256').update(token).digest('hex'))
    const at = this.#now()
    if (!row || row.revokedAt !== null || row.expiresAt <= at) return undefined
    const isStale = row.lastUsedAt === null || at - row.lastUsedAt > WRITE_EVERY_MS || row.lastAddress !== address
    const used = { lastUsedAt: at, lastAddress: address }
    Object.assign(row, used)
    if (isStale) {
      const update = () => this.#ledger.db.drizzle.update(apiTokens).set(used).where(eq(apiTokens.id, row.id)).run()
      this.#ledger.commit(update, { patient: true }).catch(() => undefined)
    }
    return row
  }

  #load(): void {
    for (const row of this.#ledger.db.drizzle.select().from(apiTokens).all()) {
      const hash = row.tokenHash.toString('hex')
      const before = this.#byHash.get(hash)
      this.#byHash.set(hash, { ...row, lastUsedAt: before?.lastUsedAt ?? row.lastUsedAt })
    }
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
