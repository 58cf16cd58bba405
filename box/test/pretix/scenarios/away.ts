/** Both away for long, and killed again and again: afterwards pretix has what the gates have seen, row by row. */
import assert from 'node:assert/strict'
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
    await sharedWork([...Map.groupBy(made, ({ secret }) => secret).values()], 8, async (ofTicket) => {
      for (const { secret, type, at } of ofTicket) {
        const observed = { offline_admitted: true, observed_at: new Date(at).toISOString() }
        const checkpoint = type === 'entry' ? 'entrance-in' : 'entrance-out'
        await gate.scanner.scan(secret, { checkpoint, ...observed })
      }
    })
    const cancelled = new Set(secrets.slice(0, changed))
    await changeInBulk(pretix, { prefix: 'WEE', orders: changed }, 'c')
    await pretix.launch()
    const back = performance.now()
    await toldAll(gate, LONG ? 60 : 10)
    const seconds = (performance.now() - back) / 1000
    const found = await checkinsOf(pretix, 'WEE')
    const there = found.filter(({ successful }) => successful) as (Passage & { successful: boolean })[]
    assert.deepEqual(inOrder(there), inOrder(made))
    const refused = found.filter(({ successful }) => !successful)
    const expected = made.filter(({ secret }) => cancelled.has(secret)).length
    assert.equal(refused.length, expected)
    assert.ok(refused.every(({ reason, secret }) => reason === 'canceled' && cancelled.has(secret)))
    const { data } = await gate.box.admin().GET('/v1/admin/flags', { params: { query: { kind: ['shop_conflict'] } } })
    assert.ok((data?.flags.length ?? 0) > 0)
    await gate.knows(secrets[0] ?? '', 'REVOKED')
    say(
      `${made.length} passages in ${Math.round((back - began) / 1000)} s, ${changed} changed orders; pretix had all ${Math.round(seconds)} s after it was back: nothing missing, nothing twice, ${expected} conflicts`,
    )
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
    // Whoever has no answer is scanned again, as at a gate.
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

export const away: readonly Scenario[] = [week, kills]
