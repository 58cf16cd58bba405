import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { QuestionTurns } from './question-turns.ts'

/** Questions that take `ms` each to answer, by a clock that the test moves. */
function opened({ ms, areRecent }: { ms: number; areRecent: boolean }) {
  mock.timers.enable({ apis: ['setTimeout'] })
  const time = { ms: 0 }
  const turns = new QuestionTurns({ areRecent }, () => time.ms)
  const answeredAt: number[] = []
  const ask = () =>
    turns.push(() => {
      answeredAt.push(time.ms)
      time.ms += ms
    })
  const pass = (until: number) => {
    for (; time.ms < until; time.ms++) mock.timers.tick(1)
  }
  return { turns, ask, pass, answeredAt, [Symbol.dispose]: () => mock.timers.reset() }
}

test('no question is answered in the turn in which it arrives', () => {
  using world = opened({ ms: 0, areRecent: false })
  world.ask()
  assert.equal(world.answeredAt.length, 0)
  world.pass(2)
  assert.equal(world.answeredAt.length, 1)
})

test('while people are scanned, questions have a quarter of the time, and each long one has a turn of its own', () => {
  using world = opened({ ms: 10, areRecent: true })
  for (let i = 0; i < 100; i++) world.ask()
  world.pass(1_000)
  assert.ok(world.answeredAt.length <= 26, `${world.answeredAt.length}`)
  for (const [i, at] of world.answeredAt.slice(1).entries()) assert.ok(at - (world.answeredAt[i] ?? 0) >= 40)
})

test('also where each comes after the one before was answered', () => {
  using world = opened({ ms: 10, areRecent: true })
  for (let at = 0; at < 1_000; at++) {
    world.ask()
    world.pass(at)
  }
  assert.ok(world.answeredAt.length <= 26, `${world.answeredAt.length}`)
})

test('more than may wait are dropped, and further ones are answered again when those are', () => {
  using world = opened({ ms: 0, areRecent: false })
  for (let i = 0; i < 1_000; i++) world.ask()
  world.pass(5)
  assert.equal(world.answeredAt.length, 256)
  world.ask()
  world.pass(10)
  assert.equal(world.answeredAt.length, 257)
})

test('nothing is answered after its end', () => {
  using world = opened({ ms: 0, areRecent: false })
  world.ask()
  world.turns[Symbol.dispose]()
  world.pass(10)
  assert.equal(world.answeredAt.length, 0)
})
