/** Applies enrolments and revocations of devices at other boxes: a device is known to, or revoked at, all of them. */
import { readP256 } from '../../../ca/p256.ts'
import { eq } from '../../../drizzle/core.ts'
import { type DeviceRow, devices } from '../../../ledger/schema.ts'
import type { PeerEntry } from '../envelope.ts'
import type { ApplyContext } from './context.ts'

export function applyDevice(
  { fields, rows }: PeerEntry<'enrolment' | 'device_revoked'>,
  { ledger }: ApplyContext,
): void {
  const row = rows.device
  // As at pairing. A key that cannot be read would keep the roster, and so the box, from starting.
  if (!row || row.id !== fields.device || !readP256(Buffer.from(row.publicKey, 'base64'))) return
  const { drizzle } = ledger.db
  const there = drizzle.select().from(devices).where(eq(devices.id, row.id)).get()
  if (!there) {
    const [tokenHash, publicKey] = [Buffer.from(row.tokenHash, 'base64'), Buffer.from(row.publicKey, 'base64')]
    drizzle
      .insert(devices)
      .values({ ...row, tokenHash, publicKey, app: row.app ?? null })
      .run()
    return
  }
  const { revokedAt, revokedReason } = firstRevocation(there, row)
  drizzle.update(devices).set({ revokedAt, revokedReason }).where(eq(devices.id, row.id)).run()
}

type Revocation = Pick<DeviceRow, 'revokedAt' | 'revokedReason'>

/** A revocation is final. Of two the earlier one counts, with its time and reason. */
function firstRevocation(a: Revocation, b: Revocation): Revocation {
  const [first = a] = [a, b]
    .filter(({ revokedAt }) => revokedAt !== null)
    .sort(
      (x, y) => (x.revokedAt ?? 0) - (y.revokedAt ?? 0) || ((x.revokedReason ?? '') < (y.revokedReason ?? '') ? -1 : 1),
    )
  return first
}
