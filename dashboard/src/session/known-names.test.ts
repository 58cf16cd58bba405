import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetNames, knownNames, rememberName } from './known-names.ts'

function storage(content: string | null = null) {
  const map = new Map(content === null ? [] : [['gatehouse-people', content]])
  return () => ({
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  })
}

test('whoever signed in last is first, each name once, and eight at most', () => {
  const own = storage()
  assert.deepEqual(knownNames(own), [])
  for (const name of ['Ada', 'Otto', 'Ada']) rememberName(name, own)
  assert.deepEqual(knownNames(own), ['Ada', 'Otto'])
  for (let i = 0; i < 20; i++) rememberName(`Person ${i}`, own)
  assert.equal(knownNames(own).length, 8)
  assert.equal(knownNames(own)[0], 'Person 19')
  forgetNames(own)
  assert.deepEqual(knownNames(own), [])
})

test('what was stored by nobody of ours is worth nothing', () => {
  for (const text of ['', 'x', '{}', 'null', '7', '[1,null,{}]', '[" ","\\u0000"]'])
    assert.deepEqual(knownNames(storage(text)), [], text)
  assert.deepEqual(knownNames(storage('["  Ada\\n","Ada",7]')), ['Ada'])
})

test('a browser that forbids storage knows nobody, and breaks nothing', () => {
  const forbidden = () => {
    throw new DOMException('no', 'SecurityError')
  }
  rememberName('Ada', forbidden)
  forgetNames(forbidden)
  assert.deepEqual(knownNames(forbidden), [])
})
