import '../../scanner-pwa/src/words/in-english.ts'

/** The stores of an earlier Gatehouse's scanner, opened by today's scanner: see `golden/README.md`. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Phone } from '../../scanner-pwa/src/gate/testing.ts'
import { openDatabase, readKept } from '../../scanner-pwa/src/store/database.ts'
import { dumpStores, loadStores } from './golden/stores.ts'
import { until } from './world/until.ts'

const TEXT = readFileSync(join(import.meta.dirname, 'golden/scanner.json'), 'utf8')

describe("a scanner's stores", () => {
  let phone: Phone
  before(async () => {
    let at = 0
    phone = new Phone({
      origin: 'https://127.0.0.1:8443',
      fetch: async () => Response.error(),
      now: () => at,
    })
    phone.online = false
    const db = await openDatabase(phone.deps.database)
    await loadStores(db, TEXT)
    // A minute after the last answer of the box.
    at = ((await readKept(db, 'mirrorAsOf')) ?? assert.fail('no mirror')) + 60_000
    db.close()
  })
  after(() => phone.close())

  const dump = async () => {
    const db = await openDatabase(phone.deps.database)
    const text = await dumpStores(db)
    db.close()
    return text
  }

  it('are read, and are byte-identical when the page is closed again', async () => {
    assert.equal(await dump(), TEXT)
    const db = await openDatabase(phone.deps.database)
    const queue = await db.getAll('queue')
    db.close()
    assert.deepEqual(
      queue.map(({ scan, record }) => [scan.payload, scan.checkpoint, scan.offline_admitted, record.verdict.verdict]),
      Array.from({ length: 2 }, () => ['CREW-1', 'b-in', true, 'ADMIT']),
    )
    const { pairing, mirror, checkpoint, unsent, recent, shift, incidents, announcements } = await phone.open()
    assert.equal(pairing.value?.eventName, 'Test Fair')
    assert.equal(pairing.value?.deviceName, 'Phone 1')
    assert.equal(checkpoint.value?.id, 'b-in')
    assert.equal(mirror.value?.tickets, 12)
    assert.deepEqual([unsent.value, recent.value.length, shift.value.operator], [2, 6, 'Ana'])
    assert.deepEqual([incidents.value.length > 0, announcements.value.length > 0], [true, true])
    await until(() => phone.scanner.link.value.state === 'offline', 'the box is known to be gone')
    await phone.close()
    assert.equal(await dump(), TEXT)
  })

  it('give the recorded verdicts to an offline scanner', async () => {
    const scanner = await phone.open()
    await until(() => scanner.link.value.state === 'offline', 'the box is known to be gone')
    const said: string[] = []
    for (const code of ['FLEX-1', 'DAILY-1', 'ONCE-1', 'ONCE-2', 'PENDING-1', 'FUTURE-1', 'NOBODY', 'CREW-1']) {
      const { verdict, alone } = await scanner.scan(code)
      assert.ok(alone)
      said.push(`${code} ${verdict.verdict}`)
    }
    // In by another gate and out again; used up here, and elsewhere; revoked, and not paid; of another day.
    assert.deepEqual(said, [
      ...['FLEX-1 ADMIT', 'DAILY-1 ALREADY_USED', 'ONCE-1 ALREADY_USED', 'ONCE-2 REVOKED', 'PENDING-1 REVOKED'],
      ...['FUTURE-1 NOT_VALID_NOW', 'NOBODY UNKNOWN', 'CREW-1 ADMIT'],
    ])
    assert.equal(scanner.unsent.value, 4)
  })
})
