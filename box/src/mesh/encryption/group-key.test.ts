import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { keyHolder, withKeys } from '../../../test/mesh/keys.ts'
import { boxKeyOf, encodePublicKey, isUsable } from './box-key.ts'
import {
  type GroupKey,
  haveAllKeys,
  haveSameRecipients,
  isGroupKeyOf,
  isIncomplete,
  openGroupKey,
} from './group-key.ts'

/** `abC`: boxes a and b, and c that only votes. */
const listOf = (ids: string) =>
  [...ids].map((id) => ({ id: id.toLowerCase(), role: id === id.toUpperCase() ? 'voter' : 'leaf' }))
const holders = Object.fromEntries([...'abcde'].map((id) => [id, keyHolder(id)]))
const holder = (id: string) => holders[id] ?? keyHolder(id)
const keyed = (ids: string) =>
  withKeys(
    listOf(ids),
    [...ids].map((id) => holder(id.toLowerCase())),
  )
const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')

describe('a group key', () => {
  it('is opened by every box with a journal to the same 32 bytes, and by nobody else', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcde'), { minLength: 1 }).chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.array(fc.boolean(), { minLength: all.length, maxLength: all.length }).map(([, ...rest]) => [false, ...rest]),
      ),
    )
    fc.assert(
      fc.property(ids, ([all, votes]) => {
        const text = all.map((id, i) => (votes[i] ? id.toUpperCase() : id)).join('')
        const list = keyed(text)
        const opened = new Set<string | undefined>()
        for (const [i, id] of all.entries()) {
          const key = openGroupKey(list, holder(id))
          if (votes[i]) assert.equal(key, undefined, 'a machine that only votes')
          else opened.add(hex(key?.key))
        }
        assert.equal(opened.size, 1)
        assert.match([...opened][0] ?? '', /^[0-9a-f]{64}$/)
        assert.equal(openGroupKey(list, keyHolder('a')), undefined, 'the id of a box, and another key')
        assert.ok(isGroupKeyOf(list))
      }),
      { numRuns: 30 },
    )
  })

  it('has in it none of its 32 bytes in clear', () => {
    const list = keyed('ab')
    const { key = new Uint8Array() } = openGroupKey(list, holder('a')) ?? {}
    const text = JSON.stringify(list)
    for (const encoding of ['hex', 'base64', 'base64url', 'latin1'] as const)
      assert.ok(!text.includes(Buffer.from(key).toString(encoding)))
  })

  it('cannot be made by somebody who has no key of a box, although its list may be signed', () => {
    const list = keyed('ab')
    // A removed box has the event's key, and chooses a group key that it knows.
    const thief = keyHolder('c')
    const theirs = withKeys([{ id: 'c', role: 'leaf' }, ...listOf('ab')], [thief, holder('a'), holder('b')])
    for (const by of ['a', 'b', 'c']) {
      const forged = { boxes: list.boxes, group_key: { ...theirs.group_key, by } }
      assert.equal(openGroupKey(forged, holder('a')), undefined)
      assert.ok(isIncomplete(forged, holder('a')), 'a box that gets this list makes another key')
    }
  })

  it('is refused with any character changed, and under the name of another key', () => {
    const list = keyed('ab')
    const forB = list.group_key.keys.b ?? ''
    fc.assert(
      fc.property(fc.nat(forB.length - 1), fc.constantFrom('A', 'b', '9', '+'), (at, character) => {
        fc.pre(forB[at] !== character)
        const keys = { ...list.group_key.keys, b: forB.slice(0, at) + character + forB.slice(at + 1) }
        assert.equal(openGroupKey({ ...list, group_key: { ...list.group_key, keys } }, holder('b')), undefined)
      }),
    )
    // A member that hands different keys to two boxes under one name.
    const other = keyed('ab').group_key
    const mixed: GroupKey = { ...list.group_key, keys: { ...other.keys, a: list.group_key.keys.a ?? '' } }
    assert.equal(openGroupKey({ ...list, group_key: mixed }, holder('b')), undefined)
  })

  it('is for exactly the boxes of its list', () => {
    const { group_key } = keyed('ab')
    for (const ids of ['a', 'abc', 'aB', 'ac']) assert.ok(!isGroupKeyOf({ boxes: keyed(ids).boxes, group_key }), ids)
    assert.ok(isGroupKeyOf({ boxes: keyed('abC').boxes, group_key }))
    assert.ok(!isGroupKeyOf({ boxes: listOf('ab'), group_key }), 'boxes without keys')
    assert.ok(!isGroupKeyOf({ boxes: keyed('ab').boxes, group_key: { ...group_key, by: 'c' } }))
  })

  it('is made anew when a box comes, goes or has another key, and not for a voter', () => {
    const { boxes } = keyed('ab')
    assert.ok(haveSameRecipients({ boxes }, keyed('abC')))
    assert.ok(haveSameRecipients({ boxes }, { boxes: [...boxes].reverse() }))
    for (const ids of ['a', 'abc', 'aB']) assert.ok(!haveSameRecipients({ boxes }, keyed(ids)), ids)
    const [a, b] = boxes
    assert.ok(a && b)
    const changed = { ...b, encryption_key: encodePublicKey(boxKeyOf(new Uint8Array(32).fill(3))) }
    assert.ok(!haveSameRecipients({ boxes }, { boxes: [a, changed] }))
  })

  it('waits until every box has a key', () => {
    const [a, b] = keyed('ab').boxes
    assert.ok(a && b)
    const { encryption_key: _, ...old } = b
    assert.ok(!haveAllKeys({ boxes: [a, old] }))
    assert.ok(!isIncomplete({ boxes: [a, old] }, holder('a')), 'nothing to do before the other was updated')
    assert.ok(isIncomplete({ boxes: [a, old] }, holder('b')), 'which has its key to add')
    assert.ok(isIncomplete({ boxes: [a, b] }, holder('a')), 'and then the group key is missing')
    assert.ok(!isIncomplete({ boxes: [a, b] }, holder('c')), 'whoever is not listed has nothing to do with it')
    assert.ok(!isIncomplete(keyed('ab'), holder('b')))
  })
})

it('a public key of small order is no key: everybody could open what is encrypted for it', () => {
  const point = (hexText: string) => Buffer.from(hexText, 'hex').toString('base64')
  // RFC 7748, section 6.1, and D. J. Bernstein's list (cr.yp.to/ecdh.html).
  for (const small of [
    '00'.repeat(32),
    `01${'00'.repeat(31)}`,
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
    `ec${'ff'.repeat(30)}7f`,
    `ed${'ff'.repeat(30)}7f`,
    `ee${'ff'.repeat(30)}7f`,
  ])
    assert.ok(!isUsable(point(small)), small)
  assert.ok(isUsable(encodePublicKey(holder('a').key)))
  assert.ok(!isUsable('AAAA'))
})
