/** Refusals in the phone's language: by the box, by an older box, and by the phone alone. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { KNOWN_DETAILS, knownDetail } from '@gatehouse/proto/known-details.ts'
import { LANGUAGES } from '@gatehouse/proto/ui/language.ts'
import { verdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { Evidence, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { sayCore } from './core.ts'
import { sayLate } from './late.ts'
import { verdictWords } from './verdict.ts'
import { say } from './words.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const BOX = 'The box says it in English'

async function speak(folder: string): Promise<void> {
  say(await import(`./${folder}/first.ts`))
  sayCore(await import(`./${folder}/core.ts`))
  sayLate(await import(`./${folder}/late.ts`))
}

function factOf(verdict: Verdict['verdict'], evidence: Evidence, over: Partial<Verdict> = {}): string {
  return verdictWords({
    at: NOON,
    class: verdictClass(verdict),
    alone: false,
    verdict: {
      ...{ scan_id: 's', verdict, severity: 'refuse', reason: BOX, hlc: '1.0', direction: 'in' },
      ...{ tier_name: null, tier_colour: null, seat_label: null, occurrence: 1, confidence: 'confirmed' },
      evidence,
      ...over,
    },
  }).fact
}

const window = { valid_from: '2026-07-05T16:00:00Z', valid_until: null }

describe('in the language of the phone', () => {
  after(() => speak('en'))

  test('a refusal of the box, of an older box, and of the phone alone', async () => {
    await speak('de')
    const detail = 'the order is not paid'
    assert.equal(factOf('NOT_PAID', { detail, code: 'not_paid' }), 'Die Bestellung ist nicht bezahlt.')
    assert.equal(factOf('NOT_PAID', { detail }), 'Die Bestellung ist nicht bezahlt.', 'an older box has no code')
    const revoked = { revoked_at: null, revoked_reason: 'refunded' }
    assert.equal(factOf('REVOKED', revoked), 'Dieses Ticket wurde erstattet.')
    const zoned = { ...window, of: 'gate', time_zone: 'Europe/Lisbon' } as const
    assert.equal(factOf('NOT_VALID_NOW', zoned), 'Dieses Tor öffnet am So., 5. Juli, 17:00 Uhr.')
    assert.match(factOf('NOT_VALID_NOW', window), /^Einlass ab So., 5. Juli 2026, \d\d:00 Uhr\.$/)
    const alone = { ...window, of: 'ticket' } as const
    assert.match(factOf('NOT_VALID_NOW', alone), /^Noch nicht gültig: gilt ab So., 5. Juli, \d\d:00 Uhr\.$/)
  })

  test('one o’clock is one hour, where a language counts hours', async () => {
    const closed = { valid_from: null, of: 'gate', time_zone: 'UTC' } as const
    const at = (hour: number) => factOf('NOT_VALID_NOW', { ...closed, valid_until: `2026-07-04T0${hour}:05:00Z` })
    await speak('es')
    assert.deepEqual([at(1), at(2)], ['Esta puerta cerró a la 01:05.', 'Esta puerta cerró a las 02:05.'])
    await speak('pt')
    assert.deepEqual([at(1), at(2)], ['Esta porta fechou à 01:05.', 'Esta porta fechou às 02:05.'])
  })

  test("a person's own words stay as they are, and so does a code of a newer box", async () => {
    await speak('de')
    assert.equal(factOf('BLOCKED', { detail: 'Lost at the bar' }), 'Gesperrt: Lost at the bar.')
    const newer = { detail: 'on the moon', code: 'on_the_moon' } as unknown as Evidence
    assert.equal(factOf('BLOCKED', newer), 'Gesperrt: on the moon.')
    const supervision = { actor: 'Ana', reason: 'Wristband shown.' }
    assert.equal(
      factOf('ADMIT', null, { supervised: true, supervision, severity: 'admit' }),
      'Eingelassen von Ana: Wristband shown.',
    )
    assert.equal(factOf('ADMIT', null, { supervised: true, severity: 'admit' }), BOX, 'an older box')
  })

  for (const language of LANGUAGES)
    test(`${language}: every code has a sentence, and no sentence of the box is shown`, async () => {
      await speak(language)
      const sentences = KNOWN_DETAILS.map((code) => factOf('BLOCKED', { detail: BOX, code }))
      assert.equal(new Set(sentences).size, KNOWN_DETAILS.length)
      for (const sentence of sentences) {
        assert.match(sentence, /^\p{Lu}.*\.$/u)
        assert.doesNotMatch(sentence, /English|pretix/)
      }
      for (const valid of [window, { valid_from: null, valid_until: '2026-07-03T16:00:00Z' }])
        for (const evidence of [valid, { ...valid, of: 'ticket' }, { ...valid, of: 'gate' }] as Evidence[])
          assert.doesNotMatch(factOf('NOT_VALID_NOW', evidence), /English/)
    })
})

test('only whole texts are known', () => {
  assert.equal(knownDetail('not paid'), 'not_paid')
  for (const text of ['Not paid', 'not paid.', '', 'constructor', null, undefined])
    assert.equal(knownDetail(text), undefined)
})
