/** Somebody at a box's machine who can use its nats-server, and has not the key of its journal. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { eventTag } from '@gatehouse/proto/code.ts'
import { forgedPage } from '../../nemesis/attacks.ts'
import { count } from '../../src/drizzle/core.ts'
import { openSnapshot } from '../../src/ledger/db.ts'
import { journal } from '../../src/ledger/schema.ts'
import { secretsBeside } from '../../src/ledger/secrets.ts'
import { tagSecret, withTag } from '../../src/mesh/replication/member-tag.ts'
import { numbered } from '../../src/mesh/replication/message-number.ts'
import { signMessage } from '../../src/mesh/replication/signed-message.ts'
import { connectToServerOf } from './server-account.ts'
import type { MeshBox } from './world.ts'

/** Messages of {@link pushForged}, by the reason for which a box refuses them. */
export const FORGED = { unsigned: 1, forged: 2 } as const

/** Pushes an enrolment of `FORGED_DEVICE` in the box's name: not signed, and signed with another key. */
export async function pushForged({ id, dataDir }: MeshBox, event: string): Promise<void> {
  const at = Date.now() + 1_000
  const page = forgedPage('enrolment', { box: id, index: journalLength(dataDir), at, device: '', ticket: '' })
  const { privateKey: key } = generateKeyPairSync('ed25519')
  // The tag alone would be no proof: each member can compute it.
  const seed = secretsBeside(join(dataDir, 'ledger.db')).get('signing_seed')
  if (!seed) throw new Error('a box without the key of its event')
  const secret = tagSecret(seed, event)
  const context = { kind: 'push' } as const
  const signed = (nth: number) => {
    const content = numbered(page, { ms: at, count: nth }, randomBytes(8))
    return withTag(signMessage(content, context, { by: id, event, key }), context, secret)
  }
  const tag = Buffer.from(await eventTag(event)).toString('hex')
  const nats = await connectToServerOf(dataDir, 'mesh')
  for (let i = 0; i < FORGED.unsigned; i++) nats.publish(`gh.${tag}.new.${id}`, page)
  for (let i = 0; i < FORGED.forged; i++) nats.publish(`gh.${tag}.new.${id}`, signed(i))
  await nats.drain()
}

function journalLength(dataDir: string): number {
  using snapshot = openSnapshot(join(dataDir, 'ledger.db'))
  return snapshot.drizzle.select({ entries: count() }).from(journal).get()?.entries ?? 0
}
