import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { speak } from '../../words/speak.testing.ts'
import { notCounted } from './not-counted.ts'

test('what is not counted is said in the language of the screen; a sentence without a known code stays as the box has it', async (t) => {
  t.after(() => speak('en'))
  await speak('de')
  const not_counted = ['Anybody.', '2 scanners.', 'Of a newer box.']
  const not_counted_coded = [
    { code: 'unscanned' },
    { code: 'scanners_silent', values: { n: 2, names: 'Tor Nord, Tor Süd' } },
    { code: 'of_a_newer_box' },
  ]
  assert.deepEqual(notCounted({ not_counted, not_counted_coded }), [
    'Wer ohne Scan hineingekommen ist: Crew und Künstler ohne Ticket, und wer durch eine offene Tür gegangen ist.',
    '2 Scanner melden sich nicht: Tor Nord, Tor Süd. „Höchstens“ enthält eine Schätzung, wie viele Personen sie hineingelassen haben können.',
    'Of a newer box.',
  ])
  assert.deepEqual(notCounted({ not_counted }), not_counted, 'of an older box')
})
