/** A problem of gatehouse.toml is said in the language of the screen. */
import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { speak } from '../../words/speak.testing.ts'
import { placeOf, problemText } from './problems.ts'

describe('a problem is said', () => {
  after(() => speak('en'))

  test('in German by its codes, and of an older image as it came', async () => {
    await speak('de')
    const message = 'is missing: it goes with key'
    const coded = [{ code: 'missing' }, { code: 'goes_with', values: { key: 'key' } }]
    assert.equal(problemText({ where: 'tls.certificate', message, coded }), 'Fehlt. Gehört zu key.')
    assert.equal(problemText({ where: 'tls.certificate', message }), message)
    assert.equal(placeOf({ where: 'line 12', message }), 'Zeile 12')
    assert.equal(placeOf({ where: 'wifi.ssid', message }), 'wifi.ssid')
  })
})
