/** Findings of the verification are said in the language of the screen. */
import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { FOUND, PLACES, THINGS } from '@gatehouse/proto/record-problems.ts'
import { LANGUAGES } from '@gatehouse/proto/ui/language.ts'
import { speak } from '../../words/speak.testing.ts'
import { kindText } from './kinds.ts'

describe('what the verification finds is said', () => {
  after(() => speak('en'))

  test('in German: of a thing, of a table, of the journal itself, and of a newer box', async () => {
    await speak('de')
    assert.equal(kindText('incident_note_differs'), 'Notiz zu einem Vorfall: weicht vom Protokoll ab')
    assert.equal(kindText('unreadable_people'), 'Person: eine Zeile ist nicht lesbar')
    assert.equal(kindText('unreadable_api_tokens'), 'API-Token: eine Zeile ist nicht lesbar')
    assert.equal(kindText('tickets_differ'), 'Alle Tickets: weicht vom Protokoll ab')
    assert.equal(kindText('seal_missing'), 'Ein Siegel fehlt')
    for (const strange of ['moon_is_gone', 'constructor_missing', 'unreadable_constructor', '', '_', 'scan_'])
      assert.equal(kindText(strange), strange.replaceAll('_', ' '))
  })

  describe('each kind has words of its own', () => {
    const kinds = [...PLACES, ...THINGS.flatMap((thing) => FOUND.map((found) => `${thing}_${found}`))]
    for (const language of LANGUAGES)
      test(language, async () => {
        await speak(language)
        const said = kinds.map(kindText)
        assert.equal(new Set(said).size, kinds.length)
        for (const text of said) assert.doesNotMatch(text, /undefined|_/)
      })
  })
})
