import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { VoterStatus } from './core-status.ts'
import { type CoreFault, CoreWatch, membersOf } from './core-watch.ts'

const VOTERS = ['a', 'b', 'c']

function status(box: string, changes: Partial<VoterStatus> = {}): VoterStatus {
  return { epoch: 2, box, kept: true, ...changes }
}

/** Looks once a second. @returns what each second said, by second, where it said something */
function watched(box: string, seconds: number, at: (second: number) => VoterStatus[]): [number, CoreFault][] {
  const watch = new CoreWatch()
  return Array.from({ length: seconds }, (_, second) => {
    const fault = watch.look(at(second), { box, name: box, voters: VOTERS }, second * 1000)
    return fault ? [[second, fault] as [number, CoreFault]] : []
  }).flat()
}

test('in a core without a leader the voters start again one after the other, and each waits longer the next time', () => {
  const nobodyLeads = () => VOTERS.map((box) => status(box))
  const seconds = (box: string) => watched(box, 220, nobodyLeads).map(([second]) => second)
  assert.deepEqual(seconds('a'), [30, 91, 212])
  assert.deepEqual(seconds('b'), [60, 181])
  assert.deepEqual(seconds('c'), [90])
})

test('a leader, an outage and a voter that is not asked reset the wait', () => {
  const nobodyLeads = VOTERS.map((box) => status(box))
  const others = {
    leader: nobodyLeads.map((one) => ({ ...one, leader: 'b' })),
    outage: [status('a')],
    'own server silent': [status('b'), status('c')],
    silence: [],
  }
  for (const [what, statuses] of Object.entries(others)) {
    assert.deepEqual(
      watched('a', 60, (second) => (second % 25 === 0 ? statuses : nobodyLeads)),
      [],
      what,
    )
    assert.deepEqual(
      watched('a', 600, () => statuses),
      [],
      what,
    )
  }
})

test('after a leader was there the voter is as quick again', () => {
  const nobodyLeads = VOTERS.map((box) => status(box))
  const led = nobodyLeads.map((one) => ({ ...one, leader: 'b' }))
  const seconds = watched('a', 140, (second) => (second === 40 ? led : nobodyLeads)).map(([second]) => second)
  assert.deepEqual(seconds, [30, 71, 132])
})

test('a voter that the leader does not count starts again after four looks in a row', () => {
  const led = (members: string[]) => [
    status('a', { leader: 'b' }),
    status('b', { leader: 'b', members }),
    status('c', { leader: 'b' }),
  ]
  assert.deepEqual(
    watched('a', 9, () => led(['b', 'c'])),
    [
      [3, 'voter_uncounted'],
      [7, 'voter_uncounted'],
    ],
  )
  assert.deepEqual(
    watched('a', 9, (second) => led(second % 4 === 0 ? ['b', 'a', 'c'] : ['b', 'c'])),
    [],
  )
})

test('who is counted is the word of the voter whose server this one follows, and of no other', () => {
  const liar = status('c', { leader: 'c', members: ['c'] })
  assert.equal(membersOf([status('a', { leader: 'b_2' }), liar], 'a'), undefined)
  const leader = status('b', { leader: 'b_2', members: ['b_2', 'a', 'c'] })
  assert.deepEqual(membersOf([liar, status('a', { leader: 'b_2' }), leader], 'a'), ['b_2', 'a', 'c'])
  assert.equal(membersOf([status('a'), leader], 'a'), undefined, 'this server follows nobody')
})

test('law: while its own server has a leader that counts it, a voter never starts again, whatever the others say', () => {
  const claim = fc.record(
    { leader: fc.constantFrom(...VOTERS, 'c_1'), members: fc.subarray([...VOTERS, 'c_1']) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.array(claim, { minLength: 5, maxLength: 100 }), (claims) => {
      const honest = [status('a', { leader: 'b' }), status('b', { leader: 'b', members: ['b', 'a', 'c'] })]
      assert.deepEqual(
        watched('a', claims.length, (second) => [status('c', claims[second]), ...honest]),
        [],
      )
    }),
  )
})
