/**
 * Certificates of a shop's feed: issued by the box's own authority, and listed by their fingerprints. A scanner's certificate is
 * of the same authority and not in the list, so that it cannot deliver; nor can a shop's certificate scan.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { By } from '../ca/actor.ts'
import type { Authority } from '../ca/authority.ts'
import { eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type ShopCertificate, shopCertificates } from '../ledger/schema.ts'

export interface IssuedCertificate {
  /** PEM, both. */
  key: string
  certificate: string
  fingerprint: string
  /** Unix ms. */
  notAfter: number
}

const SOURCE = /^[a-z0-9][a-z0-9-]{0,62}$/

/** @throws GatehouseError `bad_request` for an invalid name; `conflict` once the event is over */
export async function issueCertificate(
  { source, by }: { source: string; by: By },
  { authority, ledger, now }: { authority: Authority; ledger: Ledger; now: () => number },
): Promise<IssuedCertificate> {
  if (!SOURCE.test(source)) {
    throw new GatehouseError(
      'bad_request',
      'A source is named with small letters, digits and hyphens, 63 at most: shop, for example.',
    )
  }
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { certificate, fingerprint, notAfter } = await authority.issueDeviceCertificate({
    deviceId: `shop-${randomBytes(6).toString('hex')}`,
    publicKey,
  })
  await ledger.commit(() => {
    const issuedAt = now()
    ledger.db.drizzle.insert(shopCertificates).values({ fingerprint, source, issuedAt, expiresAt: notAfter }).run()
    ledger.append('shop_certificate', { ...by, certificate: fingerprint, source })
  })
  return { key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), certificate, fingerprint, notAfter }
}

/**
 * From the next batch on, the certificate is refused.
 * @param prefix of its fingerprint
 * @throws GatehouseError `not_found`
 */
export function revokeCertificate(
  prefix: string,
  { by, reason, at }: { by: By; reason: string; at: number },
  ledger: Ledger,
): Promise<ShopCertificate> {
  return ledger.commit(() => {
    const { drizzle } = ledger.db
    const known = drizzle.select().from(shopCertificates).all()
    const [row, another] = known.filter(({ fingerprint }) => fingerprint.startsWith(prefix.toLowerCase()))
    if (!row || another || prefix.length < 8) {
      throw new GatehouseError(
        'not_found',
        'No certificate of a shop, or more than one, begins so: "gatehouse shop status" lists them.',
      )
    }
    if (row.revokedAt !== null) return row
    const revoked = { revokedAt: at, revokedReason: reason }
    drizzle.update(shopCertificates).set(revoked).where(eq(shopCertificates.fingerprint, row.fingerprint)).run()
    ledger.append('shop_certificate_revoked', { ...by, certificate: row.fingerprint, reason })
    return { ...row, ...revoked }
  })
}

export function certificatesOf(ledger: Ledger): ShopCertificate[] {
  return ledger.db.drizzle.select().from(shopCertificates).orderBy(shopCertificates.issuedAt).all()
}

/** The source that this certificate may deliver for now; undefined when there is none. */
export function sourceOf(fingerprint: string, now: number, { db }: Ledger): string | undefined {
  const row = db.drizzle.select().from(shopCertificates).where(eq(shopCertificates.fingerprint, fingerprint)).get()
  return row && row.revokedAt === null && now < row.expiresAt ? row.source : undefined
}
