import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import fc from 'fast-check'
import { putTogether, takeApart } from './verdict-text.ts'

const ADMITTED: Verdict = {
  scan_id: 'x',
  verdict: 'ADMIT',
  severity: 'admit',
  reason: 'Admitted at Gate North.',
  tier_name: 'Day "A"',
  tier_colour: '#123456',
  seat_label: 'A, "1"',
  occurrence: 1,
  hlc: '1795494731950.0001',
  direction: 'in',
  confidence: 'confirmed',
  evidence: null,
}

describe('the text of a verdict', () => {
  it('comes back byte for byte, whatever it is, and whatever its parts have in them', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '","hlc":"1",', '\u001f', '\\', '"evidence":null', '\u2028'),
    )
    const verdict = fc.record({
      ...Object.fromEntries(Object.entries(ADMITTED).map(([key, value]) => [key, fc.constant(value)])),
      scan_id: odd,
      reason: odd,
      tier_name: fc.option(odd),
      seat_label: fc.option(odd),
      occurrence: fc.option(fc.nat()),
      hlc: odd,
      product: odd,
    })
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      verdict.map((one) => JSON.stringify(one)),
    )
    fc.assert(
      fc.property(text, odd, (response, id) => {
        let scanId = id
        try {
          const read = JSON.parse(response)
          if (typeof read?.scan_id === 'string') scanId = read.scan_id
        } catch {}
        assert.equal(putTogether(takeApart(response, scanId), scanId), response)
        assert.equal(putTogether(takeApart(response, id), id), response)
      }),
    )
  })

  it('is the same for two admissions of a tier, and its own for a refusal, a case and another id', () => {
    const textOf = (more: Partial<Verdict>) => {
      const verdict = { ...ADMITTED, ...more }
      return takeApart(JSON.stringify(verdict), verdict.scan_id)
    }
    const one = textOf({})
    const other = textOf({ scan_id: 'y', seat_label: null, occurrence: 12, hlc: '1795494731951.0000' })
    assert.ok(one.own !== null && other.own !== null)
    assert.equal(one.text, other.text)
    assert.ok(!one.text.includes(ADMITTED.hlc) && one.own.length < 50)
    assert.notEqual(one.text, textOf({ tier_name: 'Night' }).text)
    assert.equal(textOf({ flag: 'f' }).own, null)
    assert.equal(textOf({ evidence: { revoked_at: null, revoked_reason: null } }).own, null)
    assert.equal(takeApart(JSON.stringify(ADMITTED), 'another').own, null)
  })
})
