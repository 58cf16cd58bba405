import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FewLines } from './few-lines.ts'

test('strangers get five log lines at once, then one in ten seconds that counts the others', () => {
  let now = 0
  const few = new FewLines(() => now)
  const logged: object[] = []
  const line = (more: object) => void logged.push(more)
  for (let i = 0; i < 1000; i++) few.log(line)
  assert.equal(logged.length, 5)
  now = 10_000
  for (let i = 0; i < 1000; i++) few.log(line)
  assert.deepEqual(logged.slice(5), [{ left_out: 995 }])
  now = 10_000_000
  for (let i = 0; i < 1000; i++) few.log(line)
  assert.deepEqual(logged.slice(6), [{ left_out: 999 }, {}, {}, {}, {}])
})
