/**
 * Adding a passkey and signing in with one. A challenge is good once, for five minutes, and for what it was asked for; strangers ask for
 * challenges, so they are bounded as other sign-ins that have begun.
 */
import type {
  NewPasskeyRequest,
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyQuestion,
} from '@gatehouse/proto/wire/passkeys.ts'
import { addressOf, type By } from '../../ca/actor.ts'
import { GatehouseError } from '../../errors.ts'
import type { PasskeyRow, PersonRow } from '../../ledger/staff-schema.ts'
import type { Attempts } from '../attempts.ts'
import { Pending } from '../pending.ts'
import type { People } from '../people.ts'
import type { Passkeys } from './passkeys.ts'
import {
  ALGORITHMS,
  challengeOf,
  hasGoneBack,
  loadWebAuthn,
  type Site,
  verifyAnswer,
  verifyCreated,
} from './webauthn.ts'

/** For as long as somebody looks for a key, and touches it. */
const PENDING_MS = 5 * 60_000
/** Tries with a passkey that nobody has are counted under this name, which no person can have. */
const NOBODY = 'passkey:unknown'

export interface CeremonyDeps {
  passkeys: Passkeys
  people: Pick<People, 'find'>
  attempts: Pick<Attempts, 'begin' | 'succeeded'>
  monotonic: () => number
}

/** A person who is signed in, and their session. */
export interface Adding {
  readonly person: string
  readonly session: string
}

export class Ceremonies {
  readonly #deps: CeremonyDeps
  readonly #adding: Pending<Adding & { readonly site: string }>
  readonly #entering: Pending<{ readonly site: string }>

  constructor(deps: CeremonyDeps) {
    this.#deps = deps
    const { monotonic } = deps
    // Apart: no stranger pushes out the challenge of somebody who is signed in.
    this.#adding = new Pending({ monotonic, lifeMs: PENDING_MS })
    this.#entering = new Pending({ monotonic, lifeMs: PENDING_MS })
  }

  /** @throws GatehouseError `conflict` for somebody without a PIN; `rate_limited` */
  async beginAdding({ person: id, session }: Adding, { name: site }: Site, ip: string): Promise<PasskeyCreation> {
    this.#adding.requireTurn(ip)
    const person = this.#requirePerson(id)
    await loadWebAuthn()
    const own = this.#deps.passkeys.list(id).filter((row) => row.site === site)
    return {
      rp: { id: site, name: 'Gatehouse' },
      user: { id: handleOf(id), name: person.name, displayName: person.name },
      challenge: this.#adding.begin(ip, { person: id, session, site }),
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: PENDING_MS,
      attestation: 'none',
      excludeCredentials: own.map(({ credential, transports }) => ({
        id: credential.toString('base64url'),
        type: 'public-key',
        transports: transports as PasskeyCreation['excludeCredentials'][number]['transports'],
      })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    }
  }

  /** @throws GatehouseError `bad_request` for one that does not hold, or that this session has not begun; `conflict` */
  async finishAdding(adding: Adding, request: NewPasskeyRequest, site: Site, by: By): Promise<PasskeyRow> {
    const challenge = challengeOf(request.response.clientDataJSON) ?? ''
    const begun = this.#adding.take(challenge)
    const isOwn = begun?.person === adding.person && begun.session === adding.session && begun.site === site.name
    if (!isOwn) throw notAdded('began elsewhere, or too long ago', 'passkey_late')
    const made = await verifyCreated(request, challenge, site).catch(() => {
      throw notAdded('does not hold', 'passkey_invalid')
    })
    const { name, response } = request
    const more = { name: name.trim(), site: site.name, transports: [...new Set(response.transports)] }
    return this.#deps.passkeys.add(this.#requirePerson(adding.person), { ...made, ...more }, by)
  }

  /** It names nobody, and is the same for everybody. @throws GatehouseError `rate_limited` */
  async beginEntering({ name: site }: Site, ip: string): Promise<PasskeyQuestion> {
    this.#entering.requireTurn(ip)
    await loadWebAuthn()
    const challenge = this.#entering.begin(ip, { site })
    return { rpId: site, challenge, timeout: PENDING_MS, userVerification: 'required' }
  }

  /**
   * One answer for whatever is wrong. A try is counted before anything is computed, by person and network together as a wrong PIN is.
   * @throws GatehouseError `bad_token`; `rate_limited`; `ledger_unavailable`
   */
  async finishEntering(answer: PasskeyAnswer, site: Site, ip: string): Promise<{ person: PersonRow; passkey: string }> {
    const { passkeys, people, attempts } = this.#deps
    const challenge = challengeOf(answer.response.clientDataJSON) ?? ''
    const begun = this.#entering.take(challenge)
    const row = passkeys.find(answer.id, site.name)
    const owner = row && people.find(row.person)
    attempts.begin(owner?.name ?? NOBODY, ip)
    if (!row || !owner || begun?.site !== site.name || answer.response.userHandle !== handleOf(owner.id))
      throw refused()
    const counter = await verifyAnswer(answer, challenge, site, row.publicKey).catch(() => {
      throw refused()
    })
    const address = addressOf(ip)
    if (!(await passkeys.use(row.id, counter, address))) {
      const now = passkeys.find(answer.id, site.name)
      if (now && hasGoneBack(now.counter, counter)) await passkeys.refuse(now, { actor: owner.name, address })
      throw refused()
    }
    // Removed while it was verified.
    const person = people.find(row.person)
    if (!person) throw refused()
    attempts.succeeded(owner.name, ip)
    return { person, passkey: row.id }
  }

  /** As a paired tablet: whoever is vouched for by a provider alone would keep a way in that the provider cannot close. */
  #requirePerson(id: string): PersonRow {
    const person = this.#deps.people.find(id)
    if (person && person.secret !== null) return person
    throw new GatehouseError('conflict', 'A passkey stands beside a PIN: ask an admin to give you one first.', {
      reason: 'passkey_needs_pin',
    })
  }
}

/** The person's id in WebAuthn's form: what the authenticator keeps, and gives back with the key. */
function handleOf(person: string): string {
  return Buffer.from(person).toString('base64url')
}

/** One answer for everything that is wrong with a sign-in. */
export function refused(): GatehouseError {
  return new GatehouseError('bad_token', 'This passkey does not open this box: sign in with name and PIN.', {
    reason: 'passkey_refused',
  })
}

function notAdded(why: string, reason: 'passkey_late' | 'passkey_invalid'): GatehouseError {
  return new GatehouseError('bad_request', `This passkey ${why}: begin again.`, { reason })
}
