/** Several boxes, each with its own ledger, hand each other lists of boxes: who makes a group key, and who gets it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { keyHolder } from '../../../test/mesh/keys.ts'
import { GatehouseError } from '../../errors.ts'
import { openLedger } from '../../ledger/open.ts'
import { signingKey } from '../../seal/verifier-key.ts'
import { encodePublicKey } from '../encryption/box-key.ts'
import { openGroupKey } from '../encryption/group-key.ts'
import { firstTopology, signTopology, type Topology, TopologyError, withBox, withoutBox } from '../topology.ts'
import { completeKeys, MESH_ACTOR } from './address.ts'
import { Membership } from './membership.ts'

const eventKey = signingKey(randomBytes(32))
const act = { ...MESH_ACTOR, action: 'joined', box: 'any' } as const

describe('the group key', () => {
  let folder: string
  let stack: DisposableStack
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-group-keys-'))
    stack = new DisposableStack()
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  })
  afterEach(() => stack.dispose())

  function open(id: string) {
    const { ledger } = openLedger({ dataDir: join(folder, id), eventId: 'fair', wallClock: Date.now })
    stack.defer(() => ledger[Symbol.dispose]())
    const holder = keyHolder(id)
    const deps = { ledger, eventId: 'fair', eventKey, keyHolder: holder, now: Date.now }
    const membership = stack.use(new Membership(deps))
    const listed = {
      ...{ id, name: id, log_key: `gatehouse/fair/${id}+00000000+AAAA`, host: '10.0.0.2' },
      ...{ ports: { route: 6222, leaf: 7422 }, https: 'https://10.0.0.2:8443', device: 'https://10.0.0.2:8444' },
    }
    return {
      id,
      membership,
      /** As an older version is listed, and as it is listed when it joins. */
      listed,
      joining: { ...listed, encryption_key: encodePublicKey(holder.key) },
      change: (make: (list: Topology) => Topology) => membership.change((list) => list && make(list), act),
      key: () => {
        const opened = membership.topology && openGroupKey(membership.topology, holder)
        return opened && Buffer.from(opened.key).toString('hex')
      },
    }
  }
  type Opened = ReturnType<typeof open>

  /** Each hands the others its list until none has news; fails if that never ends. */
  async function exchange(...boxes: Opened[]) {
    for (let round = 0; ; round++) {
      assert.ok(round < 10, 'the lists become the same')
      let news = 0
      for (const from of boxes)
        for (const to of boxes) {
          const signed = from.membership.signed
          if (from !== to && signed !== undefined && (await to.membership.adopt(signed, from.id))) news++
        }
      if (news === 0) return
    }
  }
  async function opened<const Ids extends readonly string[]>(...ids: Ids) {
    const boxes = ids.map(open)
    const [first, ...rest] = boxes
    assert.ok(first)
    await first.membership.change(() => firstTopology('fair', first.listed), act)
    for (const { joining } of rest) await first.change((list) => withBox(list, joining))
    await exchange(...boxes)
    return boxes as unknown as { [I in keyof Ids]: Opened }
  }
  const allHave = (boxes: readonly Opened[]) => {
    const [key, ...more] = new Set(boxes.map((box) => box.key()))
    assert.ok(key !== undefined && more.length === 0, 'all have the same one')
    assert.equal(new Set(boxes.map(({ membership }) => membership.signed)).size, 1, 'and the same list')
    return key
  }

  it('is there for the first box, and handed to each that joins in the list that lets it in', async () => {
    const [a, b] = await opened('a', 'b')
    const before = allHave([a, b])
    const c = open('c')
    await a.change((list) => withBox(list, c.joining))
    assert.equal(await c.membership.adopt(a.membership.signed ?? '', 'a'), true)
    assert.equal(c.key(), a.key())
    assert.notEqual(c.key(), before, 'what was sent before it came is closed to it')
    await exchange(a, b, c)
    allHave([a, b, c])
  })

  it('is renewed when a box is removed; one that was off then gets it when it is back', async () => {
    const [a, b, c, d] = await opened('a', 'b', 'c', 'd')
    const before = allHave([a, b, c, d])
    await a.change((list) => withoutBox(list, 'd'))
    await exchange(a, b)
    const after = allHave([a, b])
    assert.notEqual(after, before)
    assert.equal(c.key(), before, 'c is off')
    await exchange(b, c)
    assert.equal(allHave([a, b, c]), after)
    await d.membership.adopt(a.membership.signed ?? '', 'a')
    assert.equal(d.key(), undefined, 'the removed one has the list, and not its key')
  })

  it('is made by those who stay when a box takes itself off the list', async () => {
    const [a, b, c] = await opened('a', 'b', 'c')
    const before = allHave([a, b, c])
    await c.change((list) => withoutBox(list, 'c'))
    assert.equal(c.membership.topology?.group_key, undefined)
    // Both get the list from c, and each makes a key of its own.
    await Promise.all([a, b].map(({ membership }) => membership.adopt(c.membership.signed ?? '', 'c')))
    assert.notEqual(a.key(), b.key())
    await exchange(a, b, c)
    assert.notEqual(allHave([a, b]), before)
    assert.equal(c.key(), undefined)
  })

  it('becomes one again when two parts that do not reach each other renew it at once', async () => {
    const [a, b, c, d] = await opened('a', 'b', 'c', 'd')
    await a.change((list) => withoutBox(list, 'd'))
    await b.change((list) => withoutBox(list, 'c'))
    const apart = [a.key(), b.key()]
    await exchange(a, b)
    assert.ok(!apart.includes(allHave([a, b])), 'c and d each have had one of the keys')
    for (const gone of [c, d]) {
      await gone.membership.adopt(a.membership.signed ?? '', 'a')
      assert.equal(gone.key(), undefined)
    }
  })

  it('waits for the last box to be updated, whoever is updated first', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map(open) as [Opened, Opened, Opened]
    // As three boxes of an older version have it: no keys.
    const old = withBox(withBox(firstTopology('fair', a.listed), b.listed), c.listed)
    for (const { membership } of [a, b, c]) await membership.adopt(signTopology(old, eventKey), 'test')
    // Each puts its key in when it takes the list over; the last one completes it.
    await completeKeys(a.membership, 'a')
    await exchange(a, b)
    assert.equal(
      a.key(),
      a.membership.topology?.boxes.every(({ encryption_key }) => encryption_key) ? a.key() : undefined,
    )
    await exchange(a, b, c)
    allHave([a, b, c])
    // A newer list by somebody who has not heard of the keys takes none of them away.
    const later = { ...old, version: 99 }
    await b.membership.adopt(signTopology(later, eventKey), 'test')
    await exchange(a, b, c)
    allHave([a, b, c])
  })

  it('is not given up for a box of an older version: nobody sends in clear again', async () => {
    const [a, b] = await opened('a', 'b')
    const key = allHave([a, b])
    const old = open('old').listed
    await assert.rejects(
      a.change((list) => withBox(list, old)),
      (error) => error instanceof GatehouseError && error.code === 'conflict' && /update it first/.test(error.message),
    )
    const list = a.membership.topology
    assert.ok(list)
    const forged = signTopology({ ...withBox(list, old), version: 99 }, eventKey)
    await assert.rejects(b.membership.adopt(forged, 'x'), TopologyError)
    assert.equal(allHave([a, b]), key)
  })

  it('that a removed box has signed into the list is replaced by the first box that sees it', async () => {
    const [a, b, c] = await opened('a', 'b', 'c')
    await a.change((list) => withoutBox(list, 'c'))
    const list = a.membership.topology
    assert.ok(list)
    const { group_key } = c.membership.topology ?? {}
    assert.ok(group_key)
    const { c: _, ...keys } = group_key.keys
    const forged = { ...list, version: list.version + 9, group_key: { ...group_key, by: 'b', keys } }
    const known = c.key()
    await b.membership.adopt(signTopology(forged, eventKey), 'x')
    await exchange(a, b)
    assert.notEqual(allHave([a, b]), known)
  })

  it('is handed again to a box that has lost its own key', async () => {
    const [a, b] = await opened('a', 'b')
    const before = allHave([a, b])
    const { ledger } = openLedger({ dataDir: join(folder, 'b'), eventId: 'fair', wallClock: Date.now })
    stack.defer(() => ledger[Symbol.dispose]())
    const holder = keyHolder('b')
    const again = stack.use(new Membership({ ledger, eventId: 'fair', eventKey, keyHolder: holder, now: Date.now }))
    assert.ok(again.isIncomplete)
    await completeKeys(again, 'b')
    assert.ok(!again.isIncomplete)
    await a.membership.adopt(again.signed ?? '', 'b')
    assert.notEqual(a.key(), before)
    assert.equal(a.membership.signed, again.signed)
  })
})
