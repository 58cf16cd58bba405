import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Attempts } from './attempts.ts'

function started() {
  const clock = { ms: 0 }
  const attempts = new Attempts({ monotonic: () => clock.ms, now: () => clock.ms })
  /** @returns the seconds to wait; 0 for a try that is answered */
  const wrong = (name: string, address: string): number => {
    try {
      attempts.begin(name, address)
      return 0
    } catch (error) {
      return (error as { retryAfterSeconds: number }).retryAfterSeconds
    }
  }
  return { clock, attempts, wrong }
}

describe('wrong PINs', () => {
  it('wait longer and longer, and then a quarter of an hour; for this name from this network alone', () => {
    const { clock, wrong } = started()
    const waits: number[] = []
    for (let answered = 0; answered < 10; ) {
      const wait = wrong('Ada', '192.0.2.1')
      if (wait === 0) answered++
      else waits.push(wait)
      clock.ms += wait * 1000
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16])
    assert.equal(wrong('ADA ', '::ffff:192.0.2.1'), 15 * 60, 'another spelling is the same name')
    assert.equal(wrong('Otto', '192.0.2.1'), 0)
    assert.equal(wrong('Ada', '192.0.2.2'), 0)
  })

  it('count at once, though none is answered yet', () => {
    const { wrong } = started()
    const waits = Array.from({ length: 8 }, () => wrong('Ada', '192.0.2.1'))
    assert.deepEqual(
      waits.map((wait) => wait > 0),
      [false, false, false, false, false, true, true, true],
    )
  })

  it('from everywhere make a name slow where it is not known, and never where it has signed in', () => {
    const { clock, attempts, wrong } = started()
    attempts.begin('Ada', '192.0.2.1')
    attempts.succeeded('Ada', '192.0.2.1')
    for (let i = 0; i < 31; i++) wrong('Ada', `198.51.100.${i}`)
    assert.equal(wrong('Ada', '203.0.113.1'), 10)
    assert.equal(wrong('Ada', '192.0.2.1'), 0, 'nobody is locked out of where they work')
    clock.ms += 10_000
    assert.equal(wrong('Ada', '203.0.113.1'), 0, 'slowed, not locked')
  })

  it('are forgotten after a right one, and after an hour; a right one is not counted', () => {
    const { clock, attempts, wrong } = started()
    for (let i = 0; i < 4; i++) wrong('Ada', '192.0.2.1')
    attempts.begin('Ada', '192.0.2.1')
    attempts.succeeded('Ada', '192.0.2.1')
    assert.equal(attempts.seen()?.count, 4)
    for (let i = 0; i < 5; i++) assert.equal(wrong('Ada', '192.0.2.1'), 0)
    assert.ok(wrong('Ada', '192.0.2.1') > 0)
    clock.ms += 3_600_000
    assert.equal(wrong('Ada', '192.0.2.1'), 0)
  })

  it('from one network under many names make it slow, but nobody who has signed in there, and no other network', () => {
    const { clock, attempts, wrong } = started()
    attempts.begin('Ada', '2001:db8::1')
    attempts.succeeded('Ada', '2001:db8::1')
    const waits = Array.from({ length: 100 }, (_, i) => wrong(`name ${i}`, `2001:db8::${i}`))
    assert.equal(waits.filter((wait) => wait === 0).length, 20)
    assert.deepEqual(attempts.begin('ada', '2001:db8::9'), { lane: '2001:db8:0:0::/64 ada', isKnown: true })
    assert.deepEqual(attempts.begin('Otto', '2001:db8:0:1::1'), { lane: '2001:db8:0:1::/64', isKnown: false })
    clock.ms += 1000
    assert.equal(wrong('name 100', '2001:db8::1'), 0)
    assert.equal(wrong('name 101', '2001:db8::1'), 1)
  })

  it('do not count where a whole crew signs in behind one address', () => {
    const { attempts } = started()
    for (let i = 0; i < 100; i++) {
      attempts.begin(`person ${i}`, '192.0.2.1')
      attempts.succeeded(`person ${i}`, '192.0.2.1')
    }
    assert.equal(attempts.seen(), undefined)
  })
})
