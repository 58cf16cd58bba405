import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ScannerState, stateOf, uncertaintyOf } from './uncertainty.ts'

const MINUTE = 60_000
const NOON = Date.parse('2026-07-04T12:00:00Z')
const at = (minute: number) => NOON / MINUTE + minute
const gate = [{ from: null, to: 'arena' }]

const people = (state: ScannerState, silentMs: number, passages: [number, number][], unsent = 0) =>
  uncertaintyOf({
    state,
    unsent,
    lastSeen: NOON,
    now: NOON + silentMs,
    places: gate,
    passages: new Map(passages.map(([minute, n]) => [at(minute), n])),
  }).people

describe('a scanner', () => {
  it('is live, quiet, lost by how long it has been silent', () => {
    assert.deepEqual([0, 14_999, 15_000, 59_999, 60_000, 1e9, -5_000].map(stateOf), [
      'live',
      'live',
      'quiet',
      'quiet',
      'lost',
      'lost',
      'live',
    ])
  })
})

describe('the doubt that a silent scanner leaves', () => {
  it('is what it was doing just before, for as long as it is silent, and half an hour at most', () => {
    const busy: [number, number][] = Array.from({ length: 10 }, (_, i) => [-i, 6])
    assert.equal(people('quiet', 30_000, busy), 3)
    assert.equal(people('lost', 2 * MINUTE, busy), 12)
    assert.equal(people('lost', 10 * 60 * MINUTE, busy), 180)
  })

  it('goes by the minutes in which it was at work, not those before it came', () => {
    assert.equal(people('lost', MINUTE, [[0, 8]]), 8)
    assert.equal(people('lost', MINUTE, [[-1, 8]]), 4)
    assert.equal(people('lost', MINUTE, [[-40, 1000]]), 0, 'put away long before')
    assert.equal(people('lost', MINUTE, []), 0)
  })

  it('is none beyond what is unsent while it is heard, and after it was taken out of service', () => {
    assert.equal(people('live', 10_000, [[0, 60]]), 0)
    assert.equal(people('live', 10_000, [[0, 60]], 7), 7)
    assert.equal(people('revoked', 60 * MINUTE, [[0, 60]], 7), 7)
  })

  it('is about the zones that its checkpoints lead into and out of', () => {
    const places = [...gate, { from: 'arena', to: 'lounge' }, { from: 'arena', to: null }]
    const { into, outOf } = uncertaintyOf({
      state: 'live',
      lastSeen: NOON,
      now: NOON,
      unsent: 1,
      passages: undefined,
      places,
    })
    assert.deepEqual([[...into], [...outOf]], [['arena', 'lounge'], ['arena']])
  })
})
