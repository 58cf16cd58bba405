/** Sentences of the box are shown in the screen's language, and in the box's English only where no known code came. */
import './in-english.ts'

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Coded, SAID, type Subject } from '@gatehouse/proto/said.ts'
import { LANGUAGES } from '@gatehouse/proto/ui/language.ts'
import { warningsOf } from '../screens/boxes/neighbours.ts'
import { modeReason, saidBy } from './said.ts'
import { speak } from './speak.testing.ts'

const BOX = 'The box says it in English.'

describe('in the language of the screen', () => {
  after(() => speak('en'))

  for (const language of LANGUAGES)
    test(`${language}: every code has a sentence, which mentions what comes with it, and the box's is not shown`, async () => {
      await speak(language)
      for (const [subject, codes] of Object.entries(SAID) as [Subject, Record<string, readonly string[]>][]) {
        const seen = new Set<string>()
        for (const [code, names] of Object.entries(codes)) {
          const values = Object.fromEntries(names.map((name) => [name, /^n$|_ms$/.test(name) ? 7_000 : `<${name}>`]))
          const sentence = saidBy(subject, { code, values }, BOX)
          assert.notEqual(sentence, BOX, `${subject} ${code}`)
          assert.doesNotMatch(sentence, /[{}]|(?<!#)# |undefined/, `${subject} ${code}`)
          for (const name of names)
            assert.ok(
              sentence.includes(typeof values[name] === 'string' ? `<${name}>` : '7'),
              `${subject} ${code} ${name}`,
            )
          assert.match(sentence, /^(?:valid_until |pretix |alf\.io |[\p{Lu}¿<7+“„"«‘]).*[.?]$/u, `${subject} ${code}`)
          seen.add(sentence)
          for (const name of names) {
            const { [name]: _, ...others } = values
            assert.equal(saidBy(subject, { code, values: others }, BOX), BOX, `${code} without ${name}`)
          }
        }
        assert.equal(seen.size, Object.keys(codes).length, subject)
      }
    })

  test('no language has the English sentence of another', async () => {
    const sentencesIn = async (language: string) => {
      const { boxWords } = await import(`./${language}/late.ts`)
      return Object.values(boxWords as Record<string, Record<string, unknown>>).flatMap((codes) =>
        Object.values(codes).map((one) => JSON.stringify(one)),
      )
    }
    const english = new Set(await sentencesIn('en'))
    for (const language of LANGUAGES.filter((tag) => tag !== 'en'))
      for (const sentence of await sentencesIn(language)) assert.ok(!english.has(sentence), `${language}: ${sentence}`)
  })

  test('German: why a box is in its mode, and why another one is not followed', async () => {
    await speak('de')
    const reason_coded: Coded[] = [
      { code: 'votes_unreachable' },
      { code: 'silent', values: { name: 'Tor Süd', for_ms: 185_000 } },
      { code: 'silent_more', values: { n: 1 } },
    ]
    assert.equal(
      modeReason({ reason: BOX, reason_coded }),
      'Die meisten Boxen, die entscheiden, antworten nicht. Tor Süd: kein Kontakt seit 3 Minuten. 1 weitere Box ist ohne Kontakt.',
    )
    assert.equal(
      modeReason({ reason: BOX, reason_coded: [{ code: 'refused', values: { name: 'Tor Süd' } }, { code: 'forged' }] }),
      'Was Tor Süd sendet, kann diese Box nicht verwenden. Ein anderes Gerät antwortet an ihrer Stelle: herausfinden, welches.',
    )
    const south = { box_id: 's', name: 'Tor Süd', self: false, role: 'core', url: null, device_url: null } as const
    const silent = { ...south, heard: true, last_heard: null, behind: 0, problem: BOX }
    assert.deepEqual(warningsOf({ boxes: [{ ...silent, problem_coded: { code: 'seal_unsigned' } }] }), [
      { box: 's', text: 'Tor Süd: Ihr Siegel ist nicht mit ihrem Schlüssel signiert.' },
    ])
    assert.deepEqual(warningsOf({ boxes: [silent] }), [{ box: 's', text: `Tor Süd: ${BOX}` }], 'of an older box')
  })

  test('the sentence of the box stands in for a code that is not known, for none, and for whatever is no code', async () => {
    await speak('de')
    assert.equal(modeReason({ reason: BOX }), BOX)
    assert.equal(modeReason({ reason: BOX, reason_coded: [] }), BOX)
    assert.equal(modeReason({ reason: BOX, reason_coded: [{ code: 'forced' }, { code: 'of_a_newer_box' }] }), BOX)
    for (const came of [
      null,
      { code: 'constructor' },
      { code: '__proto__' },
      [null],
      [7],
      {},
      { code: 'silent', values: 7 },
    ])
      assert.equal(saidBy('mode', came as never, BOX), BOX)
    for (const values of [null, [], { name: {} }, { name: null }])
      assert.equal(saidBy('mode', { code: 'refused', values } as never, BOX), BOX)
  })
})
