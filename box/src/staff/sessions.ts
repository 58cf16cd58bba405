/** Sessions of persons at this box. A token is made at each sign-in, never taken from a request, and stored as its hash alone. */
import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import { parse } from '@gatehouse/proto/hlc.ts'
import { type By, whoOf } from '../ca/actor.ts'
import { readP256 } from '../ca/p256.ts'
import { and, eq, gt, isNull } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { factsIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { endOthersAt, isAtScanner, kindOf, latestAt } from '../ledger/sign-ons.ts'
import { type PersonRow, people, SIGN_ON_MS, type StaffSessionRow, staffSessions } from '../ledger/staff-schema.ts'
import { Subscribers } from '../subscribers.ts'
import type { People } from './people.ts'

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

/** The way of a sign-in that was not with a PIN in a browser. */
export interface Opening {
  /** They are signed on at a scanner, which proves each request by itself: nobody has the token. Whoever was before is signed off. */
  scanner?: { readonly id: string; readonly name: string }
  /** The session is bound to it, for good. Being paired is no PIN that was given. */
  tablet?: Tablet
  /** The provider that vouches for the person. */
  issuer?: string
  /** Id of the passkey that was shown. */
  passkey?: string
  /** Whether they may do at once what cannot be undone: false where nobody has asked them for anything. */
  isConfirmed?: boolean
}

export class Sessions {
  readonly #ledger: Ledger
  readonly #people: People
  readonly #now: () => number
  readonly #byHash = new Map<string, Session>()
  /** By the id of the scanner: looked at on each scan. */
  readonly #atScanner = new Map<string, Session>()
  readonly #onScanner = new Subscribers<[string]>()

  constructor({ ledger, people, now }: { ledger: Ledger; people: People; now: () => number }) {
    this.#ledger = ledger
    this.#people = people
    this.#now = now
    const open = and(isNull(staffSessions.endedAt), gt(staffSessions.expiresAt, now()))
    for (const row of ledger.db.drizzle.select().from(staffSessions).where(open).all()) {
      this.#byHash.set(row.tokenHash.toString('hex'), sessionOf(row, 0))
      if (isAtScanner(row)) this.#readScanner(row.device)
    }
    ledger.subscribe('committed', (entries) => {
      for (const { kind, fields } of factsIn(ledger, entries)) {
        if (kind === 'session' && fields.device !== null && isAtScanner({ id: fields.session, device: fields.device }))
          this.#readScanner(fields.device)
      }
    })
    people.onChanged(({ id }) => this.#drop(({ person }) => person === id))
  }

  /** @returns the token, which is nowhere else */
  async open(
    person: PersonRow,
    address: string,
    { tablet, scanner, issuer, passkey, isConfirmed = tablet === undefined }: Opening = {},
  ): Promise<{ session: Session; token: string }> {
    const token = `gs_${randomBytes(32).toString('base64url')}`
    const tokenHash = createHash('sha256').update(token).digest()
    const at = this.#now()
    const id = tablet?.id ?? `ses-${randomBytes(6).toString('hex')}`
    const row: StaffSessionRow = {
      ...{ id, tokenHash, person: person.id, address },
      ...{ device: (tablet ?? scanner)?.id ?? null, deviceName: (tablet ?? scanner)?.name ?? null },
      ...{ publicKey: tablet?.publicKey ?? null, passkey: passkey ?? null },
      ...{ openedAt: at, usedAt: at, expiresAt: tablet?.expiresAt ?? at + SIGN_ON_MS, endedAt: null },
    }
    await this.#ledger.commit(() => {
      const { drizzle } = this.#ledger.db
      const said = { action: 'opened', session: id, of: person.id, device: row.device } as const
      const way = { ...(issuer !== undefined && { issuer }), ...(passkey !== undefined && { passkey }) }
      const { hlc } = this.#ledger.append('session', {
        ...{ actor: person.name, address, person: person.id, via: id },
        ...said,
        ...way,
      })
      // By the reading that the other boxes have: of two sign-ons at one scanner, all take the same for the later one.
      const openedAt = scanner ? (parse(hlc)?.ms ?? at) : at
      drizzle
        .insert(staffSessions)
        .values({ ...row, openedAt })
        .run()
      if (scanner) endOthersAt(scanner.id, id, at, drizzle)
    })
    const session = sessionOf(row, isConfirmed ? at : 0)
    // That of a scanner was read with its entry.
    if (!scanner) this.#byHash.set(tokenHash.toString('hex'), session)
    const alike = (one: Session) => one.person === person.id && kindOf(one) === kindOf(row)
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

  /** The person who is signed on at a scanner now, with the session. */
  atScanner(device: string): { session: Session; person: PersonRow } | undefined {
    const session = this.#atScanner.get(device)
    const person = session && this.#people.find(session.person)
    return session && person && !this.#isOver(session) ? { session, person } : undefined
  }

  /** The person of a sign-on at this scanner, whether or not it is over. */
  wasAtScanner(id: string, device: string): PersonRow | undefined {
    const { drizzle } = this.#ledger.db
    const here = and(eq(staffSessions.id, id), eq(staffSessions.device, device))
    const row = drizzle.select().from(staffSessions).where(here).get()
    return row && drizzle.select().from(people).where(eq(people.id, row.person)).get()
  }

  /** Called with the id of a scanner at which somebody has signed on or off, whichever process or box did it. */
  onScanner(listener: (device: string) => void): void {
    this.#onScanner.add(listener)
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
    if (!session)
      throw new GatehouseError('not_found', 'There is no such session any more: look at the list again.', {
        reason: 'session_gone',
      })
    await this.#ledger.commit(() => {
      const ended = { endedAt: this.#now() }
      this.#ledger.db.drizzle.update(staffSessions).set(ended).where(eq(staffSessions.id, id)).run()
      const said = { action: 'ended', session: id, of: session.person, device: session.device } as const
      this.#ledger.append('session', { ...whoOf(by), ...said })
    })
    this.#drop((one) => one.id === id)
  }

  /** All of a person at this box. */
  endOf(person: string): void {
    this.#drop((one) => one.person === person)
  }

  /** Those that a passkey has opened at this box. */
  endOfPasskey(passkey: string): void {
    this.#drop((one) => one.passkey === passkey)
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

  #isOver({ id, expiresAt, usedAt, device, key }: Session): boolean {
    const at = this.#now()
    // A tablet whose key cannot be read would be anybody's who has its token.
    return at >= expiresAt || (device === null ? at - usedAt >= IDLE_MS : device === id && !key)
  }

  /** Reads who is signed on there: of two that boxes without connection have taken, the later one. */
  #readScanner(device: string): void {
    for (const [hash, one] of this.#byHash) if (one.device === device) this.#byHash.delete(hash)
    this.#atScanner.delete(device)
    const row = latestAt(device, this.#ledger.db.drizzle)
    if (row && row.endedAt === null && this.#people.find(row.person)) {
      const session = sessionOf(row, 0)
      this.#byHash.set(row.tokenHash.toString('hex'), session)
      this.#atScanner.set(device, session)
    }
    this.#onScanner.notify(device)
  }

  #drop(which: (session: Session) => boolean): void {
    for (const [hash, session] of this.#byHash) {
      if (!which(session)) continue
      // First here: what cannot be written because the disk is full has ended all the same, until the box starts again.
      this.#byHash.delete(hash)
      this.#write(session.id, { endedAt: this.#now() })
      if (!isAtScanner(session) || this.#atScanner.get(session.device) !== session) continue
      this.#atScanner.delete(session.device)
      this.#onScanner.notify(session.device)
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
