/** Finds out who sends a request to the control room: by the admin token, by the session of a person, or by the token of a program. */
import { addressOf, type Principal } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { StaffAccess } from '../http/staff-auth.ts'
import type { PersonRow } from '../ledger/staff-schema.ts'
import type { AdminToken } from './admin-token.ts'
import type { ApiTokens } from './api-tokens.ts'
import type { Attempts } from './attempts.ts'
import type { People } from './people.ts'
import { MOST_SECRET, type Secrets } from './secret.ts'
import type { Sessions } from './sessions.ts'

export interface SignInDeps {
  people: People
  sessions: Sessions
  apiTokens: ApiTokens
  adminToken: AdminToken
  secrets: Secrets
  attempts: Attempts
}

const MOST_NAME = 80

export class SignIn implements StaffAccess {
  readonly #deps: SignInDeps

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  async principalOf(token: string, ip: string): Promise<Principal | undefined> {
    const { adminToken } = this.#deps
    if (adminToken.matches(token)) {
      // With a full disk, too, somebody has to get in.
      await adminToken.use(addressOf(ip)).catch(() => undefined)
      return { way: 'admin_token', role: 'admin' }
    }
    return this.#named(token, ip)
  }

  /** Counts as a use, because it is asked once a request has proved everything. */
  isStill(token: string, ip: string): boolean {
    if (this.#deps.adminToken.matches(token)) return true
    const found = this.#named(token, ip)
    if (found?.way === 'session' || found?.way === 'tablet') this.#deps.sessions.touch(found.via ?? '')
    return found !== undefined
  }

  /**
   * The same answer after the same time for an unknown name, a wrong PIN, and somebody who was removed.
   * @throws GatehouseError `rate_limited`
   */
  async byPassword(name: string, secret: string, ip: string): Promise<Principal | undefined> {
    const { people, attempts, secrets } = this.#deps
    if (name.length > MOST_NAME || secret.length > MOST_SECRET) return undefined
    const asker = attempts.begin(name, ip)
    const [first, ...others] = people.named(name)
    let found: PersonRow | undefined
    for (const person of [first, ...others])
      if (await secrets.matches(secret, person?.id ?? '', person?.secret ?? null, asker)) found ??= person
    // Removed, or given another PIN, while it was computed.
    if (!found || people.find(found.id)?.secret !== found.secret) return undefined
    attempts.succeeded(name, ip)
    return { way: 'session', role: found.role, name: found.name, person: found.id }
  }

  isConfirmed({ way, via = '', only }: Principal, operationId: string): boolean {
    if (way === 'session' || way === 'tablet') return this.#deps.sessions.isConfirmed(via)
    return way === 'admin_token' || (way === 'api_token' && only?.has(operationId) === true)
  }

  canConfirm({ person }: Principal): boolean {
    return person === undefined || this.#deps.people.find(person)?.secret !== null
  }

  /** Checks the PIN of somebody who is signed in. @throws GatehouseError `rate_limited`; `not_allowed` for a wrong one */
  async requireOwn(id: string, secret: string, ip: string): Promise<void> {
    const { people, attempts, secrets } = this.#deps
    const person = people.find(id)
    const asker = person && attempts.begin(person.name, ip)
    if (!asker || !(await secrets.matches(secret, id, person.secret, asker)))
      throw new GatehouseError('not_allowed', 'This is not your PIN or password: try again.', {
        reason: 'own_secret_wrong',
      })
    attempts.succeeded(person.name, ip)
  }

  /** Names the credential of whoever sent a request, for what goes on after it: a stream. */
  keyOf(staff: Principal | undefined): string {
    return staff?.via ?? this.#deps.adminToken.key
  }

  /** True if the credential of a key works now; counts as a use. */
  isOpen(key: string): boolean {
    const { adminToken, sessions, apiTokens } = this.#deps
    return key === adminToken.key || sessions.touch(key) || apiTokens.isOpen(key)
  }

  #named(token: string, ip: string): Principal | undefined {
    const { sessions, apiTokens } = this.#deps
    const found = sessions.find(token)
    if (found) {
      const { session, person } = found
      const { key } = session
      const way = key ? { way: 'tablet' as const, key } : { way: 'session' as const }
      return { ...way, role: person.role, name: person.name, person: person.id, via: session.id }
    }
    const row = apiTokens.find(token, addressOf(ip))
    if (!row) return undefined
    const only = row.operations === null ? {} : { only: new Set(row.operations) }
    return { way: 'api_token', role: row.role, name: row.name, via: row.id, ...only }
  }
}
