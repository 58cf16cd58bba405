import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawSetupPage, type SetupFacts } from './setup-page.ts'

const FACTS: SetupFacts = {
  ...{ eventName: 'Test Fair', boxId: 'box-1', fingerprint: `sha256:${'ab'.repeat(32)}`, timeQuality: 'synced' },
  ...{ origins: ['https://gatehouse.local', 'https://10.0.0.5'], wallet: '/wallet/', problems: [], qr: '<svg></svg>' },
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
