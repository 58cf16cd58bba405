/** A refusal on a screen of the control room is said in the language of the page, and pretix's own words as they came. */
import './in-english.ts'

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { REASON_VALUES } from '@gatehouse/proto/refusal-reasons.ts'
import { REFUSAL_SUBJECTS, SAID } from '@gatehouse/proto/said.ts'
import { refusedSentence } from './refused.ts'
import { speak } from './speak.testing.ts'

const message = 'The token may not use orders/ ("No access."): give its team the right.'

const languages = Object.getOwnPropertyDescriptor(navigator, 'languages')

describe('a refusal on a screen', () => {
  before(async () => {
    Object.defineProperty(navigator, 'languages', { value: ['de'], configurable: true })
    await speak('de')
  })
  after(async () => {
    Reflect.deleteProperty(navigator, 'languages')
    if (languages) Object.defineProperty(navigator, 'languages', languages)
    await speak('en')
  })

  test('is said in German, and what pretix has said stays as it is', async () => {
    assert.equal(
      await refusedSentence({
        code: 'bad_request',
        message,
        reason: 'token_forbidden',
        values: { path: 'orders/' },
        coded: [
          { code: 'token_forbidden', values: { path: 'orders/' } },
          { code: 'says', values: { words: 'No access' } },
        ],
      }),
      'Das Token darf orders/ nicht benutzen: seinem Team oder Gerät in pretix das Recht geben (Bestellungen ansehen, Check-ins) oder mit einem anderen Token verbinden. pretix meldet: „No access“.',
    )
    assert.equal(
      await refusedSentence({ code: 'bad_request', message, reason: 'address_http' }),
      'Mit http wäre das Token im Netz zu sehen: die Adresse mit https schreiben.',
    )
  })

  test('of a code without its values is the sentence of the box', async () => {
    assert.equal(await refusedSentence({ code: 'bad_request', message, reason: 'token_forbidden' }), message)
  })

  test('of a ticket file, and of a limit of sales, has its sentence', async () => {
    const bad = { code: 'bad_request', message: 'The box says it in English.' }
    assert.equal(
      await refusedSentence({ ...bad, reason: 'column_english', values: { shop: 'Hi.Events', column: 'Status' } }),
      'Diesem Export von Hi.Events fehlt die Spalte „Status“: noch einmal exportieren, mit Hi.Events auf Englisch.',
    )
    assert.equal(
      await refusedSentence({ ...bad, reason: 'quote_open', values: { line: 1_204 } }),
      'Das Anführungszeichen der Zelle in Zeile 1.204 wird nie geschlossen: schließen oder die Datei noch einmal exportieren.',
    )
    const full = { zone: 'Arena', inside: 1, most: 1, coming: 2 }
    assert.equal(
      await refusedSentence({ ...bad, code: 'over_capacity', reason: 'zone_full', values: full }),
      'Arena: 1 von 1 Personen sind drin, 2 kämen dazu.',
    )
  })

  test('of several limits has the sentence of each, and of a newer box whose code is not known its own', async () => {
    const full = { tier: 'Day', left: 1, most: 3, wanted: 2 }
    const coded = [
      { code: 'tier_full', values: full },
      { code: 'zone_full', values: { zone: 'Arena', inside: 9, most: 10, coming: 2 } },
    ]
    const refused = { code: 'over_capacity', message: 'In English.', reason: 'tier_full', values: full }
    assert.equal(
      await refusedSentence({ ...refused, coded }),
      'Day: am Tor noch 1 von 3 zu haben, gewünscht: 2. Arena: 9 von 10 Personen sind drin, 2 kämen dazu.',
    )
    assert.match(await refusedSentence({ ...refused, coded: [...coded, { code: 'newer' }] }), /\(In English\.\)$/)
  })

  test('of the machine has its sentence', async () => {
    assert.equal(
      await refusedSentence({ code: 'conflict', message, reason: 'stick_absent' }),
      'In der Box steckt kein Stick: einen einstecken, als FAT32 formatiert.',
    )
    assert.equal(
      await refusedSentence({ code: 'bad_request', message, reason: 'recipient_bad', values: { number: 2 } }),
      'Empfänger 2 ist kein gültiger öffentlicher Schlüssel von age. Er beginnt mit age1: mit „age-keygen -y“ noch einmal kopieren.',
    )
  })

  test('is of one subject: no reason is in two of them', () => {
    const all = [REASON_VALUES, ...REFUSAL_SUBJECTS.map((subject) => SAID[subject])].flatMap((one) => Object.keys(one))
    assert.equal(new Set(all).size, all.length)
  })

  test('and any other is said as before', async () => {
    assert.equal(
      await refusedSentence({ code: 'conflict', message: 'No pretix is connected.', reason: 'no_pretix' }),
      'Es ist kein pretix verbunden: mit „gatehouse shop connect“ verbinden.',
    )
  })
})
