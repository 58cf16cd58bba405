import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  ended,
  nextIncarnation,
  readState,
  serverName,
  started,
  storeName,
  type VoterState,
  wentDown,
} from './voter-state.ts'

const fresh = readState(undefined, 3)

test('a voter that never was knows nothing, and has nothing to ask', () => {
  assert.deepEqual(fresh, { epoch: 3, life: 0, running: null, retired: [] })
  assert.equal(wentDown(fresh, 'boot-1'), false)
})

test('a machine that went down under its server is told from a server that was killed, and from one that was ended', () => {
  const running = started(fresh, 'boot-1')
  assert.equal(wentDown(running, 'boot-1'), false)
  assert.equal(wentDown(running, 'boot-2'), true)
  assert.equal(wentDown(ended(running), 'boot-2'), false)
})

test('who comes back as somebody new has another name and another store, and is remembered for whom it was', () => {
  const second = nextIncarnation(nextIncarnation(started(fresh, 'boot-1')))
  assert.deepEqual(second, { epoch: 3, life: 2, running: null, retired: [0, 1] })
  assert.deepEqual(
    [0, 2].map((life) => serverName('box-1', life)),
    ['box-1', 'box-1_2'],
  )
  assert.deepEqual([fresh, second].map(storeName), ['store-3-0', 'store-3-2'])
})

test('what was written is read again, in its own epoch alone', () => {
  const state = fc.record<VoterState>(
    {
      epoch: fc.integer({ min: 1, max: 1e6 }),
      life: fc.nat(1e6),
      running: fc.option(fc.string({ maxLength: 100 })),
      retired: fc.array(fc.nat(), { maxLength: 5 }),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(state, (written) => {
      assert.deepEqual(readState(JSON.stringify(written), written.epoch), written)
      assert.equal(readState(JSON.stringify(written), written.epoch + 1).life, 0)
    }),
  )
})

test('what is no state is a new beginning', () => {
  const text = fc.oneof(fc.string(), fc.json(), fc.constant('{"epoch":3,"life":-1,"running":null,"retired":[]}'))
  fc.assert(fc.property(text, (damaged) => assert.deepEqual(readState(damaged, 3), fresh)))
})
