import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { GatehouseError } from '../errors.ts'
import { TokenBuckets } from './token-bucket.ts'
import { Turnstile, type TurnstileOptions } from './turnstile.ts'

/** The requests that were let in, in order, and the function with which each leaves again. */
function gate(t: TestContext, options: Partial<TurnstileOptions> = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const clock = { ms: 0 }
  const liveScans = { areInFlight: false, areRecent: false }
  const turnstile = new Turnstile({ now: () => clock.ms, liveScans, ...options })
  const inside: string[] = []
  const leave: (() => void)[] = []
  const ask = (lane: string, address = '', isGone = () => false) =>
    turnstile.enter(lane, { address, isGone }).then(
      (answered) => {
        inside.push(lane + address)
        leave.push(answered)
      },
      (error: GatehouseError) => inside.push(error.code),
    )
  const pass = async (ms: number) => {
    clock.ms += ms
    t.mock.timers.tick(ms)
    for (let n = 0; n < 5; n++) await turn()
  }
  /** Lets the loop turn until nobody comes in any more; time stands nearly still. */
  const settle = async () => {
    for (let n = 0; n < 100; n++) await pass(1)
  }
  return { clock, liveScans, inside, leave, ask, pass, settle }
}

describe('the turnstile', () => {
  it('lets in few of a flood in one turn, and pauses for as long as they took', async (t: TestContext) => {
    const { clock, inside, ask } = gate(t)
    for (let n = 0; n < 20; n++) void ask('flood')
    await turn()
    assert.equal(inside.length, 2)
    clock.ms += 30
    for (let n = 0; n < 5; n++) await turn()
    t.mock.timers.tick(29)
    await turn()
    assert.equal(inside.length, 2)
    t.mock.timers.tick(1)
    await turn()
    assert.equal(inside.length, 4)
  })

  it('lets in one at a time with a longer pause while people are being scanned', async (t: TestContext) => {
    const { clock, liveScans, inside, ask } = gate(t)
    liveScans.areRecent = true
    for (let n = 0; n < 20; n++) void ask('flood')
    await turn()
    assert.equal(inside.length, 1)
    clock.ms += 10
    for (let n = 0; n < 5; n++) await turn()
    t.mock.timers.tick(29)
    await turn()
    assert.equal(inside.length, 1)
    t.mock.timers.tick(1)
    await turn()
    assert.equal(inside.length, 2)
  })

  it('lets in nobody while a live scan is answered; live scans without end take half of the time', async (t: TestContext) => {
    const { liveScans, inside, ask, pass } = gate(t)
    liveScans.areInFlight = true
    const askMany = () => {
      for (let n = 0; n < 20; n++) void ask('wallet')
    }
    askMany()
    await turn()
    for (let n = 0; n < 99; n++) await pass(1)
    assert.equal(inside.length, 0)
    for (let n = 0; n < 99; n++) await pass(1)
    assert.equal(inside.length, 20)
    await pass(2)
    askMany()
    for (let n = 0; n < 99; n++) await pass(1)
    assert.equal(inside.length, 20)
    liveScans.areInFlight = false
    await pass(1)
    assert.equal(inside.length, 22)
  })

  it('lets somebody else in before the rest of a flood', async (t: TestContext) => {
    const { inside, ask, settle } = gate(t)
    for (let n = 0; n < 20; n++) void ask('flood')
    await turn()
    void ask('visitor')
    await settle()
    assert.ok(inside.indexOf('visitor') <= 4, inside.join(' '))
  })

  it('keeps requests of one network out while enough of it are being read', async (t: TestContext) => {
    const { inside, leave, ask, settle } = gate(t)
    for (let n = 0; n < 40; n++) void ask('slow')
    await settle()
    assert.equal(inside.length, 32)
    void ask('visitor')
    await settle()
    assert.equal(inside.at(-1), 'visitor')
    for (const answered of leave.splice(0)) answered()
    await settle()
    assert.equal(inside.length, 41)
  })

  it('gives the place of a slow body to somebody else after a second', async (t: TestContext) => {
    const { inside, leave, ask, pass, settle } = gate(t)
    for (let n = 0; n < 33; n++) void ask('shared')
    await settle()
    assert.equal(inside.length, 32)
    await pass(1_000)
    await settle()
    assert.equal(inside.length, 33)
    // The slow ones end in the end, and their places are not given up twice.
    for (const answered of leave.splice(0)) answered()
    for (let n = 0; n < 40; n++) void ask('shared')
    await settle()
    assert.equal(inside.length, 33 + 32)
  })

  it('refuses at once what nobody could wait for', async (t: TestContext) => {
    const { inside, ask } = gate(t)
    for (let n = 0; n < 256; n++) void ask('flood')
    await ask('flood')
    assert.deepEqual(inside, ['rate_limited'])
  })

  it('lets the addresses of one network take turns, and refuses the one that has most waiting', async (t: TestContext) => {
    const { inside, ask, settle } = gate(t, { mostWaiting: 10 })
    for (let n = 0; n < 10; n++) void ask('net', '::bad')
    void ask('net', '::1')
    void ask('net', '::2')
    await turn()
    assert.deepEqual(inside.slice(0, 2), ['rate_limited', 'rate_limited'])
    await settle()
    const others = ['net::1', 'net::2'].map((name) => inside.slice(2).indexOf(name))
    assert.ok(
      others.every((at) => at >= 0 && at <= 3),
      inside.join(' '),
    )
  })

  it('gives no turn to those that went away', async (t: TestContext) => {
    const { inside, ask, settle } = gate(t)
    for (let n = 0; n < 100; n++) void ask('net', '::bad', () => true)
    void ask('net', '::1')
    await turn()
    assert.ok(inside.includes('net::1'))
    await settle()
    assert.deepEqual(new Set(inside), new Set(['net::1', 'rate_limited']))
  })

  it('gives networks beyond a number one lane together, and forgets those that are gone', async (t: TestContext) => {
    const { inside, leave, ask, settle } = gate(t, { mostLanes: 4, mostWaiting: 2 })
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) void ask(name)
    await ask('g')
    assert.deepEqual(inside, ['rate_limited'])
    await settle()
    assert.equal(inside.length, 7)
    for (const answered of leave.splice(0)) answered()
    void ask('g')
    void ask('h')
    void ask('i')
    await settle()
    assert.deepEqual(inside.slice(7).sort(), ['g', 'h', 'i'])
  })

  it('keeps a lane to its pace, while others come in and who has gone away costs nothing', async (t: TestContext) => {
    const time = { ms: 0 }
    const pace = new TokenBuckets({ burst: 3, perSecond: 10, now: () => time.ms })
    const { inside, ask, pass } = gate(t, { pace })
    const wait = async (ms: number) => {
      for (let n = 0; n < ms; n++) {
        time.ms++
        await pass(1)
      }
    }
    const flood = () => inside.filter((name) => name === 'flood').length
    for (let n = 0; n < 5; n++) void ask('flood', '', () => true)
    for (let n = 0; n < 20; n++) void ask('flood')
    await wait(50)
    assert.equal(flood(), 3)
    void ask('other')
    await wait(20)
    assert.ok(inside.includes('other'))
    await wait(1_030)
    // Ten a second from the burst on; each timer ends a little late.
    assert.ok(flood() > 3 + 8 && flood() <= 3 + 11, `${flood()}`)
  })
})
