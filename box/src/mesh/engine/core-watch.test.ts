import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { VoterStatus } from './core-status.ts'
import { type CoreFault, CoreWatch, membersOf } from './core-watch.ts'

const VOTERS = ['a', 'b', 'c']

const status = (box: string, changes: Partial<VoterStatus> = {}): VoterStatus => ({
  epoch: 2,
  box,
  kept: true,
  ...changes,
})

interface Seen {
  own?: Partial<VoterStatus>
  others: VoterStatus[]
}

const LEADERLESS: Seen = { others: [status('b'), status('c')] }
const WELL: Seen = {
  own: { leader: 'b' },
  others: [status('b', { leader: 'b', members: ['b', 'a', 'c'] }), status('c', { leader: 'b' })],
}
const UNCOUNTED: Seen = { ...WELL, others: [status('b', { leader: 'b', members: ['b', 'c'] })] }

/** Looks once a second. @param at what is seen in a second; undefined for no look. @returns what it said, by second */
function watched(seconds: number, at: (second: number) => Seen | undefined): [number, CoreFault][] {
  const watch = new CoreWatch()
  return Array.from({ length: seconds }, (_, second) => {
    const seen = at(second)
    const own = { box: 'a', name: 'a', voters: VOTERS, status: status('a', seen?.own) }
    const fault = seen && watch.look(own, seen.others, second * 1000)
    return fault ? [[second, fault] as [number, CoreFault]] : []
  }).flat()
}
const secondsOf = (faults: [number, CoreFault][]) => faults.map(([second]) => second)

/**
 * Three voters whose restarts take some seconds, in which they neither look nor answer.
 * @param leads whether there is a leader in a second @returns such as `a 30`: who started again when
 */
function together(seconds: number, restartSeconds: number, leads: (second: number) => boolean = () => false) {
  const watches = new Map(VOTERS.map((box) => [box, new CoreWatch()]))
  const backAt = new Map<string, number>()
  const restarts: { box: string; second: number }[] = []
  for (let second = 0; second < seconds; second++) {
    const up = VOTERS.filter((box) => (backAt.get(box) ?? 0) <= second)
    const leader = leads(second) ? { leader: 'x' } : {}
    for (const box of up) {
      const others = up.filter((other) => other !== box).map((other) => status(other, leader))
      const own = { box, name: box, voters: VOTERS, status: status(box, leader) }
      if (watches.get(box)?.look(own, others, second * 1000) === undefined) continue
      backAt.set(box, second + restartSeconds)
      restarts.push({ box, second })
    }
  }
  return restarts
}
const inWords = (restarts: { box: string; second: number }[]) => restarts.map(({ box, second }) => `${box} ${second}`)

test('in a core without a leader the voters start again in turns', () => {
  assert.deepEqual(inWords(together(300, 5)), ['a 30', 'b 60', 'c 90', 'a 155', 'b 215', 'c 275'])
  const spell = (second: number) => second >= 35 && second < 135
  assert.deepEqual(inWords(together(300, 3, spell)), ['a 30', 'b 195', 'c 225', 'a 255'])
})

test('law: no two voters start again within seconds of each other, whenever the core has no leader', () => {
  const spells = fc.array(fc.integer({ min: 1, max: 220 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(spells, fc.integer({ min: 1, max: 40 }), (lengths, restartSeconds) => {
      const ends = lengths.map((_, i) => lengths.slice(0, i + 1).reduce((a, b) => a + b))
      const leads = (second: number) => ends.findIndex((end) => second < end) % 2 === 1
      const restarts = together(ends.at(-1) ?? 0, restartSeconds, leads)
      for (const [i, { second }] of restarts.entries()) {
        if (i > 0) assert.ok(second - (restarts[i - 1]?.second ?? 0) > 5, inWords(restarts).join())
      }
    }),
  )
})

test('a restart that did not help makes the next wait longer, up to twelve minutes', () => {
  const seconds = secondsOf(watched(3_000, () => LEADERLESS))
  const waits = seconds.map((second, i) => second - (seconds[i - 1] ?? 0))
  assert.deepEqual(waits, [30, 121, 301, 661, 661, 661])
})

test('five minutes with a leader make a voter as quick again, and a moment does not', () => {
  const after = (wellSeconds: number) =>
    secondsOf(watched(700, (second) => (second > 40 && second <= 40 + wellSeconds ? WELL : LEADERLESS)))
  assert.deepEqual(after(10), [30, 171, 472])
  assert.deepEqual(after(302), [30, 373, 494])
})

const withEvery = (seen: Seen, isIt: (second: number) => boolean, seconds = 100) =>
  secondsOf(watched(seconds, (second) => (isIt(second) ? seen : LEADERLESS)))

test('a leader ends the wait', () => {
  assert.deepEqual(
    withEvery(WELL, (second) => second % 25 === 0),
    [],
  )
})

test('an outage ends the wait, and a look or two without an answer only make it longer', () => {
  const alone: Seen = { others: [] }
  assert.deepEqual(
    withEvery(alone, (second) => second % 25 < 3),
    [],
  )
  assert.deepEqual(
    withEvery(alone, (second) => second % 3 === 1, 60),
    [45],
  )
  assert.deepEqual(
    withEvery(alone, () => true, 600),
    [],
  )
  const two: Seen = { others: [status('c')] }
  assert.deepEqual(secondsOf(watched(60, () => two)), [30], 'two of three are a majority')
})

test('a server that has given up its store is left alone, and elects nobody elsewhere', () => {
  const broken = { kept: false }
  for (const seen of [
    { ...LEADERLESS, own: broken },
    { others: [status('b', broken), status('c', broken)] },
    { others: [status('b', broken)] },
  ]) {
    assert.deepEqual(
      watched(600, () => seen),
      [],
    )
  }
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
    watched(110, () => UNCOUNTED),
    [3, 11, 27, 59, 91].map((second) => [second, 'voter_uncounted']),
  )
  assert.deepEqual(
    watched(40, (second) => (second % 4 === 0 ? WELL : UNCOUNTED)),
    [],
  )
  const silent: Seen = { ...UNCOUNTED, others: [] }
  assert.deepEqual(secondsOf(watched(20, (second) => (second % 3 === 1 ? silent : UNCOUNTED))), [5, 17])
})

test('a server that knows no leader, and is not counted by the one that leads, starts again as soon', () => {
  const unknown: Seen = { others: [status('b', { leader: 'b', members: ['b', 'c'] }), status('c', { leader: 'b' })] }
  assert.deepEqual(
    watched(12, () => unknown),
    [
      [3, 'voter_uncounted'],
      [11, 'voter_uncounted'],
    ],
  )
})

test('who is counted is the word of the voter whose server this one follows; where it follows nobody, of whoever claims to lead', () => {
  const liar = status('c', { leader: 'c', members: ['c'] })
  const leader = status('b', { leader: 'b_2', members: ['b_2', 'a', 'c'] })
  assert.equal(membersOf({ leader: 'b_2' }, [liar]), undefined)
  assert.deepEqual(membersOf({ leader: 'b_2' }, [liar, leader]), ['b_2', 'a', 'c'])
  assert.deepEqual(membersOf({}, [status('a'), leader]), ['b_2', 'a', 'c'], 'this server follows nobody')
  assert.deepEqual(membersOf({ leader: 'a', members: ['a', 'b'] }, [liar]), ['a', 'b'], 'it leads itself')
})

test('law: while its own server follows a leader that counts it, a voter never starts again, whatever another one claims', () => {
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
