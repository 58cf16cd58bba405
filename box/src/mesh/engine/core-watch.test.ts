import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CoreView, VoterStatus } from './core-status.ts'
import { type CoreFault, CoreWatch, membersOf } from './core-watch.ts'

const VOTERS = ['a', 'b', 'c']

const view = (changes: Partial<CoreView> = {}): CoreView => ({ kept: true, takesPart: true, ...changes })
const status = (box: string, changes: Partial<VoterStatus> = {}): VoterStatus => ({
  epoch: 2,
  box,
  kept: true,
  ...changes,
})

interface Seen {
  view: CoreView
  others: VoterStatus[]
}

const LEADERLESS: Seen = { view: view(), others: [status('b'), status('c')] }
const WELL: Seen = {
  view: view({ leader: 'b' }),
  others: [status('b', { leader: 'b', members: ['b', 'a', 'c'] }), status('c', { leader: 'b' })],
}
const UNCOUNTED: Seen = { ...WELL, others: [status('b', { leader: 'b', members: ['b', 'c'] })] }

/** Looks once a second. @param at what is seen in a second; undefined for no look. @returns what it said, by second */
function watched(seconds: number, at: (second: number) => Seen | undefined, box = 'a'): [number, CoreFault][] {
  const watch = new CoreWatch()
  return Array.from({ length: seconds }, (_, second) => {
    const seen = at(second)
    const own = seen && { box, name: box, voters: VOTERS, view: seen.view }
    const fault = own && watch.look(own, seen.others, second * 1000)
    return fault ? [[second, fault] as [number, CoreFault]] : []
  }).flat()
}
const secondsOf = (faults: [number, CoreFault][]) => faults.map(([second]) => second)

/** Three voters whose restarts take some seconds, in which they neither look nor answer. */
function together(seconds: number, restartSeconds: number) {
  const watches = new Map(VOTERS.map((box) => [box, new CoreWatch()]))
  const backAt = new Map<string, number>()
  const restarts: { second: number; box: string }[] = []
  for (let second = 0; second < seconds; second++) {
    const up = VOTERS.filter((box) => (backAt.get(box) ?? 0) <= second)
    for (const box of up) {
      const others = up.filter((other) => other !== box).map((other) => status(other))
      const own = { box, name: box, voters: VOTERS, view: view() }
      if (watches.get(box)?.look(own, others, second * 1000) === undefined) continue
      backAt.set(box, second + restartSeconds)
      restarts.push({ second, box })
    }
  }
  return restarts
}

test('in a core without a leader the voters start again in turns, never two within the time of an election', () => {
  const restarts = together(600, 5)
  assert.deepEqual(
    restarts.slice(0, 7).map(({ second, box }) => `${box} ${second}`),
    ['a 30', 'b 60', 'c 90', 'a 125', 'b 155', 'c 185', 'a 310'],
  )
  for (const [i, { second }] of restarts.entries()) {
    if (i > 0) assert.ok(second - (restarts[i - 1]?.second ?? 0) >= 25, JSON.stringify(restarts))
  }
})

test('each restart makes the next wait longer, up to twelve minutes', () => {
  const seconds = secondsOf(watched(4_500, () => LEADERLESS))
  const waits = seconds.map((second, i) => second - (seconds[i - 1] ?? 0))
  assert.deepEqual(waits, [30, 91, 181, 361, 721, 721, 721, 721, 721])
})

test('five minutes with a leader make a voter as quick again, and a moment does not', () => {
  const after = (wellSeconds: number) =>
    secondsOf(watched(700, (second) => (second > 40 && second <= 40 + wellSeconds ? WELL : LEADERLESS)))
  assert.deepEqual(after(10), [30, 141, 322, 683])
  assert.deepEqual(after(302), [30, 373, 464, 645])
})

test('a leader or an outage ends the wait, and one look without an answer does not', () => {
  const alone: Seen = { view: view(), others: [] }
  const withEvery = (seen: Seen, isIt: (second: number) => boolean, seconds = 100) =>
    secondsOf(watched(seconds, (second) => (isIt(second) ? seen : LEADERLESS)))
  assert.deepEqual(
    withEvery(WELL, (second) => second % 25 === 0),
    [],
  )
  assert.deepEqual(
    withEvery(alone, (second) => second % 25 < 6),
    [],
  )
  assert.deepEqual(
    withEvery(alone, (second) => second % 3 === 1, 60),
    [30],
  )
  assert.deepEqual(
    withEvery(alone, () => true, 600),
    [],
  )
  const two: Seen = { view: view(), others: [status('c')] }
  assert.deepEqual(secondsOf(watched(60, () => two)), [30], 'two of three are a majority')
})

test('a server that has given up its store is left alone', () => {
  const broken: Seen = { ...LEADERLESS, view: view({ takesPart: false }) }
  assert.deepEqual(
    watched(600, () => broken),
    [],
  )
})

test('what was not looked at is not counted', () => {
  assert.deepEqual(
    watched(110, (second) => (second < 25 || second > 80 ? LEADERLESS : undefined)),
    [],
  )
  assert.deepEqual(secondsOf(watched(60, (second) => (second % 10 === 0 ? LEADERLESS : undefined))), [30])
})

test('a voter that the leader does not count starts again after four looks, and later than that the next time', () => {
  assert.deepEqual(
    watched(40, () => UNCOUNTED),
    [
      [3, 'voter_uncounted'],
      [11, 'voter_uncounted'],
      [27, 'voter_uncounted'],
    ],
  )
  assert.deepEqual(
    watched(40, (second) => (second % 4 === 0 ? WELL : UNCOUNTED)),
    [],
  )
})

test('who is counted is the word of the voter whose server this one follows, and of no other', () => {
  const liar = status('c', { leader: 'c', members: ['c'] })
  const leader = status('b', { leader: 'b_2', members: ['b_2', 'a', 'c'] })
  assert.equal(membersOf(view({ leader: 'b_2' }), [liar]), undefined)
  assert.deepEqual(membersOf(view({ leader: 'b_2' }), [liar, leader]), ['b_2', 'a', 'c'])
  assert.equal(membersOf(view(), [liar, leader]), undefined, 'this server follows nobody')
  assert.deepEqual(membersOf(view({ leader: 'a', members: ['a', 'b'] }), [liar]), ['a', 'b'], 'it leads itself')
})

test('law: while its own server has a leader that counts it, a voter never starts again, whatever another one claims', () => {
  const claim = fc.record(
    { leader: fc.constantFrom(...VOTERS, 'c_1'), members: fc.subarray([...VOTERS, 'c_1']) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.array(fc.array(claim, { maxLength: 3 }), { minLength: 5, maxLength: 100 }), (claims) => {
      const faults = watched(claims.length, (second) => ({
        ...WELL,
        others: [...(claims[second] ?? []).map((one) => status('c', one)), ...WELL.others],
      }))
      assert.deepEqual(faults, [])
    }),
  )
})
