/** Fetches manifests and deltas, and accepts them only if they are signed with the key that was pinned at pairing. */
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import type { Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import { checkedVerifierKey } from '@gatehouse/proto/verifier-key.ts'
import type { Manifest, ManifestDelta } from '@gatehouse/proto/wire/device.ts'
import { MirrorRefused } from './stored-mirror.ts'

export interface ManifestRequest {
  eventId: string
  verifierKey: string
  ed25519: Ed25519Verifier
  /** The version that the mirror has; undefined without a mirror, or where it is of another box. */
  known: { life: number; version: number } | undefined
  /** The newest version that was ever taken of a box. @param box as the manifest names it; undefined where it names none */
  newest: (box: string | undefined) => { life: number; version: number } | undefined
  /** Asks for the whole manifest instead of the changes. */
  whole: boolean
  /** The ETag of the last answer to the same question. */
  etag: string | undefined
}

export type FetchedManifest = { answer: Manifest | ManifestDelta; etag: string | undefined } | 'unchanged' | 'later'

/**
 * Rejects when the box does not answer. @returns `later` when it refuses for now
 * @throws MirrorRefused for a manifest that its box did not sign, of another event, or older than the mirror
 */
export async function fetchManifest(
  client: GatehouseClient,
  { eventId, verifierKey, ed25519, known, newest, whole, etag }: ManifestRequest,
): Promise<FetchedManifest> {
  const { data, response } = await client.GET('/v1/manifest', {
    params: {
      ...(known && !whole && { query: { since: known.version } }),
      ...(etag !== undefined && { header: { 'if-none-match': etag } }),
    },
  })
  if (response.status === 304) return 'unchanged'
  if (!data) return 'later'
  await requireSigned(data, verifierKey, ed25519)
  if (data.event_id !== eventId) throw new MirrorRefused('a manifest of another event')
  // A box that was restored begins a new incarnation, and counts from an earlier version; incarnations only increase.
  const { life, version } = data
  const had = newest(data.box_id)
  if (had && (life < had.life || (life === had.life && version < had.version))) {
    const both = `${life}/${version} is older than ${had.life}/${had.version}`
    throw new MirrorRefused(`version ${both}: an old manifest was played back`)
  }
  return { answer: data, etag: response.headers.get('etag') ?? undefined }
}

/** @throws MirrorRefused unless the box of `verifierKey` signed exactly this */
async function requireSigned(
  manifest: Manifest | ManifestDelta,
  verifierKey: string,
  ed25519: Ed25519Verifier,
): Promise<void> {
  const { signature, ...signed } = manifest
  const bytes = typeof signature === 'string' ? fromBase64(signature) : undefined
  const publicKey = (await checkedVerifierKey(verifierKey, ed25519.sha256))?.publicKey
  if (!bytes || !publicKey) throw new MirrorRefused('a manifest without a signature')
  const message = new TextEncoder().encode(canonicalJson(signed))
  if (!(await ed25519.verify(publicKey, message, bytes))) {
    throw new MirrorRefused('a manifest that its box did not sign')
  }
}
