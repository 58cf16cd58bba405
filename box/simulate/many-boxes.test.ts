import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healing, type ManyBoxes, simulate } from './many-boxes.ts'
import { chance } from './random.ts'

const FIFTY: ManyBoxes = {
  boxes: 50,
  scansPerSecond: 100,
  admitting: 0.9,
  seconds: 120,
  writeMs: 2,
  writeSpread: 0.5,
  wayMs: 1,
  waySpread: 0.3,
  claimBytes: 400,
  entryBytes: 1_500,
  applyMs: 0.2,
  batchMs: 3,
  momentMs: 0,
  random: Math.random,
}
const run = (changed: Partial<ManyBoxes> = {}) => simulate({ ...FIFTY, ...changed, random: chance(7).number })

test('the same seed gives the same figures', () => {
  assert.deepEqual(run(), run())
})

test('a single reservation waits for nothing but two parallel writes and a round trip', () => {
  const { claim, leaderBusy } = run({
    scansPerSecond: 0.1,
    writeSpread: 0,
    waySpread: 0,
    admitting: 1,
    seconds: 36_000,
  })
  // A leaf of another core box than the leader: two ways to it, one to a copy and back while the leader writes, two back.
  assert.ok(Math.abs(claim.p99 - 8) < 0.001, `${claim.p99}`)
  assert.ok(leaderBusy < 0.001)
})

test('the leader is busy for as long as its writes take', () => {
  const { leaderBusy } = run({ writeSpread: 0, admitting: 1 })
  assert.ok(Math.abs(leaderBusy - 0.2) < 0.02, `${leaderBusy}`)
})

test('a disk that is slower than the crowd makes gates wait longer and longer', () => {
  const short = run({ writeMs: 12, admitting: 1, seconds: 60 })
  const long = run({ writeMs: 12, admitting: 1, seconds: 240 })
  assert.ok(long.claim.max > 2 * short.claim.max)
  assert.ok(short.claim.max > 1_000)
})

test('what a box receives grows with the crowd and not with the boxes; what the core sends grows with both', () => {
  const twice = run({ boxes: 100 })
  const once = run()
  assert.ok(twice.boxReceives < once.boxReceives * 1.1)
  assert.ok(twice.coreSends > once.coreSends * 1.6)
})

test('an entry is replicated everywhere once the slowest box has applied it', () => {
  const fast = run({ applyMs: 0, batchMs: 0, waySpread: 0 })
  assert.ok(Math.abs(fast.known.p50 - 2) < 0.001)
  assert.ok(run({ applyMs: 5 }).known.p50 > run({ applyMs: 1 }).known.p50)
})

test('batching writes makes them fewer, and reservations hardly slower', () => {
  const [at, once] = [run(), run({ momentMs: 40 })]
  assert.ok(once.applyBusy < 0.6 * at.applyBusy, `${once.applyBusy}, ${at.applyBusy}`)
  assert.ok(once.known.p99 < at.known.p99 + 45, `${once.known.p99}, ${at.known.p99}`)
})

test('healing reserves every admission that was made while cut off', () => {
  const alone = { boxesAlone: 12, scansPerSecondEach: 2, admitting: 0.9, minutesAlone: 20, claimsPerSecond: 2_000 }
  assert.deepEqual(healing(alone), { unconfirmed: 25_920, seconds: 12.96 })
})

test('fewer boxes than voters are refused', () => {
  assert.throws(() => run({ boxes: 2 }), RangeError)
})
