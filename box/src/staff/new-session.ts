/** The answer to somebody who has signed in, in whichever way. */
import type { NewSession } from '@gatehouse/proto/wire/staff.ts'
import { addressOf } from '../ca/actor.ts'
import type { PersonRow } from '../ledger/staff-schema.ts'
import type { Opening, Sessions } from './sessions.ts'

export async function openFor(
  sessions: Sessions,
  person: PersonRow,
  ip: string,
  opening: Opening = {},
): Promise<NewSession> {
  const { session, token } = await sessions.open(person, addressOf(ip), opening)
  const { id, name, role } = person
  return {
    session: session.id,
    token,
    expires_at: new Date(session.expiresAt).toISOString(),
    person: { id, name, role },
  }
}
