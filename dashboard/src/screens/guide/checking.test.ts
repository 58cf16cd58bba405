import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Refused } from '../../session/answered.ts'
import { checking } from './checking.ts'

function bench() {
  const asked: { draft: string; answer: (text: string) => void; refuse: (error: Error) => void }[] = []
  const [taken, failed]: [string[], unknown[]] = [[], []]
  const waiting: (() => void)[] = []
  const state = { draft: 'a' as string | null }
  const check = checking<string, string>({
    now: () => state.draft,
    ask: (draft) => new Promise((answer, refuse) => asked.push({ draft, answer, refuse })),
    take: (answer) => taken.push(answer),
    fail: (error) => failed.push(error),
    later: (work) => waiting.splice(0, 1, work),
  })
  const pause = () => {
    for (const work of waiting.splice(0)) work()
  }
  return { asked, taken, failed, state, check, pause }
}

test('while one check is under way no other is sent, and the newest draft is checked after it', async () => {
  const { asked, taken, state, check, pause } = bench()
  check()
  pause()
  for (const draft of ['b', 'c', 'd']) {
    state.draft = draft
    check()
    pause()
  }
  assert.deepEqual(
    asked.map(({ draft }) => draft),
    ['a'],
  )
  asked[0]?.answer('of a')
  await turn()
  assert.deepEqual(
    asked.map(({ draft }) => draft),
    ['a', 'd'],
  )
  asked[1]?.answer('of d')
  await turn()
  assert.deepEqual(taken, ['of d'], 'an answer about an old draft counts for nothing')
})

test('a box that is busy is asked again after a pause, and any other refusal is said', async () => {
  const { asked, taken, failed, check, pause } = bench()
  check()
  pause()
  asked[0]?.refuse(new Refused('rate_limited', 429, 'busy'))
  await turn()
  assert.deepEqual([asked.length, failed], [1, []])
  pause()
  asked[1]?.answer('good')
  await turn()
  assert.deepEqual(taken, ['good'])
  check()
  pause()
  const lost = new Refused('unreachable', 0, 'lost')
  asked[2]?.refuse(lost)
  await turn()
  pause()
  assert.deepEqual([asked.length, failed], [3, [lost]])
})

test('a draft that is thrown away meanwhile is not checked again', async () => {
  const { asked, taken, state, check, pause } = bench()
  check()
  pause()
  state.draft = null
  asked[0]?.answer('of a')
  await turn()
  assert.deepEqual([asked.length, taken], [1, []])
})
