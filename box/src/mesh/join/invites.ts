/**
 * Invites that this box has made for other boxes. Whoever uses one gets the keys of the event: so it works once, for minutes,
 * and for whoever came first. A download that was cut is asked for again with the same key, which no one else has.
 */
import { createHash } from 'node:crypto'
import { GatehouseError } from '../../errors.ts'
import type { By } from '../../http/actor.ts'
import { readValue, writeValue } from '../../ledger/identity.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Invited } from './invite.ts'

export const INVITE_SECONDS = 3600
export const MOST_INVITE_SECONDS = 86_400
const NAME = 'mesh_invites'
/** Nobody sets up more boxes than these in a day. */
const MOST = 50

/** Kept as JSON among the ledger's small values. */
interface Kept {
  /** SHA-256 of the code, hex: a stolen ledger invites nobody. */
  hash: string
  as: Invited
  /** Unix ms. */
  expiresAt: number
  /** Verifier key of the log of whoever came first; null while nobody has. */
  usedBy: string | null
}

export interface InvitesDeps {
  ledger: Ledger
  boxId: string
  /** Unix ms. */
  now: () => number
}

/** @returns the code, shown once, and until when it works, unix ms */
export async function mintMeshInvite(
  { as, seconds = INVITE_SECONDS, by, reason }: { as: Invited; seconds?: number; by: By; reason: string },
  { ledger, boxId, now, random }: InvitesDeps & { random: (size: number) => Buffer },
): Promise<{ code: string; expiresAt: number }> {
  const code = random(16).toString('base64url')
  const expiresAt = now() + seconds * 1000
  await ledger.commit(() => {
    const others = read(ledger).filter((invite) => invite.expiresAt > now())
    if (others.length >= MOST)
      throw new GatehouseError('conflict', 'Too many invites for boxes are open: wait until some have expired.')
    write(ledger, [...others, { hash: hashOf(code), as, expiresAt, usedBy: null }])
    const expires_at = new Date(expiresAt).toISOString()
    ledger.append('mesh', { ...by, action: 'invited', box: boxId, as, expires_at, reason })
  })
  return { code, expiresAt }
}

/**
 * Within a transaction. From now on the invite is `logKey`'s.
 * @param logKey verifier key of the log of whoever asks, which it has proven to have
 * @throws GatehouseError `not_found`, `invite_used`, `invite_expired`
 */
export function useMeshInvite(code: string, logKey: string, { ledger, now }: InvitesDeps): Invited {
  const all = read(ledger)
  const invite = all.find(({ hash }) => hash === hashOf(code))
  if (!invite) throw new GatehouseError('not_found', 'This box never made this invite: make a new one at this box.')
  if (invite.expiresAt <= now()) throw new GatehouseError('invite_expired', 'This invite has expired: make a new one.')
  if (invite.usedBy !== null && invite.usedBy !== logKey) {
    throw new GatehouseError(
      'invite_used',
      'Another box came in on this invite: look who it was in the list of boxes, and make a new one.',
    )
  }
  if (invite.usedBy === null) {
    write(
      ledger,
      all.map((each) => (each === invite ? { ...each, usedBy: logKey } : each)),
    )
  }
  return invite.as
}

function read({ db }: Ledger): Kept[] {
  return JSON.parse(readValue(db, NAME)?.toString() ?? '[]') as Kept[]
}

function write({ db }: Ledger, invites: readonly Kept[]): void {
  writeValue(db, NAME, Buffer.from(JSON.stringify(invites)))
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
