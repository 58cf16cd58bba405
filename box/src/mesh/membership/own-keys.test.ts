/** A removed box still has the event's key, with which lists of boxes are signed. It gives no other box another key by that. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { keyHolder } from '../../../test/mesh/keys.ts'
import { openLedger } from '../../ledger/open.ts'
import { originOf, signingKey, verifierKey } from '../../seal/verifier-key.ts'
import { encodePublicKey } from '../encryption/box-key.ts'
import { type KeyHolder, makeGroupKey, openGroupKey } from '../encryption/group-key.ts'
import { hasSignedKeys, withSignature } from '../signed-keys.ts'
import {
  boxOf,
  firstTopology,
  signTopology,
  type Topology,
  type TopologyBox,
  withAddress,
  withBox,
} from '../topology.ts'
import { completeKeys, MESH_ACTOR } from './address.ts'
import { Membership } from './membership.ts'

const EVENT = 'fair'
const eventKey = signingKey(randomBytes(32))
const act = { ...MESH_ACTOR, action: 'joined', box: 'any' } as const
const linkKeys = () => ({
  bulk: randomBytes(32).toString('base64'),
  urgent: randomBytes(32).toString('base64'),
  tls: randomBytes(32).toString('hex'),
})

describe("a box's own keys", () => {
  let folder: string
  let stack: DisposableStack
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-own-keys-'))
    stack = new DisposableStack()
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  })
  afterEach(() => stack.dispose())

  function open(id: string, logKey = signingKey(randomBytes(32))) {
    const { ledger } = openLedger({ dataDir: join(folder, id), eventId: EVENT, wallClock: Date.now })
    stack.defer(() => ledger[Symbol.dispose]())
    const member = (holder: KeyHolder) =>
      stack.use(new Membership({ ledger, eventId: EVENT, eventKey, keyHolder: { ...holder, logKey }, now: Date.now }))
    const holder = keyHolder(id)
    const listed = {
      ...{ id, name: id, log_key: verifierKey(originOf(EVENT, id), logKey), host: '10.0.0.2' },
      ...{ ports: { route: 6222, leaf: 7422 }, https: 'https://10.0.0.2:8443', device: 'https://10.0.0.2:8444' },
      ...{ link_keys: linkKeys(), encryption_key: encodePublicKey(holder.key) },
    }
    return { id, logKey, holder, listed, member, membership: member(holder) }
  }
  const listOf = (membership: Membership) => membership.topology ?? assert.fail()
  /** Two boxes, each with its keys signed by itself. */
  async function opened() {
    const [a, b] = [open('a'), open('b')]
    await a.membership.change(() => firstTopology(EVENT, a.listed), act)
    await a.membership.change((list) => list && withBox(list, b.listed), act)
    await b.membership.adopt(a.membership.signed ?? '', 'a')
    await completeKeys(b.membership, 'b')
    await a.membership.adopt(b.membership.signed ?? '', 'b')
    for (const { membership } of [a, b])
      for (const box of listOf(membership).boxes) assert.ok(hasSignedKeys(box, EVENT), box.id)
    return [a, b] as const
  }
  const without = ({ key_signature: _, ...box }: TopologyBox): TopologyBox => box

  const thief = keyHolder('b')
  const stolen = { encryption_key: encodePublicKey(thief.key) }
  const attacks: [string, (box: TopologyBox) => TopologyBox][] = [
    ['without a signature', (box) => ({ ...without(box), ...stolen })],
    ['under the signature of its own ones', (box) => ({ ...box, ...stolen })],
    [
      'with a signature by another log key',
      (box) => {
        const logKey = signingKey(randomBytes(32))
        const as = { ...box, ...stolen, log_key: verifierKey(originOf(EVENT, 'b'), logKey) }
        return { ...box, ...stolen, key_signature: withSignature(as, EVENT, logKey)?.key_signature ?? assert.fail() }
      },
    ],
    ['for its connections', (box) => ({ ...without(box), ...stolen, link_keys: linkKeys() })],
  ]
  for (const [how, change] of attacks)
    it(`are not replaced by a list with others, ${how}`, async () => {
      const [a, b] = await opened()
      const before = listOf(a.membership)
      const boxes = before.boxes.map((box) => (box.id === 'b' ? change(box) : box))
      const forged: Topology = { ...before, version: before.version + 5, boxes }
      // The thief makes a group key in the name of b, with the key that it has put there.
      const text = signTopology({ ...forged, group_key: makeGroupKey(forged, thief) }, eventKey)
      assert.equal(await a.membership.adopt(text, 'nobody'), true)
      const after = listOf(a.membership)
      assert.deepEqual(boxOf(after, 'b'), boxOf(before, 'b'))
      assert.equal(openGroupKey(after, thief), undefined, 'the thief does not get the group key')
      await b.membership.adopt(a.membership.signed ?? '', 'a')
      const keys = [a, b].map(({ membership, holder }) => openGroupKey(listOf(membership), holder)?.id)
      assert.ok(keys[0] !== undefined && keys[0] === keys[1])
    })

  it('are changed by the box itself: a new pair, and new keys of its connections', async () => {
    const [a, b] = await opened()
    const again = b.member(keyHolder('b'))
    await completeKeys(again, 'b')
    const link_keys = linkKeys()
    await again.change((list) => list && withAddress(list, 'b', { link_keys }), act)
    await a.membership.adopt(again.signed ?? '', 'b')
    const [known, own] = [listOf(a.membership), listOf(again)].map((list) => boxOf(list, 'b'))
    assert.deepEqual(known, own)
    assert.deepEqual(known?.link_keys, link_keys)
    assert.notEqual(known?.encryption_key, b.listed.encryption_key)
    assert.ok(known && hasSignedKeys(known, EVENT))
  })

  it('that a box of a list of version 3 has not signed yet are taken over, and then signed by it', async () => {
    const a = open('a')
    const list = { ...firstTopology(EVENT, a.listed), v: 3 as const }
    await a.membership.adopt(signTopology(list, eventKey), 'before')
    await completeKeys(a.membership, 'a')
    const { v, boxes } = listOf(a.membership)
    assert.deepEqual([v, boxes.map((box) => hasSignedKeys(box, EVENT))], [4, [true]])
    assert.ok(!a.membership.isIncomplete)
  })

  it('are not signed with a log key that is not listed, and not again and again', async () => {
    const a = open('a')
    const other = { ...a.listed, log_key: verifierKey(originOf(EVENT, 'a'), signingKey(randomBytes(32))) }
    await a.membership.change(() => firstTopology(EVENT, other), act)
    assert.equal(boxOf(listOf(a.membership), 'a').key_signature, undefined)
    assert.ok(!a.membership.isIncomplete)
  })
})
