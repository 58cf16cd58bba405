import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CODES, REASON_VALUES, type RefusalReason } from './refusal-reasons.ts'
import { refusalSentence } from './refusals.ts'
import { LANGUAGES } from './ui/language.ts'

const OTHERS = LANGUAGES.filter((tag) => tag !== 'en')
const MESSAGE = 'The box says it in English.'
const REASONS = Object.entries(REASON_VALUES) as [RefusalReason, readonly string[]][]

test('every code has a sentence in each language', async () => {
  for (const language of OTHERS) {
    const sentences = await Promise.all(
      CODES.map((code) => refusalSentence({ code, message: MESSAGE, values: { seconds: 7 } }, { language })),
    )
    assert.equal(new Set(sentences).size, CODES.length, language)
    for (const sentence of sentences) assert.doesNotMatch(sentence, /English|[{}]/)
  }
})

test('every reason has a sentence of its own, which mentions what comes with it and nothing else', async () => {
  for (const language of OTHERS) {
    const seen = new Set<string>()
    for (const [reason, names] of REASONS) {
      const values = Object.fromEntries(names.map((name) => [name, `<${name}>`]))
      const sentence = await refusalSentence({ code: 'conflict', message: MESSAGE, reason, values }, { language })
      assert.doesNotMatch(sentence, /English|[{}]/, `${language} ${reason}`)
      for (const name of names) assert.ok(sentence.includes(`<${name}>`), `${language} ${reason} ${name}`)
      assert.match(sentence, /^[\p{Lu}¿e].*\.$/u, `${language} ${reason}`)
      seen.add(sentence)
    }
    assert.equal(seen.size, REASONS.length, language)
  }
})

test('the box gives every reason, and with it the values that its sentence mentions', () => {
  const sources = globSync('box/src/**/*.ts', { cwd: join(import.meta.dirname, '..') })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(import.meta.dirname, '..', path), 'utf8'))
    .join('\n')
  for (const [reason, names] of REASONS) {
    const given = [...sources.matchAll(new RegExp(`reason: '${reason}'(?:,\\s*values: \\{([^}]*)\\})?`, 'g'))]
    assert.ok(given.length > 0, `nobody gives ${reason}`)
    for (const [, values = ''] of given)
      assert.deepEqual(
        [...values.matchAll(/(\w+)(?:: [^,]+)?/g)].map(([, name]) => name).toSorted(),
        [...names],
        reason,
      )
  }
})

test('in German, by reason, by code with seconds, and the box’s own sentence where no more is known', async () => {
  const say = (refusal: object, more = {}) =>
    refusalSentence({ message: MESSAGE, ...refusal }, { language: 'de', ...more })
  const old = { code: 'conflict', reason: 'scan_too_old', values: { minutes: 5 } }
  assert.equal(await say(old), 'Dieser Scan ist älter als 5 Minuten: neu scannen.')
  assert.match(await say({ code: 'rate_limited', values: { seconds: 12 } }), /^Zu viel auf einmal: 12 s warten/)
  assert.match(await say({ code: 'conflict', reason: 'of_a_newer_box' }), /^Das passt nicht mehr/)
  assert.match(await say({ code: 'conflict', reason: 'constructor' }), /^Das passt nicht mehr/)
  assert.match(await say({ code: 'conflict', reason: 'scan_too_old' }), /^Das passt/, 'its values did not come')
  for (const values of [null, 7, 'x', []])
    assert.match(await say({ code: 'conflict', reason: 'scan_too_old', values }), /^Das passt/)
  assert.equal(await say({ code: 'of_a_newer_box' }), MESSAGE)
  assert.match(await say({ code: 'bad_request' }, { quote: true }), /^So kann .*\(The box says it in English\.\)$/)
  assert.match(await say({ code: 'internal' }, { quote: true }), /^In der Box ging etwas schief: .*rufen\.$/)
  assert.equal(await refusalSentence({ ...old, message: MESSAGE }, { language: 'en' }), MESSAGE)
  assert.equal(await refusalSentence({ ...old, message: MESSAGE }, { language: 'en-x-rtl' }), MESSAGE)
})
