/** Both directions at once, all real: the shop's PostgreSQL, its feed, a box, scans, the box's feed, HQ, HQ's PostgreSQL. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { stringify } from 'yaml'
import { Postgres } from '../world/postgres.ts'
import { until } from '../world/until.ts'
import { HqBox, HqWorld } from './world.ts'

const SALES = process.env.GATEHOUSE_TEST_LONG ? 500 : 60

describe('from the shop to HQ', { timeout: 300_000 }, () => {
  it('a ticket sold in the shop is admitted at the gate, and the admission is a row at HQ', async (t) => {
    await using shop = await Postgres.start({ version: 15 })
    await shop.query('CREATE TABLE tickets (id bigint PRIMARY KEY, code text, product text, state text)')
    await using hq = await HqWorld.start()
    await using box = new HqBox(hq, {
      tickets: ['UNSOLD,once,,,,,,valid'],
      environment: { GATEHOUSE_RECEIVER_PORT: '0' },
    })
    const mapping = {
      source: { url: shop.url(), publication: { create: true } },
      tables: {
        'public.tickets': {
          key: 'id',
          code: 'code',
          tier: 'product',
          status: { column: 'state', values: { paid: 'paid', refunded: 'refunded' } },
        },
      },
    }
    writeFileSync(join(box.folder.environment.GATEHOUSE_EVENT_DIR ?? '', 'shop.yaml'), stringify(mapping))
    await box.start()
    const added = await hq.command('add-box', '--name', 'Gate', '--url', box.baseUrl, '--fingerprint', box.fingerprint)
    assert.equal(added.code, 0, added.output)
    // Only sales are measured, and not how soon a new box has found HQ and its shop.
    await box.process.said(/"event":"source_streaming"/)
    await box.arrived()

    const hops = { 'shop to gate': [] as number[], 'gate to HQ': [] as number[] }
    for (let n = 1; n <= SALES; n++) {
      const sold = performance.now()
      await shop.query(`INSERT INTO tickets VALUES (${n}, 'SOLD-${n}', 'once', 'paid')`)
      await until(async () => (await box.scan(`SOLD-${n}`)) === 'ADMIT')
      const admitted = performance.now()
      hops['shop to gate'].push(admitted - sold)
      await until(async () => (await hq.count('SELECT count(*) FROM gatehouse.movements')) === n)
      hops['gate to HQ'].push(performance.now() - admitted)
    }
    for (const [hop, took] of Object.entries(hops)) {
      took.sort((a, b) => a - b)
      const [p50, p99] = [0.5, 0.99].map((part) => took[Math.floor(took.length * part)]?.toFixed(0))
      t.diagnostic(
        `${hop}, ${SALES} tickets one after the other: p50 ${p50} ms, p99 ${p99} ms, the longest ${took.at(-1)?.toFixed(0)} ms`,
      )
    }
    await shop.query(`UPDATE tickets SET state = 'refunded' WHERE id = 1`)
    await until(async () => (await hq.count(`SELECT count(*) FROM gatehouse.tickets WHERE status = 'revoked'`)) === 1)
    assert.equal(await box.scan('SOLD-1'), 'REVOKED')
    await box.arrived()
    const { up, down } = await box.links()
    assert.deepEqual([up.last_error, down.last_error, down.kept], [null, null, 0])
    assert.deepEqual(await hq.alarms(), [])
    assert.equal(await hq.count('SELECT count(*) FROM gatehouse.tickets'), SALES + 1)
  })
})
