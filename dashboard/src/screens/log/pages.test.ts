import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from '../../session/answered.ts'
import { type Page, pages } from './pages.ts'

/** Rows from `top - 1` down to 0, `size` a page. */
function journal(top: number, size: number) {
  const asked: (number | null)[] = []
  const fetch = async (after: number | null): Promise<Page<number, number>> => {
    asked.push(after)
    const from = after ?? top
    const rows = Array.from({ length: Math.min(size, from) }, (_, i) => from - 1 - i)
    return { rows, next: from > size ? from - size : null }
  }
  return { fetch, asked, keyOf: (row: number) => row }
}

test('pages follow one another to the end, and no row is shown twice', async () => {
  const list = pages<number, number>(3)
  await list.start(journal(8, 3))
  assert.deepEqual(list.rows.value, [7, 6, 5])
  assert.equal(list.state.value, 'more')
  await list.more()
  await list.more()
  assert.deepEqual(list.rows.value, [7, 6, 5, 4, 3, 2, 1, 0])
  assert.equal(list.state.value, 'end')
})

test('a row that comes twice is shown once', async () => {
  const list = pages<number, number>(2)
  const overlapping = {
    fetch: async (after: number | null) => ({
      rows: after === null ? [5, 4] : [4, 3],
      next: after === null ? 4 : null,
    }),
  }
  await list.start({ ...overlapping, keyOf: (row) => row })
  await list.more()
  assert.deepEqual(list.rows.value, [5, 4, 3])
})

test('pages that come back empty are gone through, a dozen at a press', async () => {
  const source = journal(100, 2)
  const list = pages<number, number>(5)
  await list.start({ ...source, keep: (row) => row < 10 })
  assert.equal(source.asked.length, 12)
  assert.deepEqual([list.rows.value, list.state.value], [[], 'more'])
  for (let press = 0; press < 4; press += 1) await list.more()
  assert.deepEqual(list.rows.value, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  assert.equal(list.state.value, 'end')
})

test('an answer to the question before is not mixed into the next', async () => {
  const list = pages<number, number>(2)
  const answers: ((page: Page<number, number>) => void)[] = []
  const slow = list.start({ fetch: () => new Promise((resolve) => answers.push(resolve)), keyOf: (row) => row })
  await list.start(journal(2, 2))
  answers[0]?.({ rows: [99], next: null })
  await slow
  assert.deepEqual(list.rows.value, [1, 0])
})

test('a press while a page is under way asks for nothing', async () => {
  const source = journal(10, 2)
  const list = pages<number, number>(2)
  await list.start(source)
  await Promise.all([list.more(), list.more(), list.more()])
  assert.deepEqual(list.rows.value, [9, 8, 7, 6])
  assert.equal(source.asked.length, 2)
})

test('what fails says so, keeps what is there, and goes on from the same place', async () => {
  const source = journal(6, 2)
  let broken = false
  const list = pages<number, number>(2)
  await list.start({
    ...source,
    fetch: (after) => (broken ? Promise.reject(new Refused('internal', 500, 'Try again once.')) : source.fetch(after)),
  })
  broken = true
  await list.more()
  assert.deepEqual([list.state.value, list.problem.value], ['failed', 'Try again once.'])
  assert.deepEqual(list.rows.value, [5, 4])
  broken = false
  await list.more()
  assert.deepEqual(list.rows.value, [5, 4, 3, 2])
  assert.equal(list.problem.value, null)
})

test('a refresh keeps what is shown until the answer is there; a row can be replaced', async () => {
  let top = 4
  const list = pages<{ id: number; text: string }, number>(2)
  const fetch = async () => ({ rows: [{ id: top, text: 'new' }], next: null })
  await list.start({ fetch, keyOf: ({ id }) => id })
  top = 5
  const refreshed = list.refresh()
  assert.equal(list.rows.value[0]?.id, 4)
  await refreshed
  assert.deepEqual(list.rows.value, [{ id: 5, text: 'new' }])
  list.replace({ id: 5, text: 'resolved' })
  assert.deepEqual(list.rows.value, [{ id: 5, text: 'resolved' }])
})
