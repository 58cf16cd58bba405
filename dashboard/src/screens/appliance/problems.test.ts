/** A problem of gatehouse.toml is said in the language of the screen, and is one of a line only where a line was not used. */
import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { speak } from '../../words/speak.testing.ts'
import { isOfALine, placeOf, problemText } from './problems.ts'

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

test('a file that was not read, and one without an event, have no line that was not used', () => {
  const noEvent = { where: 'box.event', message: 'is not set', coded: [{ code: 'no_event' }] }
  assert.equal(isOfALine(noEvent), false)
  assert.equal(isOfALine({ where: 'gatehouse.toml', message: 'was not read' }), false)
  const notToml = { where: 'line 1', message: 'cannot be read', coded: [{ code: 'not_toml', values: { why: 'x' } }] }
  assert.equal(isOfALine(notToml), false)
  assert.equal(isOfALine({ where: 'line 1', message: 'is broken' }), true)
  assert.equal(isOfALine({ where: 'box.name', message: 'is a host name' }), true)
})
