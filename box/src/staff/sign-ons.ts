/**
 * The person who holds a scanner, where the event wants to know: known from the login at that scanner. A request names nobody, but for a
 * scan that the scanner admitted alone, which says under which sign-on of this scanner it was made. In memory: a scan looks it up once,
 * and nothing is looked up where the event does not want it.
 */
import type { ScannerSignOn } from '@gatehouse/proto/wire/staff.ts'
import type { ScanningDevice } from '../ca/roster.ts'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import { type SignOnRule, signOnRule } from '../event/sign-on-rule.ts'
import type { PersonRow } from '../ledger/staff-schema.ts'
import type { Session, Sessions } from './sessions.ts'

type Held = Pick<ScanningDevice, 'by'>

export class SignOns {
  readonly #sessions: Pick<Sessions, 'atScanner' | 'wasAtScanner'>
  readonly #event: Event

  constructor({ event, sessions }: { event: Event; sessions: Pick<Sessions, 'atScanner' | 'wasAtScanner'> }) {
    this.#sessions = sessions
    this.#event = event
  }

  /** Of a scanner at which somebody has to be signed on; undefined for others, such as a turnstile where nobody stands. */
  ruleFor({ checkpoints }: Pick<ScanningDevice, 'checkpoints'>): SignOnRule | undefined {
    return signOnRule(this.#event, checkpoints)
  }

  /** The person who is signed on there now. */
  at(device: string): { session: Session; person: PersonRow } | undefined {
    return this.#sessions.atScanner(device)
  }

  /** The device with its person, for an act that nobody has to be signed on for. */
  known<D extends ScanningDevice>(device: D): D & Held {
    return this.#event.scanners_sign_on ? withPerson(device, this.at(device.id)) : device
  }

  /** The device with its person, for what somebody does there now. @throws GatehouseError `sign_on_needed` */
  required<D extends ScanningDevice>(device: D): D & Held {
    if (!this.#event.scanners_sign_on) return device
    const found = this.at(device.id)
    if (!found && this.ruleFor(device))
      throw new GatehouseError('sign_on_needed', 'Nobody is signed on at this scanner: sign on, then scan again.')
    return withPerson(device, found)
  }

  /**
   * The device with the person of an earlier sign-on there, for what it admitted alone. Nobody is refused for want of one: people
   * are inside. @param session as the scanner names it; one of another scanner counts for nothing
   */
  earlier<D extends ScanningDevice>(device: D, session: string | undefined): D & Held {
    const isAsked = this.#event.scanners_sign_on && session !== undefined
    const person = isAsked ? this.#sessions.wasAtScanner(session, device.id) : undefined
    return person && session !== undefined
      ? { ...device, by: { name: person.name, person: person.id, via: session } }
      : device
  }
}

function withPerson<D extends ScanningDevice>(
  device: D,
  found: { session: Session; person: PersonRow } | undefined,
): D & Held {
  if (!found) return device
  const { session, person } = found
  return { ...device, by: { name: person.name, person: person.id, via: session.id } }
}

/** As a scanner is told. */
export function wireSignOn({ session, person }: NonNullable<ReturnType<SignOns['at']>>): ScannerSignOn {
  return { session: session.id, name: person.name, expires_at: new Date(session.expiresAt).toISOString() }
}
