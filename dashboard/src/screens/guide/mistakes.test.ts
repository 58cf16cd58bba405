/** Mistakes of a draft are told in the language of the page, and in the box's English where it sends no code. */
import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { speak } from '../../words/speak.testing.ts'
import { toldOf } from './mistakes.ts'

describe('a mistake of the event file', () => {
  after(() => speak('en'))

  test('is told in German, with its place', async () => {
    await speak('de')
    assert.deepEqual(
      toldOf({
        path: 'checkpoints[0].gate',
        message: 'no gate "nroth"; did you mean "north"?',
        coded: [
          { code: 'no_gate', values: { id: 'nroth' } },
          { code: 'meant', values: { guess: 'north' } },
        ],
      }),
      { place: 'checkpoints[0].gate', text: 'Es gibt kein Tor „nroth“. Gemeint ist vielleicht „north“?' },
    )
    assert.deepEqual(
      toldOf({
        path: 'zones[0].capacity',
        message: 'must be a whole number of people, 1 or more, not 0.5',
        coded: [
          { code: 'whole_number', values: { least: 1, most: 10_000_000 } },
          { code: 'is_now', values: { value: '0.5' } },
        ],
      }),
      {
        place: 'zones[0].capacity',
        text: 'Hier gehört eine ganze Zahl von 1 bis 10.000.000 hin. Jetzt steht da 0.5.',
      },
    )
  })

  test('in a file that is no JSON names line and column once', async () => {
    await speak('fr')
    const file = { path: 'line 3, column 7', message: 'not JSON: Unexpected token' }
    assert.deepEqual(toldOf({ ...file, coded: [{ code: 'not_json', values: { line: 3, column: 7 } }] }), {
      place: '',
      text: 'Le fichier n’est pas du JSON\u00a0: voyez la ligne 3, colonne 7.',
    })
    assert.deepEqual(toldOf(file), { place: file.path, text: file.message }, 'of an older box')
  })
})
