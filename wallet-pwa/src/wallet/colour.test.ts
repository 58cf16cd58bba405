import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bandColours } from './colour.ts'

test('whatever colour a tier has, its name can be read on it', () => {
  const channel = (hex: string, at: number) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  }
  const luminance = (hex: string) => 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const colour = `#${number.toString(16).padStart(6, '0')}`
      const { ground, ink } = bandColours(colour)
      const [low = 0, high = 0] = [luminance(ground), luminance(ink)].sort((a, b) => a - b)
      assert.equal(ground, colour)
      assert.ok((high + 0.05) / (low + 0.05) >= 4.5, colour)
    }),
  )
})

test('what is no colour is a neutral one', () => {
  for (const colour of [null, '', 'red', '#12345', '#1234567', '#12345g', 'url(x)'])
    assert.deepEqual(bandColours(colour), { ground: '#4b5563', ink: '#ffffff' })
})
