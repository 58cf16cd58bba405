import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inkOn } from './ink.ts'

test('black on light, white on dark', () => {
  assert.equal(inkOn('#ffffff'), '#000000')
  assert.equal(inkOn('#FFE100'), '#000000')
  assert.equal(inkOn('#000000'), '#ffffff')
  assert.equal(inkOn('#24408e'), '#ffffff')
})

test('any colour can be read', () => {
  const channel = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  const byte = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(byte, byte, byte, (r, g, b) => {
      const luminance = 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
      const ink = inkOn(`#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`)
      const ratio = ink === '#ffffff' ? 1.05 / (luminance + 0.05) : (luminance + 0.05) / 0.05
      assert.ok(ratio >= 4.5, `${ratio}`)
    }),
  )
})
