import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PreflightFacts, preflightItems } from './preflight.ts'

const NOW = 1_785_000_000_000
const READY: PreflightFacts = {
  now: NOW,
  clockOffsetMs: 1_999,
  mirror: { version: 7, asOf: NOW - 1000, tickets: 100_000, stale: false },
  certificateExpiresAt: NOW + 3 * 86_400_000,
  storagePersisted: true,
  link: 'reachable',
}
const of = (id: string, facts: Partial<PreflightFacts>) =>
  preflightItems({ ...READY, ...facts }).find((item) => item.id === id) ?? assert.fail()

describe('preflight', () => {
  it('is all green, with nothing to do', () => {
    for (const item of preflightItems(READY)) assert.deepEqual([item.state, item.remedy], ['ok', null], item.id)
    assert.match(of('manifest', {}).detail, /^100,000 tickets, version 7, up to date$/)
    assert.equal(of('certificate', {}).detail, '3 days left')
  })

  const cases: [string, Partial<PreflightFacts>, string, RegExp][] = [
    ['clock', { clockOffsetMs: null }, 'fail', /not compared/],
    ['clock', { clockOffsetMs: 2_000 }, 'warn', /^2 seconds behind the box$/],
    ['clock', { clockOffsetMs: -59_999 }, 'warn', /^59 seconds ahead of the box$/],
    ['clock', { clockOffsetMs: 60_000 }, 'fail', /^1 minute behind/],
    ['manifest', { mirror: null }, 'fail', /no ticket list/],
    [
      'manifest',
      { mirror: { version: 1, asOf: NOW - 900_000, tickets: 1, stale: true } },
      'warn',
      /heard 15 minutes ago/,
    ],
    ['certificate', { certificateExpiresAt: NOW + 3_600_000 }, 'warn', /^1 hour left$/],
    ['certificate', { certificateExpiresAt: NOW }, 'fail', /^ended$/],
    ['storage', { storagePersisted: false }, 'warn', /may delete/],
    ['storage', { storagePersisted: undefined }, 'warn', /does not say/],
    ['link', { link: 'alone' }, 'warn', /does not answer/],
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
