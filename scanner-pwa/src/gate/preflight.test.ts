import '../words/in-english.ts'

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PreflightFacts, preflightItems } from './preflight.ts'

const NOW = 1_785_000_000_000
const READY: PreflightFacts = {
  now: NOW,
  clockOffsetMs: 1_999,
  mirror: { version: 7, asOf: NOW - 1000, tickets: 100_000, stale: false },
  certificateExpiresAt: NOW + 3 * 86_400_000,
  storageKeeping: true,
  link: 'reachable',
  boxes: [],
}
const SOUTH = { name: 'South', origin: 'https://10.0.0.2:8443', open: true, answers: true }
const WEST = { ...SOUTH, name: 'West', origin: 'https://10.0.0.3:8443' }
const of = (id: string, facts: Partial<PreflightFacts>) =>
  preflightItems({ ...READY, ...facts }).find((item) => item.id === id) ?? assert.fail()

describe('preflight', () => {
  it('is all green, with nothing to do', () => {
    for (const item of preflightItems(READY)) assert.deepEqual([item.state, item.remedy], ['ok', null], item.id)
    assert.match(of('manifest', {}).detail, /^100,000 tickets, version 7, up to date$/)
    assert.equal(of('certificate', {}).detail, '3 days left')
    assert.equal(of('boxes', { boxes: [SOUTH, WEST] }).detail, 'if this box fails, this phone uses South, West')
  })

  it('says nothing of other boxes where there is one, and where to open the one that is silent', () => {
    assert.equal(
      preflightItems(READY).find(({ id }) => id === 'boxes'),
      undefined,
    )
    const silent = of('boxes', { boxes: [{ ...SOUTH, answers: false }] })
    assert.match(silent.remedy ?? '', /^Open https:\/\/10\.0\.0\.2:8443\/scanner\/ once/)
  })

  const cases: [string, Partial<PreflightFacts>, string, RegExp][] = [
    ['clock', { clockOffsetMs: null }, 'fail', /not compared/],
    ['clock', { clockOffsetMs: 2_000 }, 'warn', /^2 seconds behind the box$/],
    ['clock', { clockOffsetMs: -59_999 }, 'warn', /^59 seconds ahead of the box$/],
    ['clock', { clockOffsetMs: 60_000 }, 'fail', /^1 minute behind/],
    ['manifest', { mirror: null }, 'fail', /no ticket list/],
    ['manifest', { mirror: { version: 1, asOf: NOW - 900_000, tickets: 1, stale: true } }, 'warn', /15 minutes old/],
    ['certificate', { certificateExpiresAt: NOW + 3_600_000 }, 'warn', /^1 hour left$/],
    ['certificate', { certificateExpiresAt: NOW }, 'fail', /^expired$/],
    ['storage', { storageKeeping: false }, 'warn', /may delete unsent scans/],
    ['storage', { scantRoom: 20 }, 'warn', /^this browser gives this app only 20 MB/],
    ['storage', { storageKeeping: undefined }, 'warn', /does not say whether it keeps unsent scans/],
    ['link', { link: 'offline' }, 'warn', /does not answer/],
    ['boxes', { boxes: [SOUTH, { ...WEST, answers: false }] }, 'warn', /^no answer from West$/],
    ['boxes', { boxes: [SOUTH, { ...WEST, open: false, answers: false }] }, 'warn', /^West joined after/],
  ]
  for (const [id, facts, state, detail] of cases) {
    it(`${id}: ${detail.source}`, () => {
      const item = of(id, facts)
      assert.equal(item.state, state)
      assert.match(item.detail, detail)
      assert.ok(item.remedy?.endsWith('.'), 'says what to do')
    })
  }
})
