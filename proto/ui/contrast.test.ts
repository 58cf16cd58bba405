import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { VERDICT_CLASSES } from './verdict-class.ts'

/** WCAG 2.2: relative luminance, and the ratio of two. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

const blocks = [...readFileSync(new URL('./tokens.css', import.meta.url), 'utf8').matchAll(/\{([^{}]*)\}/g)].map(
  ([, body = '']) =>
    Object.fromEntries([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value])),
)
const [light = {}, systemDark = {}, dark = {}] = blocks
const colour = (theme: Record<string, string>, name: string) => theme[name] ?? light[name] ?? assert.fail(`no ${name}`)

test('text has 4.5:1 on both grounds in both themes', () => {
  for (const theme of [light, dark])
    for (const text of ['ink', 'quiet', 'accent', 'good', 'warn', 'bad'])
      for (const ground of ['ground', 'raised']) {
        const ratio = contrast(colour(theme, text), colour(theme, ground))
        assert.ok(ratio >= 4.5, `${text} on ${ground}: ${ratio.toFixed(2)}`)
      }
  for (const theme of [light, dark]) assert.ok(contrast(colour(theme, 'on-accent'), colour(theme, 'accent')) >= 4.5)
})

test('what was not sent has 7:1', () => {
  assert.ok(contrast(colour(light, 'on-alert'), colour(light, 'alert')) >= 7)
})

test('a verdict has 7:1, and no two classes have the same colour', () => {
  const colours = VERDICT_CLASSES.map((name) => colour(light, `verdict-${name}`))
  for (const [i, value] of colours.entries())
    assert.ok(contrast(colour(light, 'on-verdict'), value) >= 7, `${VERDICT_CLASSES[i]}: ${contrast('#ffffff', value)}`)
  assert.equal(new Set(colours).size, colours.length)
})

test('dark by choice is dark by system', () => {
  assert.deepEqual(systemDark, dark)
})
