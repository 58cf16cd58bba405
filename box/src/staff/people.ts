/** Persons of the staff, in memory: looked at on each request, so that a removal takes effect with the next one. */
import { randomBytes } from 'node:crypto'
import type { StaffRole } from '@gatehouse/proto/operations.ts'
import { type By, whoOf } from '../ca/actor.ts'
import { eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { factsIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type PersonRow, people } from '../ledger/staff-schema.ts'
import { Subscribers } from '../subscribers.ts'
import { foldName } from './attempts.ts'
import { requireGoodSecret, type Secrets, secretDigest } from './secret.ts'

const MOST_PEOPLE = 1_000

export interface PersonChange {
  name?: string | undefined
  role?: StaffRole | undefined
  /** PIN or password. */
  secret?: string | undefined
}

export class People {
  readonly #ledger: Ledger
  readonly #secrets: Secrets
  readonly #now: () => number
  #byId = new Map<string, PersonRow>()
  readonly #onChanged = new Subscribers<[PersonRow]>()

  constructor({ ledger, secrets, now }: { ledger: Ledger; secrets: Secrets; now: () => number }) {
    this.#ledger = ledger
    this.#secrets = secrets
    this.#now = now
    this.#load()
    ledger.subscribe('committed', (entries) => {
      if (factsIn(ledger, entries).some(({ kind }) => kind === 'staff')) this.#load()
    })
  }

  /** Those who may sign in. */
  list(): PersonRow[] {
    return [...this.#byId.values()].filter(({ removedAt }) => removedAt === null)
  }

  /** Undefined for somebody who was removed. */
  find(id: string): PersonRow | undefined {
    const person = this.#byId.get(id)
    return person?.removedAt === null ? person : undefined
  }

  /** Several where two boxes without connection have added the same name. */
  named(name: string): PersonRow[] {
    const folded = foldName(name)
    return this.list().filter((person) => foldName(person.name) === folded)
  }

  /** Called when a role or a secret has changed, or somebody was removed, whichever process or box did it. */
  onChanged(listener: (person: PersonRow) => void): void {
    this.#onChanged.add(listener)
  }

  /** @throws GatehouseError `bad_request` for a weak secret; `conflict` for a name that somebody has */
  async add(wanted: { name: string; role: StaffRole; secret?: string | undefined }, by: By): Promise<PersonRow> {
    const id = `per-${randomBytes(6).toString('hex')}`
    const secret = await this.#sealed(wanted.secret, wanted.name, id)
    return this.#ledger.commit(() => {
      const { name, role } = wanted
      this.#requireFree(name)
      return this.#insert({ id, name, role, secret }, by)
    })
  }

  /**
   * Changes name, role or secret. Their sessions end where role or secret changes.
   * @throws GatehouseError `not_found`; `bad_request`; `conflict` for the last admin, and for a name that somebody has
   */
  async change(id: string, { name, role, secret }: PersonChange, by: By): Promise<PersonRow> {
    const before = this.#require(id)
    const sealed = await this.#sealed(secret, name ?? before.name, id)
    return this.#ledger.commit(() => {
      const row = this.#require(id)
      if (name !== undefined && foldName(name) !== foldName(row.name)) this.#requireFree(name)
      if (role !== undefined && role !== 'admin') this.#requireOtherAdmin(row)
      const changed = { name: name ?? row.name, role: role ?? row.role, secret: sealed ?? row.secret }
      return this.#write('changed', { ...row, ...changed }, by)
    })
  }

  /** @throws GatehouseError `not_found`; `conflict` for the last admin */
  remove(id: string, by: By): Promise<PersonRow> {
    return this.#ledger.commit(() => {
      const row = this.#require(id)
      this.#requireOtherAdmin(row)
      return this.#write('removed', { ...row, removedAt: this.#now() }, by)
    })
  }

  /**
   * Adds somebody whom the organiser's provider vouches for, or brings them up to date. It is one person by the id alone: somebody of the
   * same name is somebody else, and is told apart. The provider's word counts for the last admin too: the admin token is left.
   * @throws GatehouseError `not_allowed` for somebody who was removed; `conflict` for a list that is full
   */
  vouchedFor(said: { id: string; name: string; role: StaffRole }, by: By): Promise<PersonRow> {
    return this.#ledger.commit(() => {
      const { id, role } = said
      const rows = this.#ledger.db.drizzle.select().from(people).all()
      const row = rows.find((one) => one.id === id)
      if (row && row.removedAt !== null)
        throw new GatehouseError('not_allowed', 'You were taken off the list of staff: ask an admin of the event.', {
          reason: 'taken_off',
        })
      const others = rows.filter((one) => one.id !== id && one.removedAt === null)
      const name = freeName(said.name, new Set(others.map((one) => foldName(one.name))))
      if (!row) return this.#insert({ id, name, role, secret: null }, by)
      return row.name === name && row.role === role ? row : this.#write('changed', { ...row, name, role }, by)
    })
  }

  /** Within a transaction. */
  #insert(wanted: Pick<PersonRow, 'id' | 'name' | 'role' | 'secret'>, by: By): PersonRow {
    if (this.#byId.size >= MOST_PEOPLE)
      throw new GatehouseError('conflict', `The list has ${MOST_PEOPLE} people: it takes no more.`, {
        reason: 'list_full',
        values: { most: MOST_PEOPLE },
      })
    const { id, name, role, secret } = wanted
    const said = { action: 'added', about: id, name, role, secret: secretDigest(secret) } as const
    const { index: entry, hlc } = this.#ledger.append('staff', { ...whoOf(by), ...said })
    const row = { ...wanted, addedAt: this.#now(), removedAt: null, hlc, entry }
    this.#ledger.db.drizzle.insert(people).values(row).run()
    return row
  }

  /** Within a transaction. */
  #write(action: 'changed' | 'removed', row: PersonRow, by: By): PersonRow {
    const { id, name, role, secret, removedAt } = row
    const said = { action, about: id, name, role, secret: secretDigest(secret) }
    const { index: entry, hlc } = this.#ledger.append('staff', { ...whoOf(by), ...said })
    this.#ledger.db.drizzle
      .update(people)
      .set({ name, role, secret, removedAt, hlc, entry })
      .where(eq(people.id, id))
      .run()
    return { ...row, hlc, entry }
  }

  async #sealed(secret: string | undefined, name: string, id: string): Promise<string | null> {
    if (secret === undefined) return null
    requireGoodSecret(secret, name)
    return this.#secrets.seal(secret, id)
  }

  #require(id: string): PersonRow {
    const row = this.#ledger.db.drizzle.select().from(people).where(eq(people.id, id)).get()
    if (row && row.removedAt === null) return row
    throw new GatehouseError('not_found', 'Nobody on the list of staff has this id: look at the list again.', {
      reason: 'person_unknown',
    })
  }

  #requireFree(name: string): void {
    const folded = foldName(name)
    const rows = this.#ledger.db.drizzle.select().from(people).all()
    if (!rows.some((row) => row.removedAt === null && foldName(row.name) === folded)) return
    throw new GatehouseError('conflict', 'Somebody on the list has this name: add a surname, or another word.', {
      reason: 'name_taken',
    })
  }

  /** With the last admin gone, only the admin token could change the list. */
  #requireOtherAdmin({ id, role }: PersonRow): void {
    const rows = this.#ledger.db.drizzle.select().from(people).all()
    const others = rows.filter((row) => row.removedAt === null && row.role === 'admin' && row.id !== id)
    if (role === 'admin' && others.length === 0)
      throw new GatehouseError('conflict', 'This is the last admin: make somebody else an admin first.', {
        reason: 'last_admin',
      })
  }

  #load(): void {
    const before = this.#byId
    const rows = this.#ledger.db.drizzle.select().from(people).all()
    this.#byId = new Map(rows.map((row) => [row.id, row]))
    for (const row of rows) {
      const was = before.get(row.id)
      if (was && (was.removedAt !== row.removedAt || was.role !== row.role || was.secret !== row.secret))
        this.#onChanged.notify(row)
    }
  }
}

/** The name, or with the first number that nobody has. @param taken folded */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name} (${n})`
    if (!taken.has(foldName(candidate))) return candidate
  }
}
