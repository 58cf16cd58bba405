/**
 * Invites that this box has made for other boxes. An invite gives away the keys of the event: so it works for a limited time, and
 * only for the first box that uses it. A download that was interrupted is requested again with the same key, which nobody else has.
 */
import { createHash } from 'node:crypto'
import type { By } from '../../ca/actor.ts'
import type { InvitedRole } from '../../ca/box-invite.ts'
import { GatehouseError } from '../../errors.ts'
import { readValue, writeValue } from '../../ledger/identity.ts'
import type { Ledger } from '../../ledger/ledger.ts'

export const INVITE_SECONDS = 3600
export const MOST_INVITE_SECONDS = 86_400
const NAME = 'mesh_invites'
/** More open invites than any setup needs. */
const MOST = 50

/** Kept as JSON among the ledger's small values. */
interface StoredInvite {
  /** SHA-256 of the code, hex: the code cannot be read from a stolen ledger. */
  hash: string
  as: InvitedRole
  /** A public name or address at which the machine may be reached: the admin's word for it. */
  host?: string
  /** Unix ms. */
  expiresAt: number
  /** Verifier key of the log of the box that has used it; null while it is unused. */
  usedBy: string | null
}

export interface InvitesDeps {
  ledger: Ledger
  boxId: string
  /** Unix ms. */
  now: () => number
}

export interface MeshInviteWish {
  as: InvitedRole
  /** Only for a machine that votes: the public name or address at which it is to be reached. */
  host?: string
  seconds?: number
  by: By
  reason: string
}

/** @returns the code, which is shown once and not stored, and when it expires, unix ms */
export async function mintMeshInvite(
  { as, host, seconds = INVITE_SECONDS, by, reason }: MeshInviteWish,
  { ledger, boxId, now, random }: InvitesDeps & { random: (size: number) => Buffer },
): Promise<{ code: string; expiresAt: number }> {
  const code = random(16).toString('base64url')
  const expiresAt = now() + seconds * 1000
  await ledger.commit(() => {
    const others = read(ledger).filter((invite) => invite.expiresAt > now())
    if (others.length >= MOST)
      throw new GatehouseError('conflict', 'Too many invites for boxes are open: wait until some have expired.', {
        reason: 'invites_many',
      })
    const named = host === undefined ? {} : { host }
    write(ledger, [...others, { hash: hashOf(code), as, ...named, expiresAt, usedBy: null }])
    const expires_at = new Date(expiresAt).toISOString()
    ledger.append('mesh', { ...by, action: 'invited', box: boxId, as, expires_at, reason: saidOf(reason, host) })
  })
  return { code, expiresAt }
}

/** True for an invite on which the machine with this log key may still come in. */
export function isOpenMeshInvite(code: string, logKey: string, { ledger, now }: Omit<InvitesDeps, 'boxId'>): boolean {
  const invite = read(ledger).find(({ hash }) => hash === hashOf(code))
  return invite !== undefined && invite.expiresAt > now() && (invite.usedBy === null || invite.usedBy === logKey)
}

/**
 * Within a transaction. Binds the invite to `logKey`. It ends when the machine that came in on it is removed.
 * @param logKey verifier key of the asker's log; the caller has checked that the asker has the private key
 * @param isListed whether the asker is a member; throws for one that was removed
 * @throws GatehouseError `not_found`, `invite_used`, `invite_expired`, `conflict` for an id that is promised to somebody else
 */
export function useMeshInvite(
  code: string,
  logKey: string,
  { isListed }: { isListed: () => boolean },
  { ledger, now }: InvitesDeps,
): Pick<StoredInvite, 'as' | 'host'> {
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
  const listed = isListed()
  // A voter is listed in the transaction in which it uses its invite; a box uses its own once more, after the download.
  if (invite.usedBy !== null && invite.as === 'voter' && !listed)
    throw new GatehouseError('invite_used', 'The machine that came in on this invite was removed: make a new one.')
  if (all.some(({ usedBy }) => usedBy !== null && usedBy !== logKey && nameOf(usedBy) === nameOf(logKey)))
    throw new GatehouseError('conflict', 'Another box is joining under this name: join with an empty data folder.')
  if (invite.usedBy === null) {
    write(
      ledger,
      all.map((each) => (each === invite ? { ...each, usedBy: logKey } : each)),
    )
  }
  return invite
}

function saidOf(reason: string, host: string | undefined): string {
  return host === undefined ? reason : `${reason} (reached at ${host})`
}

function read({ db }: Ledger): StoredInvite[] {
  return JSON.parse(readValue(db, NAME)?.toString() ?? '[]') as StoredInvite[]
}

function write({ db }: Ledger, invites: readonly StoredInvite[]): void {
  writeValue(db, NAME, Buffer.from(JSON.stringify(invites)))
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

/** The name in a verifier key, which contains the id of the box. */
function nameOf(logKey: string): string {
  return logKey.split('+', 1)[0] ?? ''
}
