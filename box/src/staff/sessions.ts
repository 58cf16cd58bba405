/** Sessions of persons at this box. A token is made at each sign-in, never taken from a request, and stored as its hash alone. */
import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import { type By, whoOf } from '../ca/actor.ts'
import { readP256 } from '../ca/p256.ts'
import { and, eq, gt, isNull } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type PersonRow, type StaffSessionRow, staffSessions } from '../ledger/staff-schema.ts'
import type { People } from './people.ts'

/** A long shift. */
const LONGEST_MS = 16 * 3_600_000
/** Without any request, where no tablet is paired. A dashboard that is open asks now and then by itself, and locks itself long before. */
const IDLE_MS = 4 * 3_600_000
/** For how long what cannot be undone may be done after PIN or password were given. */
const CONFIRMED_MS = 2 * 60_000
/** The oldest of a person's sessions ends when they open one more; tablets are counted by themselves. */
const MOST_OF_ONE = 20
/** The last use on disk may be this old. */
const WRITE_EVERY_MS = 15 * 60_000

export interface Session extends StaffSessionRow {
  /** Unix ms; in memory alone. */
  confirmedAt: number
  /** Of the tablet: verifies its requests. */
  readonly key?: KeyObject
}

/** A tablet that an admin has invited. */
export interface Tablet {
  readonly id: string
  readonly name: string
  /** SubjectPublicKeyInfo in DER, EC P-256. */
  readonly publicKey: Buffer
  /** Unix ms. */
  readonly expiresAt: number
}

/** How somebody has signed in, where it was not with a PIN. */
export interface Opening {
  /** The session is bound to it, for good. Being paired is no PIN that was given. */
  tablet?: Tablet
  /** The provider that vouches for the person. */
  issuer?: string
  /** Whether they may do at once what cannot be undone: false where nobody has asked them for anything. */
  isConfirmed?: boolean
}

export class Sessions {
  readonly #ledger: Ledger
  readonly #people: People
  readonly #now: () => number
  readonly #byHash = new Map<string, Session>()

  constructor({ ledger, people, now }: { ledger: Ledger; people: People; now: () => number }) {
    this.#ledger = ledger
    this.#people = people
    this.#now = now
    const open = and(isNull(staffSessions.endedAt), gt(staffSessions.expiresAt, now()))
    for (const row of ledger.db.drizzle.select().from(staffSessions).where(open).all())
      this.#byHash.set(row.tokenHash.toString('hex'), sessionOf(row, 0))
    people.onChanged(({ id }) => this.#drop(({ person }) => person === id))
  }

  /** @returns the token, which is nowhere else */
  async open(
    person: PersonRow,
    address: string,
    { tablet, issuer, isConfirmed = tablet === undefined }: Opening = {},
  ): Promise<{ session: Session; token: string }> {
    const token = `gs_${randomBytes(32).toString('base64url')}`
    const tokenHash = createHash('sha256').update(token).digest()
    const at = this.#now()
    const id = tablet?.id ?? `ses-${randomBytes(6).toString('hex')}`
    const row: StaffSessionRow = {
      ...{ id, tokenHash, person: person.id, address },
      ...{ device: tablet?.id ?? null, deviceName: tablet?.name ?? null, publicKey: tablet?.publicKey ?? null },
      ...{ openedAt: at, usedAt: at, expiresAt: tablet?.expiresAt ?? at + LONGEST_MS, endedAt: null },
    }
    await this.#ledger.commit(() => {
      const { drizzle } = this.#ledger.db
      drizzle.insert(staffSessions).values(row).run()
      const said = { action: 'opened', session: id, of: person.id, device: row.device } as const
      const way = issuer === undefined ? {} : { issuer }
      this.#ledger.append('session', { actor: person.name, address, person: person.id, via: id, ...said, ...way })
    })
    const session = sessionOf(row, isConfirmed ? at : 0)
    this.#byHash.set(tokenHash.toString('hex'), session)
    const alike = (one: Session) => one.person === person.id && (one.device === null) === (row.device === null)
    const [oldest, ...others] = this.list().filter(alike)
    if (oldest && others.length >= MOST_OF_ONE) this.#drop(({ id }) => id === oldest.id)
    return { session, token }
  }

  /** Of a token whose person may still sign in. */
  find(token: string): { session: Session; person: PersonRow } | undefined {
    const session = this.#byHash.get(createHash('sha256').update(token).digest('hex'))
    const person = session && this.#people.find(session.person)
    if (!session || !person || this.#isOver(session)) return undefined
    return { session, person }
  }

  /** Open ones, oldest first. */
  list(): Session[] {
    return [...this.#byHash.values()].filter((one) => !this.#isOver(one)).sort((a, b) => a.openedAt - b.openedAt)
  }

  /** PIN or password were given once more. */
  confirm(id: string): void {
    const session = this.list().find((one) => one.id === id)
    if (session) session.confirmedAt = this.#now()
  }

  isConfirmed(id: string): boolean {
    const session = this.list().find((one) => one.id === id)
    return session !== undefined && this.#now() - session.confirmedAt < CONFIRMED_MS
  }

  /** @throws GatehouseError `not_found` */
  async end(id: string, by: By): Promise<void> {
    const session = this.list().find((one) => one.id === id)
    if (!session) throw new GatehouseError('not_found', 'There is no such session any more: look at the list again.')
    await this.#ledger.commit(() => {
      const said = { action: 'ended', session: id, of: session.person, device: session.device } as const
      this.#ledger.append('session', { ...whoOf(by), ...said })
    })
    this.#drop((one) => one.id === id)
  }

  /** All of a person at this box. */
  endOf(person: string): void {
    this.#drop((one) => one.person === person)
  }

  /** Counts as a use. @returns false for a session that is over */
  touch(id: string): boolean {
    const session = [...this.#byHash.values()].find((one) => one.id === id)
    if (!session || !this.#people.find(session.person) || this.#isOver(session)) return false
    const at = this.#now()
    if (at - session.usedAt > WRITE_EVERY_MS) this.#write(session.id, { usedAt: at })
    session.usedAt = at
    return true
  }

  #isOver({ expiresAt, usedAt, device, key }: Session): boolean {
    const at = this.#now()
    // A tablet whose key cannot be read would be anybody's who has its token.
    return at >= expiresAt || (device === null ? at - usedAt >= IDLE_MS : !key)
  }

  #drop(which: (session: Session) => boolean): void {
    for (const [hash, session] of this.#byHash) {
      if (!which(session)) continue
      // First here: what cannot be written because the disk is full has ended all the same, until the box starts again.
      this.#byHash.delete(hash)
      this.#write(session.id, { endedAt: this.#now() })
    }
  }

  #write(id: string, values: Partial<StaffSessionRow>): void {
    const update = () => this.#ledger.db.drizzle.update(staffSessions).set(values).where(eq(staffSessions.id, id)).run()
    this.#ledger.commit(update, { patient: true }).catch(() => undefined)
  }
}

function sessionOf(row: StaffSessionRow, confirmedAt: number): Session {
  const key = row.publicKey && readP256(row.publicKey)
  return { ...row, confirmedAt, ...(key && { key }) }
}
