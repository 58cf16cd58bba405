/** Passkeys of persons: added once, removed for good, and in memory for each sign-in. */
import { randomBytes } from 'node:crypto'
import { type By, whoOf } from '../../ca/actor.ts'
import { eq } from '../../drizzle/core.ts'
import { GatehouseError } from '../../errors.ts'
import { factsIn } from '../../ledger/facts.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type PasskeyRow, type PersonRow, passkeys } from '../../ledger/staff-schema.ts'
import { Subscribers } from '../../subscribers.ts'
import { credentialDigest } from './digest.ts'
import { hasGoneBack, type MadeCredential } from './webauthn.ts'

/** With those that were removed: whoever may sign in may add some, and must not fill the journal. */
const MOST_OF_ONE = 30
/** Refusals of one passkey within this time are one entry. */
const ONE_REFUSAL_MS = 10 * 60_000

export interface NewPasskey extends MadeCredential {
  readonly name: string
  readonly site: string
  readonly transports: string[]
}

export class Passkeys {
  readonly #ledger: Ledger
  readonly #now: () => number
  #byId = new Map<string, PasskeyRow>()
  /** Ids, by site and credential. */
  #byCredential = new Map<string, string>()
  readonly #onRemoved = new Subscribers<[string]>()
  /** When each was last refused. */
  readonly #refusedAt = new Map<string, number>()

  constructor({ ledger, now }: { ledger: Ledger; now: () => number }) {
    this.#ledger = ledger
    this.#now = now
    this.#load()
    ledger.subscribe('committed', (entries) => {
      if (factsIn(ledger, entries).some(({ kind }) => kind === 'passkey')) this.#load()
    })
  }

  /** Those that have not been removed, oldest first. @param person of everybody without it */
  list(person?: string): PasskeyRow[] {
    const open = [...this.#byId.values()].filter(({ removedAt }) => removedAt === null)
    return open.filter((row) => person === undefined || row.person === person).sort((a, b) => a.addedAt - b.addedAt)
  }

  /** Undefined for one that was removed. @param credential base64url */
  find(credential: string, site: string): PasskeyRow | undefined {
    const id = this.#byCredential.get(keyOf(site, Buffer.from(credential, 'base64url')))
    const row = id === undefined ? undefined : this.#byId.get(id)
    return row?.removedAt === null ? row : undefined
  }

  isOpen(id: string): boolean {
    return this.#byId.get(id)?.removedAt === null
  }

  /** Called with the id of each that is removed, whichever process or box did it; at once with those that were removed before. */
  onRemoved(listener: (id: string) => void): void {
    for (const { id, removedAt } of this.#byId.values()) if (removedAt !== null) listener(id)
    this.#onRemoved.add(listener)
  }

  /** @throws GatehouseError `conflict` for one that there is, and for somebody who has had too many */
  add(person: PersonRow, made: NewPasskey, by: By): Promise<PasskeyRow> {
    const { name, site, credential, publicKey, counter, transports } = made
    const id = `pky-${randomBytes(6).toString('hex')}`
    return this.#ledger.commit(() => {
      const rows = this.#ledger.db.drizzle.select().from(passkeys).all()
      if (rows.some((row) => row.site === site && row.credential.equals(credential)))
        throw new GatehouseError('conflict', 'This passkey is known already: sign in with it.', {
          reason: 'passkey_known',
        })
      if (rows.filter((row) => row.person === person.id).length >= MOST_OF_ONE)
        throw new GatehouseError('conflict', `A person has ${MOST_OF_ONE} passkeys in all: use one of those.`, {
          reason: 'passkeys_many',
          values: { most: MOST_OF_ONE },
        })
      const said = { action: 'added', passkey: id, of: person.id, site, credential: credentialDigest(made) } as const
      const { index: entry } = this.#ledger.append('passkey', { ...whoOf(by), ...said })
      const times = { addedAt: this.#now(), removedAt: null, lastUsedAt: null, lastAddress: null }
      const row = { id, person: person.id, name, site, credential, publicKey, transports, counter, ...times, entry }
      this.#ledger.db.drizzle.insert(passkeys).values(row).run()
      return row
    })
  }

  /** @param person whose it has to be; anybody's without it @throws GatehouseError `not_found` */
  remove(id: string, by: By, person?: string): Promise<void> {
    return this.#ledger.commit(() => {
      const { drizzle } = this.#ledger.db
      const row = drizzle.select().from(passkeys).where(eq(passkeys.id, id)).get()
      if (!row || row.removedAt !== null || (person !== undefined && row.person !== person))
        throw new GatehouseError('not_found', 'There is no such passkey any more: look at the list again.', {
          reason: 'passkey_gone',
        })
      const { index: entry } = this.#ledger.append('passkey', { ...whoOf(by), action: 'removed', ...saidOf(row) })
      drizzle.update(passkeys).set({ removedAt: this.#now(), entry }).where(eq(passkeys.id, id)).run()
    })
  }

  /**
   * Counts a use that was proven. In memory first: of two that come at once, the second is held against the count of the first.
   * @param counter as the authenticator says
   * @returns false for a count that went back, and for a passkey that was removed meanwhile: nothing is counted then
   * @throws GatehouseError `ledger_unavailable`: a count that is not on disk would be taken again after a power cut
   */
  async use(id: string, counter: number, address: string): Promise<boolean> {
    const row = this.#byId.get(id)
    if (!row || row.removedAt !== null || hasGoneBack(row.counter, counter)) return false
    const used = { counter, lastUsedAt: this.#now(), lastAddress: address }
    Object.assign(row, used)
    const update = () => this.#ledger.db.drizzle.update(passkeys).set(used).where(eq(passkeys.id, id)).run()
    await this.#ledger.commit(update)
    return true
  }

  /** Records that a count went back, once for each passkey in ten minutes. @throws GatehouseError `ledger_unavailable` */
  async refuse(row: PasskeyRow, by: By): Promise<void> {
    const last = this.#refusedAt.get(row.id)
    if (last !== undefined && this.#now() - last < ONE_REFUSAL_MS) return
    this.#refusedAt.set(row.id, this.#now())
    await this.#ledger.commit(() => this.#ledger.append('passkey', { ...whoOf(by), action: 'refused', ...saidOf(row) }))
  }

  #load(): void {
    const before = this.#byId
    const rows = this.#ledger.db.drizzle.select().from(passkeys).all()
    // A count may be in memory and not yet on disk.
    const counted = (row: PasskeyRow) => Math.max(row.counter, before.get(row.id)?.counter ?? 0)
    this.#byId = new Map(rows.map((row) => [row.id, { ...row, counter: counted(row) }]))
    this.#byCredential = new Map(rows.map(({ id, site, credential }) => [keyOf(site, credential), id]))
    for (const { id, removedAt } of rows)
      if (removedAt !== null && before.get(id)?.removedAt === null) this.#onRemoved.notify(id)
  }
}

function keyOf(site: string, credential: Buffer): string {
  return `${site} ${credential.toString('base64url')}`
}

function saidOf(row: PasskeyRow) {
  return { passkey: row.id, of: row.person, site: row.site, credential: credentialDigest(row) }
}
