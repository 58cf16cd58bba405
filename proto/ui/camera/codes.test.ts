import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrder } from './codes.ts'

const frame = { width: 640, height: 480 }
const at = (text: string, x: number, y: number) => ({
  text,
  corners: [
    { x: x - 20, y: y - 20 },
    { x: x + 20, y: y - 20 },
    { x: x + 20, y: y + 20 },
    { x: x - 20, y: y + 20 },
  ],
})

test('nearest to the middle first, then the others', () => {
  assert.deepEqual(inOrder([at('edge', 600, 40), at('middle', 330, 250), at('left', 200, 240)], frame), [
    'middle',
    'left',
    'edge',
  ])
})

test('the same code twice in a frame is one', () => {
  assert.deepEqual(inOrder([at('A', 100, 100), at('A', 320, 240)], frame), ['A'])
})

test('an empty code, and one that no box would take, are nothing', () => {
  assert.deepEqual(inOrder([at('', 320, 240), at('é'.repeat(513), 320, 240), at('é'.repeat(512), 9, 9)], frame), [
    'é'.repeat(512),
  ])
})

test('a decoder that names no corners still finds', () => {
  assert.deepEqual(inOrder([{ text: 'A', corners: [] }], frame), ['A'])
})
