import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { keyHolder, withKeys } from '../../../test/mesh/keys.ts'
import type { Topology } from '../topology.ts'
import { keyNamedIn } from './encrypted-content.ts'
import { Keyring, LockedMessageError } from './keyring.ts'

const [a, b, c] = ['a', 'b', 'c'].map((id) => keyHolder(id)) as [Holder, Holder, Holder]
type Holder = ReturnType<typeof keyHolder>
const leaves = (holders: readonly Holder[]) => holders.map(({ id }) => ({ id, role: 'leaf' }))
const listOf = (...holders: Holder[]) => withKeys(leaves(holders), holders) as unknown as Topology
/** Only where `old` has no key yet. */
const mixed = (...holders: Holder[]) =>
  ({ boxes: [...listOf(...holders).boxes, { id: 'old', role: 'leaf' }] }) as Topology
const ringOf = (holder: Holder, list: Topology) => {
  const now = { list }
  return { ring: new Keyring(holder, () => now.list), now }
}
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const page = Buffer.from('{"v":1,"box":"a","size":1,"entries":[{"rows":{"name":"Ana Reis"}}]}')
const locked = (open: () => unknown, why: RegExp) =>
  assert.throws(open, (error) => error instanceof LockedMessageError && why.test(error.message))

describe('content between boxes', () => {
  it('is read by the other boxes byte for byte, and shows nothing of itself', () => {
    const list = listOf(a, b)
    const [{ ring: from }, { ring: to }] = [ringOf(a, list), ringOf(b, list)]
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (content) => {
        const sent = from.encrypt(content)
        assert.deepEqual(Buffer.from(to.decrypt(sent)), Buffer.from(content))
        if (content.length >= 8) assert.ok(!Buffer.from(sent).includes(Buffer.from(content)))
        // The same content twice is not the same bytes.
        assert.notDeepEqual(Buffer.from(from.encrypt(content)), Buffer.from(sent))
      }),
    )
  })

  it('is locked with any bit flipped, cut, or for whoever is not on the list', () => {
    const list = listOf(a, b)
    const [{ ring: from }, { ring: to }] = [ringOf(a, list), ringOf(b, list)]
    const sent = from.encrypt(page)
    for (let at = 0; at < sent.length; at++) {
      const changed = Buffer.from(sent)
      changed[at] = (changed[at] ?? 0) ^ 1
      locked(() => to.decrypt(changed), /in clear|not known here/)
      locked(() => to.decrypt(sent.subarray(0, at)), /in clear|not known here/)
    }
    locked(() => ringOf(c, list).ring.decrypt(sent), /not known here/)
  })

  it('is read with the key before the present one, which others may still have', () => {
    const [{ ring, now }, other] = [ringOf(a, listOf(a, b, c)), ringOf(b, listOf(a, b, c))]
    other.now.list = now.list
    const before = other.ring.encrypt(page)
    assert.equal(text(ring.decrypt(before)), text(page))
    now.list = listOf(a, b)
    assert.equal(text(ring.decrypt(before)), text(page))
    const after = ring.encrypt(page)
    assert.notEqual(keyNamedIn(after), keyNamedIn(before))
    locked(() => other.ring.decrypt(after), /not known here/)
    other.now.list = now.list
    assert.equal(text(other.ring.decrypt(after)), text(page), 'once it has the new list')
  })

  it('of a member that was removed is closed to it from the next list on', () => {
    const [{ ring, now }, removed] = [ringOf(a, listOf(a, b, c)), ringOf(c, listOf(a, b, c))]
    removed.now.list = now.list
    assert.equal(text(removed.ring.decrypt(ring.encrypt(page))), text(page))
    now.list = listOf(a, b)
    // It may take over the new list as well: its key is not in there.
    for (const list of [removed.now.list, now.list]) {
      removed.now.list = list
      locked(() => removed.ring.decrypt(ring.encrypt(page)), /not known here/)
    }
    locked(() => removed.ring.encrypt(page), /no group key/)
  })

  it('is in clear while a box of the list has an older version, and never after', () => {
    const { ring, now } = ringOf(a, mixed(a))
    assert.equal(text(ring.encrypt(page)), text(page))
    assert.equal(text(ring.decrypt(page)), text(page))
    now.list = listOf(a, b)
    assert.ok(!text(ring.encrypt(page)).includes('Ana Reis'))
    locked(() => ring.decrypt(page), /in clear/)
  })

  it('is not sent at all where the group key is missing, or cannot be opened', () => {
    const list = listOf(a, b)
    const { group_key: _, ...without } = list
    for (const each of [without as Topology, { ...list, group_key: listOf(a, b).group_key } as Topology])
      locked(() => ringOf(c, each).ring.encrypt(page), /no group key/)
    locked(() => ringOf(a, without as Topology).ring.encrypt(page), /no group key/)
  })
})
