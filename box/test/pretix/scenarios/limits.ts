/** A pretix that asks for fewer requests, as the hosted one does. */
import assert from 'node:assert/strict'
import { until } from '../../world/until.ts'
import { checkinsOf, sellInBulk } from '../bulk.ts'
import { Gate } from '../gate.ts'
import { LimitedPretix } from '../limited.ts'
import type { Scenario } from '../scenario.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG === '1'

const limits: Scenario = {
  name: 'limits: pretix answers 429 again and again; the box waits as long as it says, and everything arrives once',
  inShort: true,
  async run({ pretix, say }) {
    const orders = LONG ? 400 : 120
    const secrets = await sellInBulk(pretix, { prefix: 'LIM', orders })
    await using limited = await LimitedPretix.start(pretix, { requests: 20, pauseSeconds: 2 })
    await using gate = await Gate.open(limited, pretix.made.token, '--event', 'summer')
    await gate.ready(5)
    const scanned = secrets.slice(0, orders / 3)
    const times: number[] = []
    for (const secret of scanned) {
      const began = performance.now()
      assert.equal(await gate.scan(secret), 'ADMIT')
      times.push(performance.now() - began)
    }
    const began = performance.now()
    await until(async () => (await checkinsOf(pretix, 'LIM')).length >= scanned.length, 'pretix has them all', 5)
    const seconds = (performance.now() - began) / 1000
    const found = await checkinsOf(pretix, 'LIM')
    assert.deepEqual(found.map(({ secret }) => secret).sort(), scanned.toSorted())
    assert.ok(found.every(({ successful }) => successful))
    const { passed, refused, early } = limited
    say(
      `${passed} requests taken, ${refused} refused with 429, ${early} before their time; ${scanned.length} admissions, the slowest after ${Math.round(Math.max(...times))} ms, all in pretix ${seconds.toFixed(1)} s after the last`,
    )
    assert.ok(refused > 0)
    assert.equal(early, 0)
  },
}

export const limited: readonly Scenario[] = [limits]
