import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LANGUAGES } from '@gatehouse/proto/ui/language.ts'
import { escapeXml } from '@gatehouse/proto/xml-text.ts'
import { drawTrustPage, TRUST_WORDS, type TrustFacts } from './page.ts'
import { runTrustPage } from './script.ts'
import { DEVICES } from './words/en.ts'

const FACTS: TrustFacts = {
  ...{ eventName: 'Test Fair', fingerprint: `sha256:${'ab'.repeat(32)}`, language: 'en' },
  origins: ['https://gatehouse.local', 'https://10.0.0.5:8443'],
}

describe('the trust page', () => {
  it('has, in each language, every state, every device with its steps, and pictures of the phones', () => {
    for (const language of LANGUAGES) {
      const page = drawTrustPage({ ...FACTS, language })
      const { states, devices } = TRUST_WORDS[language]
      assert.ok(page.startsWith(`<!doctype html>\n<html lang="${language}" dir="ltr">`))
      for (const text of Object.values(states)) assert.ok(page.includes(`>${escapeXml(text)}<`), text)
      for (const device of DEVICES) {
        assert.ok(page.includes(`data-device="${device}"`))
        for (const { text } of devices[device].steps) assert.ok(page.includes(escapeXml(text)), text)
      }
      assert.equal(page.split('<svg').length - 1, 7)
      assert.equal(page.split('href="/trust/gatehouse-ca.crt"').length - 1, 3)
      // Each has its own words, and as many steps as the English.
      assert.deepEqual(
        DEVICES.map((device) => devices[device].steps.length),
        DEVICES.map((device) => TRUST_WORDS.en.devices[device].steps.length),
      )
      if (language !== 'en') assert.notEqual(states.yes, TRUST_WORDS.en.states.yes)
    }
  })

  it('has the fingerprint as phones show it, the own addresses, and no script or style within', () => {
    const page = drawTrustPage(FACTS)
    assert.ok(page.includes(`>${'AB '.repeat(31)}AB<`))
    assert.ok(page.includes('data-origins="https://gatehouse.local https://10.0.0.5:8443"'))
    assert.doesNotMatch(page, /<script(?![^>]* src=)|<style| style=| on\w+=/)
  })

  it('takes nothing of the event for markup', () => {
    const hostile = '"><img src=x onerror=alert(1)>'
    assert.doesNotMatch(drawTrustPage({ ...FACTS, eventName: hostile, origins: [hostile] }), /<img/)
  })

  it('has a script that needs nothing beside itself', () => {
    // As the browser gets it: the source of one function, without types.
    const source = runTrustPage.toString()
    assert.doesNotThrow(() => new Function(`(${source})`))
    assert.doesNotMatch(source, /\bimport\b|innerHTML|eval\(|document\.write/)
  })
})
