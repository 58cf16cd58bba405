/** A machine that only votes, with all that its nats-server lets it do: it publishes and answers in the name of a box. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import { LiveScans } from '../../src/live-scans.ts'
import { encodePage } from '../../src/mesh/replication/envelope.ts'
import { withTag } from '../../src/mesh/replication/member-tag.ts'
import { natsTransport } from '../../src/mesh/replication/nats-transport.ts'
import { type MessageContext, signMessage } from '../../src/mesh/replication/signed-message.ts'
import { SignedTransport } from '../../src/mesh/replication/signed-transport.ts'
import { originOf, verifierKey } from '../../src/seal/verifier-key.ts'
import { natsServer } from '../world/nats-server.ts'
import { until } from '../world/until.ts'
import { EVENT, MeshEngines } from './engines.ts'

const { whyNot } = await natsServer()
const TAG = '0011'
const SECRET = randomBytes(32)
const utf8 = (bytes: Uint8Array) => Buffer.from(bytes).toString()

it('a voter publishes and answers in the name of a box in vain, over NATS', {
  skip: whyNot,
  timeout: 120_000,
}, async () => {
  const keys = [0, 1, 2].map(() => generateKeyPairSync('ed25519').privateKey)
  const [, , stranger] = keys
  assert.ok(stranger)
  await using engines = await MeshEngines.open(3, (i) => ({ ...(i === 2 && { role: 'voter' as const }) }))
  const boxes = engines.topology.boxes.map((box, i) => ({
    ...box,
    log_key: verifierKey(originOf(EVENT, box.id), keys[i] ?? stranger),
  }))
  await engines.startAll()
  const refused: string[] = []
  using carriers = new DisposableStack()
  const transports = [0, 1].map((i) => {
    const self = engines.id(i)
    const carrier = carriers.use(natsTransport({ engine: engines.at(i), tag: TAG, self, liveScans: new LiveScans() }))
    const topology = () => ({ ...engines.topology, boxes })
    const refusals = { count: (by: string | null, why: string) => void refused.push(`${by} ${why}`) }
    const logKey = keys[i] ?? stranger
    return new SignedTransport({
      ...{ carrier, event: EVENT, self, logKey, tagSecret: SECRET, topology, refusals },
      clock: new HybridLogicalClock({ wallClock: Date.now, maxOffsetMs: 0 }),
      monotonic: () => performance.now(),
    })
  })
  const [asking, owner] = transports as [SignedTransport, SignedTransport]
  const box = engines.id(1)
  const taken: string[] = []
  asking.onPush((by, page) => void taken.push(`${by} ${utf8(page)}`))
  asking.onUrgent((by, page) => void taken.push(`${by} ${utf8(page)}`))
  owner.answer((question) => Buffer.from(`true answer to ${utf8(question)}`))

  const voter = engines.at(2)
  const forged = encodePage({ box, size: 9, entries: [] })
  const inItsName = (context: MessageContext) =>
    withTag(signMessage(forged, context, { by: box, event: EVENT, key: stranger }), context, randomBytes(32))
  voter.bulk.subscribe(`gh.${TAG}.journal.${box}`, {
    callback: (_, message) => {
      message.respond(forged)
      message.respond(inItsName({ kind: 'answer', question: message.data }))
    },
  })
  await voter.bulk.flush()
  // Until the servers know each other's subscriptions.
  await until(async () => {
    voter.bulk.publish(`gh.${TAG}.new.${box}`, forged)
    voter.bulk.publish(`gh.${TAG}.new.${box}`, inItsName({ kind: 'push' }))
    voter.urgent.publish(`gh.${TAG}.urgent.${box}`, inItsName({ kind: 'urgent' }))
    const answer = await asking.request(box, Buffer.from('a question')).catch(() => undefined)
    if (answer) assert.equal(utf8(answer), 'true answer to a question')
    return answer !== undefined && refused.includes(`${box} unsigned`) && refused.includes(`${box} forged`)
  })
  assert.equal(taken.length, 0)
  // A push of the box itself arrives.
  await until(() => {
    owner.push(Buffer.from('page'))
    owner.pushUrgent(Buffer.from('emergency'))
    return taken.includes(`${box} page`) && taken.includes(`${box} emergency`)
  })
})
