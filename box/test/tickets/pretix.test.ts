/** Orders of real pretix events (libpretixsync's test data): what is imported, what is left out, and each verdict. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { VerdictName } from '@gatehouse/proto/wire/scan.ts'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import type { EventFile } from '../../src/event/event.ts'
import { importTickets } from '../../src/tickets/import-tickets.ts'
import { Desk } from '../world/desk.ts'

const FIXTURES = new URL('../../../../shared/fixtures/pretix/', import.meta.url)
const skip = existsSync(FIXTURES) ? false : 'the pretix fixtures are not on this machine'
const SUMMER = Date.parse('2026-07-04T12:00:00Z')

const read = (path: string) => JSON.parse(readFileSync(new URL(`${path}.json`, FIXTURES), 'utf8'))

interface Item {
  id: number
  name: { en: string }
  admission: boolean
}

/** An event with a tier for each product, as its organiser would write it. */
function eventFor(slug: string, items: readonly Item[]): EventFile {
  const names = [...new Set(items.map((item) => item.name.en))]
  const tiers = names.map((name, i) => ({ id: `tier-${i}`, name, colour: '#2F80ED', entry: 'once' as const }))
  return {
    id: slug,
    name: read(`events/${slug}`).name.en,
    timezone: read(`events/${slug}`).timezone,
    starts_at: '2026-01-01T00:00:00Z',
    ends_at: '2027-12-31T00:00:00Z',
    tiers,
    zones: [{ id: 'hall', name: 'Hall', capacity: 100 }],
    gates: [{ id: 'door', name: 'Door' }],
    checkpoints: [
      {
        id: 'in',
        name: 'Door',
        gate: 'door',
        direction: 'in',
        from: null,
        to: 'hall',
        tiers: tiers.map(({ id }) => id),
      },
    ],
  }
}

/** Orders that belong together, and what a scan of each position says, by the start of its secret. */
interface Case {
  slug: string
  items: string[]
  orders: string[]
  tickets: Record<string, [VerdictName, detail?: string]>
  /** Not an admission product: left out while no tier has its name, and otherwise scanned with this verdict. */
  merchandise: Record<string, [VerdictName, detail?: string]>
}

const CASES: Case[] = [
  {
    slug: 'event1',
    items: ['item1', 'item2', 'item3'],
    orders: ['order1', 'order2', 'order3', 'order4', 'order5', 'order6', 'order7', 'order8', 'order9', 'order10'],
    tickets: {
      kfndgffg: ['ADMIT'],
      pzpfxsnb: ['NOT_PAID', 'not paid in pretix'],
      h4t6w9yk: ['NOT_PAID', 'not paid in pretix'],
      kc855mh2: ['ADMIT'],
      aqwqntvc: ['NOT_PAID', 'not approved by the organiser in pretix, and not paid'],
      zuXDkuGQ: ['REVOKED', 'cancelled in pretix'],
      VQwFXDZW: ['ADMIT'],
      XwBltvZO: ['ADMIT'],
      // Not paid either, but the order says that it may enter all the same.
      '6BT7mkCw': ['ADMIT'],
      order10_: ['ADMIT'],
    },
    merchandise: {
      g2sc5ym7: ['ADMIT'],
      fem3hggg: ['ADMIT'],
      hqn4gvxm: ['NOT_PAID'],
      mn4bvc2v: ['NOT_PAID'],
      qb3dzybq: ['ADMIT'],
      jugeme33: ['NOT_PAID'],
      uqonmlRP: ['REVOKED', 'cancelled in pretix'],
      ifuGkhuL: ['ADMIT'],
      aqgLJEmK: ['ADMIT'],
      TlPpWEHW: ['BLOCKED', 'blocked in pretix (admin)'],
      dz4OBvVs: ['NOT_VALID_NOW'],
      uG3H4hgR: ['ADMIT'],
    },
  },
  {
    slug: 'event2',
    items: ['event2-item3'],
    orders: ['event2-order1'],
    tickets: {},
    merchandise: { hnu44vgd: ['ADMIT'], n2ywcncz: ['ADMIT'], xndjm6z3: ['ADMIT'] },
  },
  {
    slug: 'rmevent1',
    items: ['rmevent1-item1'],
    orders: ['rmevent1-order1'],
    tickets: {
      t85xbnpp: ['ADMIT'],
      '65uvfg8z': ['ADMIT'],
      w9gjs2h6: ['NOT_VALID_NOW'],
      gadkgh8r: ['ADMIT'],
      c2nktwva: ['ADMIT'],
      cc5htsbw: ['NOT_VALID_NOW'],
      ecqupkbg: ['NOT_VALID_NOW'],
      rxve9d7z: ['ADMIT'],
    },
    merchandise: {},
  },
  {
    slug: 'rmevent2',
    items: ['rmevent2-item1'],
    orders: ['rmevent2-order1'],
    tickets: {
      phmr2gkc: ['ADMIT'],
      ex8h6rb2: ['ADMIT'],
      '8y3gnuug': ['ADMIT'],
      pmjf8u7e: ['ADMIT'],
      xcefzrwh: ['ADMIT'],
      '5pwbc9f5': ['ADMIT'],
      q93rr9bn: ['ADMIT'],
      munxqzky: ['ADMIT'],
    },
    merchandise: {},
  },
]

describe('orders of a pretix event', { skip }, () => {
  for (const { slug, items: names, orders, tickets, merchandise } of CASES) {
    const items = names.map((name) => read(`items/${name}`) as Item)
    const secrets = orders.flatMap((name) => read(`orders/${name}`).positions.map((p: { secret: string }) => p.secret))

    async function open(tiersFor: readonly Item[]): Promise<{ desk: Desk; report: ImportReport }> {
      const desk = await Desk.open({ event: eventFor(slug, tiersFor), now: SUMMER })
      return { desk, report: await take(desk, orders) }
    }
    const take = (desk: Desk, from: readonly string[]) => {
      const page = { count: from.length, next: null, results: from.map((name) => read(`orders/${name}`)) }
      const file = Buffer.from(JSON.stringify(page))
      return importTickets(
        file,
        { format: 'auto', tierMap: {}, dryRun: false, by: COMMAND_LINE, others: [{ results: items }] },
        desk.deps,
      )
    }
    async function assertScans(desk: Desk, expected: Case['tickets']): Promise<void> {
      for (const secret of secrets) {
        const { verdict, evidence } = await desk.scan(secret, { checkpoint: 'in' })
        const [expectedVerdict, detail] = expected[secret.slice(0, 8)] ?? ['UNKNOWN']
        assert.equal(verdict, expectedVerdict, secret)
        if (detail === undefined) continue
        assert.ok(Object.values(evidence ?? {}).includes(detail), `${secret}: ${JSON.stringify(evidence)}`)
      }
      assert.equal(new Set(secrets).size, secrets.length)
    }

    const admissions = items.filter((item) => item.admission)
    if (admissions.length > 0) {
      it(`${slug}: what admits is imported and scans to the right verdict, merchandise is named and left out`, async () => {
        const { desk, report } = await open(admissions)
        using _closing = desk
        const count = Object.keys(tickets).length
        const { format, read, added, rejected, warnings } = report
        assert.deepEqual(
          { format, read, added, rejected },
          { format: 'pretix', read: count, added: count, rejected: [] },
        )
        const leftOut = warnings.filter((warning) => /"Merch" is (not an admission product|an add-on)/.test(warning))
        assert.equal(leftOut.length > 0, Object.keys(merchandise).length > 0)
        for (const warning of leftOut) assert.match(warning, /so it was left out: add --tier "item:2=<tier>"/)
        await assertScans(desk, tickets)
      })
    }

    it(`${slug}: with a tier for each product, every position scans to the right verdict`, async () => {
      const { desk, report } = await open(items)
      using _closing = desk
      assert.deepEqual([report.read, report.added, report.rejected], [secrets.length, secrets.length, []])
      await assertScans(desk, { ...tickets, ...merchandise })
    })
  }

  it('imported again, also as pretix has them later, change nobody’s admission', async () => {
    const { slug, items, orders, tickets, merchandise } = CASES[0] ?? assert.fail()
    const products = items.map((name) => read(`items/${name}`) as Item)
    using desk = await Desk.open({ event: eventFor(slug, products), now: SUMMER })
    const take = (name: string) =>
      importTickets(
        Buffer.from(JSON.stringify(read(`orders/${name}`))),
        { format: 'auto', tierMap: {}, dryRun: false, by: COMMAND_LINE, others: [products] },
        desk.deps,
      )
    // One file an order, as the API gives them.
    for (const name of orders) assert.deepEqual((await take(name)).rejected, [])
    const size = desk.deps.ledger.size
    for (const name of orders) {
      const { added, changed } = await take(name)
      assert.deepEqual([added, changed], [0, 0], name)
    }
    assert.equal(desk.deps.ledger.size, size)
    // Two positions have no variation any more: that is another product.
    const { added, changed } = await take('order1-modified')
    assert.deepEqual([added, changed], [0, 2])

    const secret = read('orders/order1').positions[0].secret
    assert.equal((await desk.scan(secret, { checkpoint: 'in' })).verdict, 'ADMIT')
    const canceled = { ...read('orders/order1'), status: 'c' }
    const cancel = (order: object) =>
      importTickets(
        Buffer.from(JSON.stringify(order)),
        { format: 'pretix', tierMap: {}, dryRun: false, by: COMMAND_LINE, others: [products] },
        desk.deps,
      )
    assert.equal((await cancel(canceled)).changed, 3)
    assert.equal((await desk.scan(secret, { checkpoint: 'in' })).verdict, 'REVOKED')
    await take('order1')
    assert.equal((await desk.scan(secret, { checkpoint: 'in' })).verdict, 'ALREADY_USED')
    assert.equal(Object.keys(tickets).length + Object.keys(merchandise).length, 22)
  })
})
