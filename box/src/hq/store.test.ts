import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { Postgres } from '../../test/world/postgres.ts'
import { sql } from '../drizzle/core.ts'
import { createLogger } from '../log.ts'
import { bringUpToDate, type HqDatabase, openHqDatabase } from './database.ts'
import { readBatch } from './event.ts'
import { boxes } from './schema.ts'
import { BoxRemoved, storeBatch } from './store.ts'

const logger = createLogger('silent')
const verifierKey = 'gatehouse/e/b+00000000+AQ=='
let server: Postgres
let database: HqDatabase
let made = 0

before(async () => {
  server = await Postgres.start({ version: 18 })
  database = openHqDatabase(server.url(), 4)
  const signal = new AbortController().signal
  // Two that start at once bring the tables up to date one after the other.
  await Promise.all([1, 2].map(() => bringUpToDate(database, { logger, signal })))
})
after(async () => {
  await database[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function newBox() {
  const box = `box-${made++}`
  const addedAt = new Date(0).toISOString()
  await database.db
    .insert(boxes)
    .values({ name: box, caFingerprint: box, ca: '', addedAt, box, event: 'e', verifierKey })
  return { name: box, box, verifierKey, waiting: 0 }
}

interface Change {
  sequence: number
  op: 'insert' | 'update' | 'delete' | 'truncate'
  id: number
  status: string
}

/** As it comes over the wire. */
function wire({ sequence, op, id, status }: Change, index = 0) {
  const lsn = `5/${sequence.toString(16)}`
  const row = JSON.stringify({ id: String(id), status, tier: 'once' })
  return {
    $typeName: 'changefeed.v1.ChangeEvent' as const,
    id: `${lsn}:${index}`,
    lsn,
    commitLsn: lsn,
    commitTime: '2026-07-01T10:00:00Z',
    schema: 'main',
    table: 'tickets',
    op,
    beforeJson: op === 'update' || op === 'delete' ? row : '',
    afterJson: op === 'insert' || op === 'update' ? row : '',
  }
}

const store = (who: Awaited<ReturnType<typeof newBox>>, changes: readonly Change[]) =>
  storeBatch(who, readBatch(changes.map((change) => wire(change))), { db: database.db, logger, now: () => 0 })

async function ticketsOf(box: string) {
  const { rows } = await database.db.execute<{ id: string; status: string }>(
    sql`SELECT id::int, status FROM gatehouse.tickets WHERE box = ${box} ORDER BY id`,
  )
  return rows
}

/** The rows that are left by changes that were made one after the other. */
function replayed(changes: readonly Change[]) {
  const rows = new Map<number, string>()
  for (const { op, id, status } of changes) {
    if (op === 'truncate') rows.clear()
    else if (op === 'delete') rows.delete(id)
    else rows.set(id, status)
  }
  return [...rows].map(([id, status]) => ({ id, status })).sort((a, b) => a.id - b.id)
}

const change = fc.record({
  op: fc.constantFrom('insert' as const, 'update' as const, 'update' as const, 'delete' as const, 'truncate' as const),
  id: fc.integer({ min: 1, max: 4 }),
  status: fc.constantFrom('valid', 'blocked', 'pending'),
})

describe('storing batches', () => {
  it('comes to the same rows in whatever order, however often and in whatever portions they arrive', async () => {
    const histories = fc.array(change, { minLength: 1, maxLength: 14 }).chain((list) => {
      // Far apart: as text, `5/9` would come after `5/10`.
      const changes = list.map((one, i) => ({ ...one, sequence: 3 + i * 7 }))
      const deliveries = fc.array(fc.shuffledSubarray(changes, { minLength: 1 }), { minLength: 1, maxLength: 4 })
      return fc.tuple(fc.constant(changes), deliveries, fc.shuffledSubarray(changes, { minLength: changes.length }))
    })
    await fc.assert(
      fc.asyncProperty(histories, async ([changes, deliveries, all]) => {
        const who = await newBox()
        let stored = 0
        const half = Math.floor(all.length / 2)
        for (const batch of [...deliveries, all.slice(half), all.slice(0, half)]) stored += await store(who, batch)
        assert.equal(stored, changes.length)
        assert.deepEqual(await ticketsOf(who.box), replayed(changes))
      }),
      runs(20, 1000),
    )
  })

  it('does all of a batch or nothing, and nothing for a box that was removed', async () => {
    const who = await newBox()
    await store(who, [{ sequence: 1, op: 'insert', id: 1, status: 'valid' }])
    const [good, bad] = [2, 3].map((sequence) => wire({ sequence, op: 'insert', id: sequence, status: 'valid' }))
    if (!good || !bad) throw new Error('there are two')
    // An alarm that cannot be written: the end of the transaction.
    const broken = new Proxy(logger, {
      get: () => () => {
        throw new Error('the log is full')
      },
    })
    const batch = readBatch([good, { ...bad, table: 'unheard_of' }])
    await assert.rejects(storeBatch(who, batch, { db: database.db, logger: broken, now: () => 0 }))
    assert.deepEqual(await ticketsOf(who.box), [{ id: 1, status: 'valid' }])
    await database.db
      .update(boxes)
      .set({ removedAt: new Date(0).toISOString() })
      .where(sql`name = ${who.name}`)
    await assert.rejects(store(who, [{ sequence: 4, op: 'insert', id: 4, status: 'valid' }]), BoxRemoved)
  })
})
