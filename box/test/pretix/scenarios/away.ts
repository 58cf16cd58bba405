/** Both away for long, and killed again and again: afterwards pretix has what the gates have seen, row by row. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { eq, like } from '../../../src/drizzle/core.ts'
import { openDb } from '../../../src/ledger/db.ts'
import { flags, tickets } from '../../../src/ledger/schema.ts'
import { gatehouse } from '../../world/command.ts'
import { until } from '../../world/until.ts'
import { changeInBulk, checkinsOf, sellInBulk } from '../bulk.ts'
import { Gate } from '../gate.ts'
import { sharedWork } from '../real.ts'
import type { Scenario } from '../scenario.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG === '1'
const WEEK_MS = 7 * 86_400_000
/** Of each ticket: in, out, in, out. */
const PASSAGES_OF_EACH = 4

interface Passage {
  secret: string
  type: 'entry' | 'exit'
  at: number
}

const inOrder = (passages: readonly Passage[]) =>
  passages.map(({ secret, type, at }) => `${secret} ${new Date(at).toISOString()} ${type}`).sort()

/** Nothing waits, and nothing is on its way. */
async function toldAll(gate: Gate, minutes: number): Promise<void> {
  await until(
    async () => {
      const up = (await gate.shown())?.up
      return up?.state === 'sending' && up.waiting === 0 && up.lag_seconds === 0
    },
    'pretix was told of everything',
    minutes,
  )
}

const week: Scenario = {
  name: 'week: both away for one, and afterwards pretix has every passage once at its time, and each refusal is a case',
  inShort: false,
  async run({ pretix, say }) {
    const [passages, changed] = LONG ? [20_000, 2_000] : [1_200, 120]
    const secrets = await sellInBulk(pretix, { prefix: 'WEE', orders: passages / PASSAGES_OF_EACH })
    await using gate = await Gate.open(pretix, pretix.made.token, '--event', 'summer')
    await gate.ready(30)
    await pretix.stop('SIGKILL')
    const from = Date.now() - WEEK_MS
    const made: Passage[] = secrets.flatMap((secret, n) =>
      Array.from({ length: PASSAGES_OF_EACH }, (_, k) => ({
        ...{ secret, type: k % 2 === 0 ? ('entry' as const) : ('exit' as const) },
        at: Math.floor(from + ((k + n / secrets.length) * WEEK_MS) / PASSAGES_OF_EACH),
      })),
    )
    const began = performance.now()
    let passed = 0
    await sharedWork([...Map.groupBy(made, ({ secret }) => secret).values()], 8, async (ofTicket) => {
      for (const { secret, type, at } of ofTicket) {
        const observed = { offline_admitted: true, observed_at: new Date(at).toISOString() }
        const checkpoint = type === 'entry' ? 'entrance-in' : 'entrance-out'
        await gate.scanner.scan(secret, { checkpoint, ...observed })
        passed++
      }
    })
    assert.equal(passed, passages)
    // Both are away, and pretix comes back first.
    await gate.box.kill()
    await changeInBulk(pretix, { prefix: 'WEE', orders: changed })
    const reasonOf = new Map(
      secrets.slice(0, changed).map((secret, n) => [secret, ['canceled', 'unpaid', null][n % 3]]),
    )
    await pretix.launch()
    await gate.box.start()
    const back = performance.now()
    await toldAll(gate, LONG ? 60 : 10)
    const seconds = (performance.now() - back) / 1000
    const found = (await checkinsOf(pretix, 'WEE')).map((one) => ({ ...one, secret: one.secret.replace('-new', '') }))
    const there = found.filter(({ successful }) => successful) as (Passage & { successful: boolean })[]
    assert.deepEqual(inOrder(there), inOrder(made))
    const refused = found.filter(({ successful }) => !successful)
    const conflicts = made.flatMap(({ secret, at }) => {
      const reason = reasonOf.get(secret)
      return reason ? [`${secret} ${at} ${reason}`] : []
    })
    assert.deepEqual(refused.map(({ secret, at, reason }) => `${secret} ${at} ${reason}`).sort(), conflicts.sort())
    const expected = conflicts.length
    const { data } = await gate.box.admin().GET('/v1/admin/flags', { params: { query: { kind: ['shop_conflict'] } } })
    const { flags = [] } = data ?? {}
    // The screen lists the newest of them; the ledger has each.
    const cases = await casesIn(gate)
    assert.deepEqual([cases, new Set(flags.map(({ shop }) => shop?.done))], [expected, new Set(['forced'])])
    const [gone = '', , renewed = ''] = secrets
    await gate.knows(gone, 'REVOKED')
    // The new code is of the ticket that was in, on a list without a way back.
    await gate.knows(`${renewed}-new`, 'ALREADY_USED')
    say(
      `${made.length} passages in ${Math.round((back - began) / 1000)} s, ${changed} changed orders; pretix had all ${Math.round(seconds)} s after it was back: nothing missing, nothing twice, ${expected} conflicts`,
    )
  },
}

/** Open cases of pretix's refusals, by the box's own ledger: no passage has two. */
async function casesIn(gate: Gate): Promise<number> {
  await gate.box.stop()
  const db = openDb(join(gate.box.dataDir, 'ledger.db'))
  try {
    return db.drizzle.select({ id: flags.id }).from(flags).where(eq(flags.kind, 'shop_conflict')).all().length
  } finally {
    db.close()
    await gate.box.start()
  }
}

/** The box's progress with reading; undefined where it does not answer. */
async function readingOf(gate: Gate) {
  return (await gate.shown().catch(() => null))?.down
}

/** Waits until the box reads a page that is not among these, or has read all. */
async function atAnotherPage(gate: Gate, pages: ReadonlySet<number>) {
  let down: Awaited<ReturnType<typeof readingOf>>
  const isThere = async () => {
    down = await readingOf(gate)
    return Boolean(down?.compared_at || (down?.reading && !pages.has(down.reading.page)))
  }
  await until(isThere, 'another page is read', 5)
  return down
}

const firstLoad: Scenario = {
  name: 'kills while every order is read for the first time: it goes on at its page, and each ticket is there once',
  inShort: false,
  async run({ pretix, say }) {
    const orders = LONG ? 5_000 : 1_000
    await sellInBulk(pretix, { prefix: 'LOD', orders, lastChangedDaysAgo: 7 })
    await using gate = await Gate.open(pretix, pretix.made.token, '--event', 'summer')
    const pages = new Set<number>()
    let kills = 0
    for (; kills < (LONG ? 50 : 9); kills++) {
      await new Promise((resolve) => setTimeout(resolve, 150 + ((kills * 137) % 900)))
      // A busy machine reads no page within a second: every second time it comes to another one first.
      const down = kills % 2 === 0 ? await readingOf(gate) : await atAnotherPage(gate, pages)
      if (down?.compared_at) break
      if (down?.reading) pages.add(down.reading.page)
      await gate.box.kill()
      await gate.box.start()
    }
    await gate.ready(30)
    await gate.box.stop()
    const db = openDb(join(gate.box.dataDir, 'ledger.db'))
    try {
      const codes = db.drizzle.select({ code: tickets.code }).from(tickets).where(like(tickets.code, 'LOD-%')).all()
      assert.deepEqual([codes.length, new Set(codes.map(({ code }) => code)).size], [orders, orders])
    } finally {
      db.close()
    }
    const verified = await gatehouse(['verify'], { environment: gate.box.folder.environment as Record<string, string> })
    assert.equal(verified.code, 0, verified.out)
    assert.ok(kills > 0 && pages.size > 1, `${kills} kills at pages ${[...pages]}`)
    say(`${orders} orders, killed ${kills} times, at pages ${[...pages].join(', ')}: each ticket once`)
  },
}

const kills: Scenario = {
  name: 'kills: box, pretix and both are killed at many moments, and pretix has each admission that was answered once',
  inShort: false,
  async run({ pretix, say }) {
    const moments = LONG ? 50 : 9
    const each = 6
    const secrets = await sellInBulk(pretix, { prefix: 'KIL', orders: moments * each })
    await using gate = await Gate.open(pretix, pretix.made.token, '--event', 'summer')
    await gate.ready(30)
    const answered = new Set<string>()
    for (let moment = 0; moment < moments; moment++) {
      const own = secrets.slice(moment * each, (moment + 1) * each)
      const scans = own.map(async (secret) => {
        const verdict = await gate.scan(secret).catch(() => undefined)
        if (verdict === 'ADMIT') answered.add(secret)
      })
      // A different moment each time: while scans are answered, while pretix is told, while it is read.
      await new Promise((resolve) => setTimeout(resolve, (moment * 37) % 400))
      const who = moment % 3
      await Promise.all([who !== 1 && gate.box.kill(), who !== 0 && pretix.stop('SIGKILL')])
      await Promise.all(scans)
      await Promise.all([who !== 1 && gate.box.start(), who !== 0 && pretix.launch()])
    }
    // A code without an answer is scanned again, as at a gate.
    for (const secret of secrets) if (!answered.has(secret)) await gate.scan(secret)
    await toldAll(gate, 10)
    const found = (await checkinsOf(pretix, 'KIL')).filter(({ successful }) => successful)
    const counts = Map.groupBy(found, ({ secret }) => secret)
    assert.deepEqual(
      secrets.filter((secret) => counts.get(secret)?.length !== 1),
      [],
    )
    say(
      `${moments} kills: ${secrets.length} admissions, ${answered.size} answered at the first scan, each once in pretix`,
    )
  },
}

export const away: readonly Scenario[] = [week, firstLoad, kills]
