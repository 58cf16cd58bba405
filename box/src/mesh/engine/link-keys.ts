/**
 * The keys with which this machine connects to the other members: made once, kept in a file that only its own user reads, and
 * never sent. The list of boxes has the public halves; whoever is taken off it connects to nobody any more.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { readIfThere, replaceDurably } from '../../durable-file.ts'
import { rawPublicKey } from '../../ed25519.ts'
import { signingKey } from '../../seal/verifier-key.ts'
import type { LinkKeys } from '../topology-schema.ts'
import { userSeed } from './nkey.ts'

export interface OwnLinkKeys {
  /** As the list of boxes is to have them. */
  readonly listed: LinkKeys
  /** As nats-server reads them: secret. */
  readonly seeds: { readonly bulk: string; readonly urgent: string }
  /** P-256, private: of this machine's certificate for the mesh. */
  readonly tls: KeyObject
}

const FILE = 'link-keys.json'
const Kept = Type.Object({ bulk: Type.String(), urgent: Type.String(), tls: Type.String() })

/**
 * Reads the keys, or makes them where there are none or the file is damaged: then the machine lists new ones.
 * @param dataDir of the box or voter
 */
export async function openLinkKeys(dataDir: string): Promise<OwnLinkKeys> {
  const folder = join(dataDir, 'nats')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, FILE)
  const kept = read((await readIfThere(path)) ?? '')
  if (kept) return kept
  const seed = () => randomBytes(32).toString('base64')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const made = { bulk: seed(), urgent: seed(), tls: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
  await replaceDurably(path, JSON.stringify(made))
  return keysFrom(made)
}

/** The key of a certificate as the list of boxes names it, and as nats-server pins it. */
export function tlsKeyHash(key: KeyObject): string {
  const der = (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(der).digest('hex')
}

function read(text: string): OwnLinkKeys | undefined {
  try {
    const kept: unknown = JSON.parse(text)
    return Value.Check(Kept, kept) ? keysFrom(kept) : undefined
  } catch {
    return undefined
  }
}

function keysFrom({ bulk, urgent, tls }: Static<typeof Kept>): OwnLinkKeys {
  const key = createPrivateKey(tls)
  const seeds = { bulk: Buffer.from(bulk, 'base64'), urgent: Buffer.from(urgent, 'base64') }
  const publicOf = (seed: Uint8Array) => rawPublicKey(signingKey(seed)).toString('base64')
  return {
    listed: { bulk: publicOf(seeds.bulk), urgent: publicOf(seeds.urgent), tls: tlsKeyHash(key) },
    seeds: { bulk: userSeed(seeds.bulk), urgent: userSeed(seeds.urgent) },
    tls: key,
  }
}
