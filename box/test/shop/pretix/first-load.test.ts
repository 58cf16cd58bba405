/** SIGKILL of the box's own process while every order is read for the first time. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { like } from '../../../src/drizzle/core.ts'
import { openDb } from '../../../src/ledger/db.ts'
import { tickets } from '../../../src/ledger/schema.ts'
import { gatehouse } from '../../world/command.ts'
import { ProcessBox } from '../../world/process-box.ts'
import { until } from '../../world/until.ts'
import { connectFolder } from './connected.ts'
import { PretixServer } from './server.ts'
import { position } from './world.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG === '1'
const ORDERS = 240
const PAGE = 20
const PAGES = ORDERS / PAGE
const AT = '2026-07-01T10:00:00.000000Z'

/** Pages at which it is killed. Of even ones the box never gets the answer; odd ones are answered, and it dies while it takes them. */
const KILLED_AT = LONG ? Array.from({ length: PAGES }, (_, i) => i + 1) : [1, 2, 11, 12]

test('a box that is killed at any page of the first load goes on at that page, and has each ticket once', async () => {
  await using pretix = await PretixServer.start()
  pretix.pageSize = PAGE
  pretix.items = [{ id: 1, name: { en: 'Ticket' }, admission: true, variations: [] }]
  pretix.orders = Array.from({ length: ORDERS }, (_, i) => ({
    ...{ code: `O${i}`, status: 'p', testmode: false, datetime: AT, last_modified: AT, email: 'jane@example.org' },
    positions: [position({ id: i + 1 })],
  }))
  const pages: number[] = []
  const left = new Set(KILLED_AT)
  let reached = Promise.withResolvers<void>()
  pretix.fault = ({ path, query }) => {
    if (!path.endsWith('/orders/') || query.get('ordering') !== 'datetime') return false
    const page = Number(query.get('page') ?? 1)
    pages.push(page)
    if (!left.delete(page)) return false
    reached.resolve()
    return page % 2 === 0
  }
  await using box = new ProcessBox()
  mkdirSync(box.dataDir, { recursive: true, mode: 0o700 })
  await connectFolder(box.folder.environment, pretix, 'tiers:\n  item:1: once\n')
  for (let killed = 0; killed < KILLED_AT.length; killed++) {
    await box.start()
    await reached.promise
    reached = Promise.withResolvers()
    await box.kill()
  }
  await box.start()
  await until(async () => {
    const { data } = await box.admin().GET('/v1/admin/shop')
    return (data?.pretix?.down.compared_at ?? null) !== null
  }, 'every order was read')
  await box.stop()

  assert.deepEqual(
    pages,
    pages.toSorted((a, b) => a - b),
    'no page that is on disk is read again',
  )
  const times = Map.groupBy(pages, (page) => page)
  assert.deepEqual(
    [...times.keys()],
    Array.from({ length: PAGES }, (_, i) => i + 1),
  )
  for (const [page, asked] of times) {
    assert.ok(asked.length <= (KILLED_AT.includes(page) ? 2 : 1), `page ${page} was asked for ${asked.length} times`)
  }
  const db = openDb(join(box.dataDir, 'ledger.db'))
  try {
    // The folder has tickets of its own.
    const codes = db.drizzle.select({ code: tickets.code }).from(tickets).where(like(tickets.code, 'secret%')).all()
    assert.deepEqual([codes.length, new Set(codes.map(({ code }) => code)).size], [ORDERS, ORDERS])
  } finally {
    db.close()
  }
  const verified = await gatehouse(['verify'], { environment: box.folder.environment as Record<string, string> })
  assert.equal(verified.code, 0, verified.out)
})
