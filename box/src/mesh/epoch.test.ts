import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isEpochKnown } from './epoch.ts'
import { firstTopology, promoted, type Topology, type TopologyBox, withBox, withoutBox } from './topology.ts'

const box = (id: string): Omit<TopologyBox, 'role'> => ({
  id,
  name: id,
  log_key: `gatehouse/fair/${id}+0+x`,
  host: '192.0.2.1',
  ports: { route: 1, leaf: 2 },
  https: 'https://192.0.2.1:8443',
  device: 'https://192.0.2.1:8444',
})
const far = (id: string) => ({ ...box(id), dial: 'core' as const })
const listOf = (...more: Parameters<typeof withBox>[1][]) => more.reduce(withBox, firstTopology('fair', box('a')))
const heard = (words: { [box: string]: number | undefined }) =>
  new Map(Object.entries(words).map(([id, epoch]) => [id, { epoch }]))
const known = (topology: Topology, words: { [box: string]: number | undefined }, self = 'a') =>
  isEpochKnown(topology, self, heard(words))

describe('the only voter, back again, knows its epoch', () => {
  const two = listOf(box('b'))
  const withFar = withBox(two, far('d'))

  it('by the word of the box that can have taken its place, and not by that of one in a data centre', () => {
    assert.deepEqual([known(two, {}), known(two, { b: 1 })], [false, true])
    assert.deepEqual([known(withFar, {}), known(withFar, { d: 1 })], [false, false], 'it may have the old list still')
    assert.deepEqual([known(withFar, { b: 1 }), known(withFar, { b: 1, d: 1 })], [true, true])
    assert.equal(known(two, { b: undefined }), true, 'of an older version')
  })

  it('not where anybody goes by a later list, however it is heard', () => {
    for (const list of [promoted(withFar, 'b'), withoutBox(withFar, 'a')]) {
      assert.equal(list.epoch, withFar.epoch + 1)
      assert.equal(known(withFar, { b: list.epoch, d: 1 }), false)
      assert.equal(known(withFar, { b: 1, d: list.epoch }), false)
    }
  })

  it('once the box that is gone for good is off the list', () => {
    const [, ...rest] = [two, withoutBox(two, 'b'), withoutBox(withFar, 'b')]
    assert.deepEqual(
      rest.map((list) => known(list, { d: 1 })),
      [true, true],
    )
    const second = promoted(two, 'b')
    assert.equal(known(second, { a: 1 }, 'b'), true, 'the second heard the first before it took its place')
    assert.equal(known(second, {}, 'b'), false, 'and started anew, waits until the first is back or removed')
    assert.equal(known(withoutBox(second, 'a'), {}, 'b'), true)
  })

  it('by the word of any other box where all of them are in data centres', () => {
    const list = listOf(far('d'), far('e'))
    assert.deepEqual([known(list, {}), known(list, { e: list.epoch + 1 })], [false, false])
    assert.equal(known(list, { e: list.epoch }), true)
  })

  it('at once where the other one only votes: nobody can have made another list', () => {
    assert.equal(known(listOf({ ...box('v'), role: 'voter' }), {}), true)
  })

  it('and whoever does not decide alone is not asked', () => {
    assert.equal(known(two, {}, 'b'), true)
    assert.equal(known(listOf(box('b'), box('c')), {}), true)
  })
})
