import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from '@gatehouse/proto/ui/language.ts'
import { AnnounceRequest, SEVERITIES as WIRE_SEVERITIES } from '@gatehouse/proto/wire/attendee.ts'
import { actionWords as words } from '../../words/late.ts'
import {
  charactersLeft,
  correctionOf,
  EMPTY,
  faultOf,
  LASTS,
  LONGEST,
  newDraft,
  requestOf,
  SEVERITIES,
} from './draft.ts'

/** The characters that the box takes in a text. */
const TEXT = AnnounceRequest.properties.text as { maxLength?: number; pattern?: string }
const NOW = Date.parse('2026-11-20T19:00:00Z')

test('every severity and every duration can be said', () => {
  assert.deepEqual(SEVERITIES, WIRE_SEVERITIES)
  assert.deepEqual(Object.keys(words.announce.severities), [...WIRE_SEVERITIES])
  assert.ok(LASTS.includes(EMPTY.lasts as (typeof LASTS)[number]))
})

test('every template fits, and needs no more than a place or a time', () => {
  for (const { text, severity } of words.announce.templates) {
    assert.equal(faultOf({ ...EMPTY, text, severity }), null)
    assert.ok(charactersLeft(text) > 100)
  }
})

test('a text is in the language of the control room until another one is chosen, and each of ours can be', async () => {
  for (const language of LANGUAGES) {
    assert.equal(newDraft(language).lang, language)
    const { actionWords } = await import(`../../words/${language}/actions.ts`)
    for (const other of LANGUAGES) assert.ok(actionWords.announce.languages[other], `${other} in ${language}`)
  }
  assert.equal(newDraft('en-x-rtl').lang, 'en')
})

test('a correction starts with what is shown, and names what it takes the place of', () => {
  const shown = { id: 'a1', text: 'Doors at six', severity: 'warning', lang: 'de', zones: ['arena'] } as const
  const said = { ...shown, zones: ['arena'], issued_at: '', hlc: '', signature: '' }
  const request = requestOf(correctionOf(said), 'Ines', NOW)
  assert.deepEqual(
    [request.replaces, request.text, request.severity, request.lang, request.zones],
    ['a1', 'Doors at six', 'warning', 'de', ['arena']],
  )
  assert.equal('replaces' in requestOf({ ...EMPTY, text: 'New' }, 'Ines', NOW), false)
})

test('a draft without a text, or for nobody, is not sent', () => {
  assert.equal(faultOf({ ...EMPTY, text: ' \n ' }), 'empty')
  assert.equal(faultOf({ ...EMPTY, text: 'a\u0000b' }), 'controls')
  assert.equal(faultOf({ ...EMPTY, text: 'Rain', everybody: false }), 'chooseZones')
  assert.equal(faultOf({ ...EMPTY, text: 'Rain\ncoming' }), null)
})

test('a text that the box would refuse is refused here', () => {
  for (let code = 0; code < 0x100; code += 1) {
    const text = `a${String.fromCharCode(code)}b`
    assert.equal(faultOf({ ...EMPTY, text }) === null, new RegExp(TEXT.pattern ?? '', 'u').test(text), `code ${code}`)
  }
})

test('the box takes every draft that may be sent', () => {
  const zones = new Set(['arena'])
  for (const severity of SEVERITIES)
    for (const lasts of LASTS)
      for (const everybody of [true, false]) {
        const draft = { ...EMPTY, severity, lasts, everybody, zones, text: ' Doors at 20:00. ' }
        assert.equal(faultOf(draft), null)
        const request = requestOf(draft, 'Ana', NOW)
        assert.equal(request.text, 'Doors at 20:00.')
        assert.equal('zones' in request, !everybody)
        assert.equal('expires_at' in request, lasts > 0)
      }
})

test('the expiry is counted by the clock that is given', () => {
  assert.equal(requestOf({ ...EMPTY, text: 'x', lasts: 900 }, 'Ana', NOW).expires_at, '2026-11-20T19:15:00.000Z')
})

test('characters are counted as people do', () => {
  assert.equal(charactersLeft('  ab '), LONGEST - 2)
  assert.equal(charactersLeft('😀'), LONGEST - 1)
  assert.equal(TEXT.maxLength, LONGEST)
})
