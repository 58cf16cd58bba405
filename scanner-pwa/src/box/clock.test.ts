import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DeviceClock } from './clock.ts'

const BOX = 1_785_000_000_000

/** A device whose wall clock is off, and can be set. */
function device(offMs: number) {
  const at = { real: BOX, offMs }
  const deps = { now: () => at.real + at.offMs, monotonic: () => at.real }
  const sample = (tookMs: number, synced: boolean | undefined = true) => {
    const sentAt = deps.now()
    at.real += tookMs
    return { sentAt, tookMs, boxNow: at.real - tookMs / 2, synced }
  }
  return { at, deps, sample }
}

describe("a device's clock", () => {
  it('shows the time of the box to half of the way there and back, however far off the device is', () => {
    const off = fc.integer({ min: -1e9, max: 1e9 })
    fc.assert(
      fc.property(off, fc.nat(2000), fc.double({ min: 0, max: 1, noNaN: true }), (offMs, tookMs, share) => {
        const { at, deps } = device(offMs)
        const clock = new DeviceClock(deps)
        const sentAt = deps.now()
        at.real += tookMs
        clock.addSample({ sentAt, tookMs, boxNow: at.real - tookMs * share, synced: true })
        assert.ok(Math.abs(clock.now() - at.real) <= tookMs / 2 + 1)
      }),
    )
  })

  it('keeps the sample that travelled fastest, until it is old', () => {
    const { at, deps, sample } = device(5_000)
    const clock = new DeviceClock(deps)
    assert.equal(clock.offsetMs.value, null)
    assert.ok(clock.addSample(sample(10)))
    assert.equal(clock.offsetMs.value, -5_000)
    assert.equal(clock.addSample({ ...sample(900), boxNow: BOX }), undefined)
    at.real += 61_000
    assert.ok(clock.addSample(sample(900)))
  })

  it('is unsynced before it is measured, when the box is, and once somebody has set it', () => {
    const { at, deps, sample } = device(0)
    const clock = new DeviceClock(deps)
    assert.equal(clock.quality(), 'unsynced')
    clock.addSample(sample(10, false))
    assert.equal(clock.quality(), 'unsynced')
    clock.addSample(sample(10))
    clock.addSample(sample(10, undefined))
    assert.equal(clock.quality(), 'synced')
    at.offMs = 3_600_000
    assert.equal(clock.quality(), 'unsynced')
    clock.addSample(sample(500))
    assert.deepEqual([clock.quality(), clock.offsetMs.value], ['synced', -3_600_000])
  })

  it('goes on after a restart, for a night', () => {
    const { at, deps, sample } = device(7_000)
    const offset = new DeviceClock(deps).addSample(sample(10)) ?? assert.fail()
    assert.equal(new DeviceClock(deps, { offset }).offsetMs.value, -7_000)
    at.real += 13 * 3_600_000
    assert.equal(new DeviceClock(deps, { offset }).offsetMs.value, null)
    const clock = new DeviceClock(deps, { hlc: '9999999999000.000001' })
    assert.ok(clock.hlc.now().ms >= 9_999_999_999_000, 'readings never go back')
  })
})
