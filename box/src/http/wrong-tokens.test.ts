import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { GatehouseError } from '../errors.ts'
import { createLogger } from '../log.ts'
import { WrongTokens } from './wrong-tokens.ts'

describe('wrong admin tokens', () => {
  let lines: string[]
  let at: number
  let wrong: WrongTokens
  beforeEach(() => {
    lines = []
    at = 0
    const logger = createLogger('warn', { write: (line) => void lines.push(line) })
    wrong = new WrongTokens({ logger, now: () => Date.parse('2026-07-01T12:00:00Z') + at, monotonic: () => at })
  })

  /** Seconds until the next answer; 0 where it is answered at once. */
  function note(address: string): number {
    try {
      wrong.note(address)
      return 0
    } catch (error) {
      assert.ok(error instanceof GatehouseError && error.code === 'rate_limited')
      return error.retryAfterSeconds ?? assert.fail('no time')
    }
  }

  it('are answered at once ten times, and then with a wait that doubles to a minute and ends', () => {
    for (let i = 0; i < 11; i++) assert.equal(note('192.0.2.7'), 0)
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      for (let i = 0; i < 50; i++) assert.equal(note('192.0.2.7'), seconds, 'trying on makes it no longer')
      at += seconds * 1000
      assert.equal(note('192.0.2.7'), 0)
    }
    at += 15 * 60_000
    assert.equal(note('192.0.2.7'), 0)
    assert.equal(note('192.0.2.7'), 0, 'after a quiet quarter of an hour it begins anew')
  })

  it('slow down one network, which is a /64 of IPv6, and no other', () => {
    for (let i = 0; i < 11; i++) note(`2001:db8::${i + 1}`)
    assert.equal(note('2001:db8::ffff'), 1)
    assert.equal(note('2001:db8:0:1::1'), 0)
    assert.equal(note('192.0.2.7'), 0)
    for (let i = 0; i < 11; i++) note('::ffff:192.0.2.8')
    assert.equal(note('192.0.2.8'), 1)
  })

  it('are counted, with time and address of the last', () => {
    assert.equal(wrong.seen(), undefined)
    for (let i = 0; i < 100; i++) note('::ffff:192.0.2.7')
    at = 5000
    note('2001:db8::1')
    assert.deepEqual(wrong.seen(), { count: 101, last_at: '2026-07-01T12:00:05.000Z', last_address: '2001:db8::1' })
  })

  it('fill neither the memory nor the log, from however many networks', () => {
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < 200_000; i++) note(`2001:db8:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}::1`)
    assert.ok(process.memoryUsage().heapUsed - before < 64e6)
    assert.equal(lines.length, 1)
    at = 10_000
    note('192.0.2.7')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)).map(({ event, count, address }) => [event, count, address]),
      [
        ['wrong_admin_token', 1, '2001:db8:0:0::1'],
        ['wrong_admin_token', 200_000, '192.0.2.7'],
      ],
    )
  })
})
