/** Makes a ticket's codes, by the phone's own key or by the seed of its link. Needs no network. */
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import type { KeyRing } from '../store/key-ring.ts'
import type { Claims } from './claims.ts'
import { type Ed25519, rotatingCode, type TicketKey } from './ed25519.ts'
import type { Tickets } from './tickets.ts'

export interface CodeDeps {
  claims: Claims
  engine: () => Promise<Ed25519>
  keys: KeyRing
  tickets: Tickets
}

/** @returns the text of a ticket's code in a slot; null where this phone has no key of the ticket */
export function codeMaker({
  claims,
  engine,
  keys,
  tickets,
}: CodeDeps): (id: string, slot: number) => Promise<string | null> {
  /** By seed: making a key takes longer than using it. */
  const seedKeys = new Map<string, Promise<TicketKey>>()

  function seedKey(secret: string | undefined): Promise<TicketKey> | undefined {
    const seed = fromBase64(secret ?? '')
    if (secret === undefined || seed?.length !== 32) return undefined
    const key = seedKeys.get(secret) ?? engine().then((by) => by.fromSeed(seed))
    seedKeys.set(secret, key)
    return key
  }

  return async (id, slot) => {
    const view = tickets.find(id)?.view
    if (!view) return null
    const own = await claims.confirmedKey(await keys.of(id))
    const key = own ?? (await seedKey(view.secret))
    return key ? rotatingCode(key, tagOf(view), slot) : null
  }
}

function tagOf({ event_tag }: TicketView): Uint8Array {
  return Uint8Array.from(event_tag.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
