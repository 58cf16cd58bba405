/** Devices that were enrolled or taken out of service at another box: known at all of them, and out of service at all of them. */
import { createPublicKey } from 'node:crypto'
import { eq } from '../../../drizzle/core.ts'
import { type DeviceRow, devices } from '../../../ledger/schema.ts'
import type { PeerEntry } from '../envelope.ts'
import type { Hearing } from './hearing.ts'

export function hearDevice({ fields, rows }: PeerEntry, { ledger }: Hearing): void {
  const row = rows.device
  // A key that cannot be read would keep the roster, and so the box, from starting.
  if (!row || row.id !== (fields as { device: string }).device || !isKey(row.publicKey)) return
  const { drizzle } = ledger.db
  const there = drizzle.select().from(devices).where(eq(devices.id, row.id)).get()
  if (!there) {
    const [tokenHash, publicKey] = [Buffer.from(row.tokenHash, 'base64'), Buffer.from(row.publicKey, 'base64')]
    drizzle
      .insert(devices)
      .values({ ...row, tokenHash, publicKey })
      .run()
    return
  }
  const { revokedAt, revokedReason } = firstRevocation(there, row)
  drizzle.update(devices).set({ revokedAt, revokedReason }).where(eq(devices.id, row.id)).run()
}

type Revocation = Pick<DeviceRow, 'revokedAt' | 'revokedReason'>

/** Once out of service, always; the first one stands, with its time and reason. */
function firstRevocation(a: Revocation, b: Revocation): Revocation {
  const [first = a] = [a, b]
    .filter(({ revokedAt }) => revokedAt !== null)
    .sort(
      (x, y) => (x.revokedAt ?? 0) - (y.revokedAt ?? 0) || ((x.revokedReason ?? '') < (y.revokedReason ?? '') ? -1 : 1),
    )
  return first
}

function isKey(der: string): boolean {
  try {
    createPublicKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'spki' })
    return true
  } catch {
    return false
  }
}
