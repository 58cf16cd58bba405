import '../../../scanner-pwa/src/words/in-english.ts'

/** The scanner app's core with many tickets and a long queue: durations are printed, and only the order is asserted. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Phone } from '../../../scanner-pwa/src/gate/testing.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { World } from '../world/world.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG === '1'
const TICKETS = LONG ? 100_000 : 2_000
const SCANS = LONG ? 10_000 : 300

async function eventually(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(20)
}

describe('a scanner with much to do', () => {
  it('loads its ticket list, admits many offline, and uploads them in order', async (t) => {
    const tickets = Array.from({ length: TICKETS }, (_, i) => `T-${i},once,,,,,,valid`)
    await using world = await World.open({ tickets })
    const fetch = tlsFetch({ ca: await world.ca })
    await using phone = new Phone({ origin: world.box.baseUrl, fetch, now: () => world.now() })
    const scanner = await phone.open()
    let start = performance.now()
    const took = () => Math.round(performance.now() - start)
    await scanner.pair(await world.inviteLink(), 'Phone')
    scanner.choose('a-in')
    await eventually(() => scanner.mirror.value !== null)
    t.diagnostic(`${TICKETS} tickets: paired and fetched in ${took()} ms, of which the box makes its filter`)

    phone.go(false)
    start = performance.now()
    await phone.reopen()
    assert.equal(phone.scanner.mirror.value?.tickets, TICKETS)
    t.diagnostic(`${TICKETS} tickets: loaded from the device and ready in ${took()} ms`)

    start = performance.now()
    for (let i = 0; i < SCANS; i++) {
      const { verdict, alone } = await phone.scanner.scan(`T-${i}`)
      assert.deepEqual([verdict.verdict, alone], ['ADMIT', true])
    }
    assert.equal(phone.scanner.unsent.value, SCANS)
    t.diagnostic(`${SCANS} admissions alone: ${(took() / SCANS).toFixed(2)} ms each`)
    start = performance.now()
    await phone.reopen()
    assert.equal(phone.scanner.unsent.value, SCANS)
    t.diagnostic(`with ${SCANS} unsent: ready in ${took()} ms`)

    start = performance.now()
    phone.go(true)
    await eventually(() => phone.scanner.unsent.value === 0)
    t.diagnostic(`${SCANS} queued scans drained in ${(took() / 1000).toFixed(1)} s`)
    assert.deepEqual([phone.scanner.doubles.value, phone.scanner.aside.value], [[], []])
    const { ledger } = world.box
    const observed = ledger
      .read(0, ledger.size)
      .flatMap(({ kind, fields }) => (kind === 'scan' ? [fields.observed_at] : []))
    assert.equal(observed.length, SCANS)
    assert.deepEqual(observed, observed.toSorted(), 'in the order of the gate')
  })
})
