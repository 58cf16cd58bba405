/** The client key and certificate of the box's own change feed, for HQ: one file, made by the box, and renewed while it runs. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type FileAccess, readIfThere, replaceDurably } from '../durable-file.ts'
import type { Authority } from './authority.ts'
import { type FeedName, feedNameOf, feedNameUri } from './feed-name.ts'
import { pemBlock } from './pem.ts'
import { needsRenewal } from './server-identity.ts'

/**
 * Makes the file again if it is missing, damaged, of another authority or another box, or past two thirds of its life. The
 * certificate and its key are one file, so that a reader never gets one without the other.
 * @returns whether it was made
 */
export async function keepFeedIdentity(
  path: string,
  name: FeedName,
  { authority, now, access }: { authority: Authority; now: () => number; access?: FileAccess | undefined },
): Promise<boolean> {
  if (isGood((await readIfThere(path)) ?? '', name, { authority, now })) return false
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const { key, certificate } = await authority.issueFeedCertificate(name)
  await replaceDurably(path, certificate + key, access)
  return true
}

function isGood(pem: string, name: FeedName, { authority, now }: { authority: Authority; now: () => number }): boolean {
  try {
    const certificate = new X509Certificate(pemBlock(pem, 'CERTIFICATE') ?? '')
    const shown = feedNameOf(certificate)
    return (
      certificate.verify(new X509Certificate(authority.certificate).publicKey) &&
      certificate.checkPrivateKey(createPrivateKey(pemBlock(pem, 'PRIVATE KEY') ?? '')) &&
      shown !== undefined &&
      feedNameUri(shown) === feedNameUri(name) &&
      !needsRenewal(certificate, [], [], now())
    )
  } catch {
    return false
  }
}
