/** What happens at the gates arrives at HQ: real boxes, real feeds, a real HQ, a real PostgreSQL. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codes, HqBox, HqWorld, rowsOf } from './hq-world.ts'
import { until } from './until.ts'

describe('a box and HQ', () => {
  it('has what was there before HQ, and every admission after it, as rows', async () => {
    await using world = await HqWorld.start()
    const all = codes(5)
    await using box = await HqBox.open(world, 'Gate North', { tickets: rowsOf(all) })
    assert.equal(await box.scan(all[0] ?? ''), 'ADMIT')
    assert.equal(await box.scan(all[0] ?? ''), 'ALREADY_USED')
    await until(async () => (await world.count('SELECT count(*) FROM gatehouse.movements')) === 1)
    await box.arrived()
    assert.equal(await world.count('SELECT count(*) FROM gatehouse.tickets'), 5)
    const [movement] = await world.query('SELECT * FROM gatehouse.passages')
    assert.equal(movement?.to_zone, 'arena')
    assert.equal(movement?.event, 'test-fair')
    assert.match(String(movement?.shared_ref), /^[0-9a-f]{32}$/)
    assert.deepEqual(await world.query('SELECT zone, people::int FROM gatehouse.inside_by_zone'), [
      { zone: 'arena', people: 1 },
    ])
    assert.deepEqual(await world.alarms(), [])

    // A seal, held against the tree that HQ has grown by itself.
    await box.stop()
    await box.start()
    await box.arrived()
    const status = await world.status()
    const [there] = status.boxes
    assert.equal(there?.connected, true)
    assert.equal(there?.name, 'Gate North')
    const [life] = there?.histories ?? []
    assert.ok((life?.seals.good ?? 0) >= 1, JSON.stringify(status))
    assert.deepEqual([life?.seals.bad, life?.seals.unchecked], [0, 0])
    assert.equal(life?.entries, await world.count('SELECT count(*) FROM gatehouse.journal'))
    assert.deepEqual(status.alarms, [])
    const { up } = await box.links()
    assert.equal(up.peer, world.address)
    assert.deepEqual([up.last_error, up.retained_events], [null, 0])
    assert.equal((await world.stop())?.code, 0)
  })
})
