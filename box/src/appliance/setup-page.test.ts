import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LANGUAGES } from '@gatehouse/proto/ui/language.ts'
import type { SettingsProblem } from '@gatehouse/proto/wire/appliance.ts'
import { escapeXml } from '@gatehouse/proto/xml-text.ts'
import { languageOf } from './page-language.ts'
import { drawSetupPage, SETUP_WORDS, type SetupFacts } from './setup-page.ts'

const FACTS: SetupFacts = {
  ...{ eventName: 'Test Fair', boxId: 'box-1', fingerprint: `sha256:${'ab'.repeat(32)}`, timeQuality: 'synced' },
  ...{ origins: ['https://gatehouse.local', 'https://10.0.0.5'], wallet: '/wallet/', problems: [], qr: '<svg></svg>' },
  language: 'en',
}

describe('the setup page', () => {
  it('leads to the apps and says what the box is', () => {
    const page = drawSetupPage(FACTS)
    for (const part of [
      'https://gatehouse.local/dashboard/',
      'https://10.0.0.5',
      '"/wallet/"',
      FACTS.fingerprint,
      '/ca.crt',
    ])
      assert.ok(page.includes(part), part)
    assert.doesNotMatch(page, /<script|<style| style=| on\w+=|class="problems"/)
    assert.match(page, /set by the network/)
    assert.match(drawSetupPage({ ...FACTS, timeQuality: 'unsynced' }), /not set by the network/)
  })

  it('says everything in each language, and leads to the steps and to the other languages', () => {
    const problems = [{ where: 'hostname', message: 'has a space' }]
    for (const language of LANGUAGES) {
      const page = drawSetupPage({ ...FACTS, problems, timeQuality: 'unsynced', language })
      const words = SETUP_WORDS[language]
      assert.ok(page.startsWith(`<!doctype html>\n<html lang="${language}" dir="ltr">`))
      assert.ok(page.includes(`href="/trust/?lang=${language}"`))
      for (const other of LANGUAGES) assert.equal(page.includes(`href="/?lang=${other}"`), other !== language)
      const { lead, apps, dashboard, scanner, wallet, warning, trust, check, certificate, compare, times } = words
      const texts = [lead, apps, dashboard.what, scanner.what, wallet.what, warning, trust, check, certificate, compare]
      for (const text of [...texts, times.unsynced, words.problemsLead, ...words.systems.flat()])
        assert.ok(page.includes(escapeXml(text)), `${language}: ${text}`)
      assert.deepEqual(words.systems.length, SETUP_WORDS.en.systems.length)
      assert.match(page, /<span lang="en">has a space/)
      if (language === 'en') continue
      for (const [i, text] of texts.entries()) {
        const { lead: l, apps: a, dashboard: d, scanner: s, wallet: w, ...en } = SETUP_WORDS.en
        const english = [l, a, d.what, s.what, w.what, en.warning, en.trust, en.check, en.certificate, en.compare]
        assert.notEqual(text, english[i], `${language} is still English`)
      }
    }
  })

  it('has nothing of its own beside its words: in a pseudo-locale every text is one, from right to left', () => {
    assert.equal(languageOf({ query: { lang: 'en-x-rtl' }, headers: {} }), 'en-x-rtl')
    assert.equal(languageOf({ query: {}, headers: { 'accept-language': 'en-x-rtl, de' } }), 'en')
    const page = drawSetupPage({ ...FACTS, problems: [{ where: 'line 4', message: 'x' }], language: 'en-x-rtl' })
    assert.ok(page.startsWith('<!doctype html>\n<html lang="en-x-rtl" dir="rtl">'))
    const texts = [...page.slice(page.indexOf('<header>')).matchAll(/>([^<]*[a-z]{2}[^<]*)</g)].map(([, text]) => text)
    // What is left is data.
    const data = /^(Test Fair|box-1|x|https:.*|sha256:.*)$/
    assert.deepEqual(
      texts.filter((text = '') => !/^\u202e\[.*\]\u202c?/.test(text) && !data.test(text)),
      [],
    )
  })

  it('says what is wrong with the settings in its language, and of an older image in English', () => {
    const missing = { where: 'tls.key', message: 'is missing: it goes with certificate' }
    const coded = [{ code: 'missing' }, { code: 'goes_with', values: { key: 'certificate' } }]
    const page = (problem: SettingsProblem) => drawSetupPage({ ...FACTS, problems: [problem], language: 'de' })
    assert.match(page({ ...missing, coded }), /tls\.key<\/strong> <span>Fehlt\. Gehört zu certificate\.</)
    for (const strange of [
      undefined,
      [],
      [{ code: 'goes_with' }],
      [{ code: 'constructor' }],
      [...coded, { code: 'x' }],
    ])
      assert.match(page({ ...missing, ...(strange && { coded: strange }) }), /<span lang="en">is missing: it goes with/)
    assert.match(page({ ...missing, where: 'line 4', coded }), /<strong>Zeile 4<\/strong> <span>Fehlt/)
    const braces = [{ code: 'not_toml', values: { why: '<b> in {key}' } }]
    assert.match(page({ ...missing, coded: braces }), /\(&lt;b&gt; in \{key\}\)/)
  })

  it('does not say that a setting was not used where the file was not read', () => {
    const notRead = { where: 'gatehouse.toml', message: 'was not read', coded: [{ code: 'not_read' }] }
    const page = drawSetupPage({ ...FACTS, problems: [notRead] })
    assert.match(page, /It was not read/)
    assert.doesNotMatch(page, /setting was not used/)
    const noEvent = { where: 'box.event', message: 'is not set', coded: [{ code: 'no_event' }] }
    const demo = drawSetupPage({ ...FACTS, problems: [noEvent] })
    assert.match(demo, /box\.event<\/strong> <span>Not set/)
    assert.doesNotMatch(demo, /setting was not used/)
    const both = drawSetupPage({ ...FACTS, problems: [notRead, { where: 'tls', message: 'is bad' }] })
    assert.match(both, /One setting was not used/)
  })

  it('says what is wrong with the settings, and takes none of it for markup', () => {
    const hostile = '<img src=x onerror=alert(1)>"\'&<!--'
    const page = drawSetupPage({
      ...{ ...FACTS, eventName: hostile, boxId: hostile, origins: [hostile], wallet: hostile },
      problems: [{ where: hostile, message: `${hostile}\nline` }],
    })
    assert.match(page, /One setting was not used/)
    assert.doesNotMatch(page, /<img|<!--/)
    assert.equal(page.split('&lt;img src=x onerror=alert(1)&gt;').length - 1 >= 5, true)
  })
})
