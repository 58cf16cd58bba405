import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areReplicasCurrent } from './core-status.ts'

const isOwn = (name: string) => name === 'a' || name.startsWith('a_')
const well = { name: 'c', current: true }

for (const [why, cluster, expected] of [
  ['both others have all of it', { leader: 'b', replicas: [well, { name: 'a', current: false, offline: true }] }, true],
  ['a third has taken its place', { leader: 'b', replicas: [well, { name: 'd', current: true }] }, true],
  ['one of them is behind', { leader: 'b', replicas: [{ name: 'c', current: false }] }, false],
  ['one of them is gone', { leader: 'b', replicas: [{ ...well, offline: true }] }, false],
  ['there is one other', { leader: 'b', replicas: [{ name: 'a', current: true }] }, false],
  ['an earlier life of its own is counted', { leader: 'b', replicas: [{ name: 'a_1', current: true }] }, false],
  ['nobody leads', { leader: '', replicas: [well, { name: 'b', current: true }] }, false],
  ['it leads itself', { leader: 'a', replicas: [well, { name: 'b', current: true }] }, false],
  ['it says nothing of others', {}, false],
] as const) {
  test(`${expected ? 'the others can do without it' : 'it is needed'}: ${why}`, () => {
    assert.equal(areReplicasCurrent({ streams: [{ cluster: cluster as never }] }, isOwn), expected)
  })
}

test('every stream counts, and a core without any has nothing that it could do without', () => {
  const good = { cluster: { leader: 'b', replicas: [well] } }
  assert.equal(areReplicasCurrent({ streams: [good, good] }, isOwn), true)
  assert.equal(areReplicasCurrent({ streams: [good, { cluster: { leader: 'b', replicas: [] } }] }, isOwn), false)
  assert.equal(areReplicasCurrent({ streams: [good, {}] }, isOwn), false)
  for (const streams of [[], null, undefined])
    assert.equal(areReplicasCurrent(streams === undefined ? {} : { streams }, isOwn), false)
})
