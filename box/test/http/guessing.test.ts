/** Guessing of ticket ids: its rate is limited, and the answers reveal nothing. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Ask, ask, assertFailure } from '../world/ask.ts'
import { Phone } from '../world/phone.ts'
import { World } from '../world/world.ts'

const guess = () => randomBytes(16).toString('base64url')
const claimBody = (id: string) => JSON.stringify(new Phone().claim(id))

/** The three routes that take a ticket id. */
const ROUTES = {
  view: (id: string) => [`/v1/ticket/${id}`, {}],
  nearby: (id: string) => [`/v1/ticket/${id}/nearby`, {}],
  // A proof for another ticket: right ids are told of it, and not claimed by it.
  claim: (id: string) => [
    `/v1/ticket/${id}/claim`,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: claimBody('another') },
  ],
} satisfies Record<string, (id: string) => [path: string, options: Ask]>
type Route = keyof typeof ROUTES

describe('guessed ids', { concurrency: 1 }, () => {
  let world: World
  let known: string
  let tls: { ca: string }
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })

  before(async () => {
    const demo = (file: string) => readFileSync(new URL(`../../demo/${file}`, import.meta.url), 'utf8')
    const event = JSON.parse(demo('event.json'))
    world = await World.open({
      event,
      venue: demo('venue.geojson'),
      tickets: ['DAY,day,,,,,,valid', 'VIP,vip,,,,,,valid'],
    })
    world.holdRates()
    known = world.ticketIdOf('DAY')
    tls = { ca: await world.ca }
  })
  after(async () => {
    agent.destroy()
    await world[Symbol.asyncDispose]()
  })

  const send = (route: Route, id: string): Promise<Answer> => {
    const [path, options] = ROUTES[route](id)
    return ask(world.box.ports.https, path, { ...options, tls, agent: agent as never })
  }

  for (const route of ['view', 'nearby', 'claim'] as const) {
    it(`are limited by address (${route}), and right ids from the same address are answered`, async () => {
      world.elapsedMs += 60_000
      const wrong = await Promise.all(Array.from({ length: 60 }, () => send(route, guess())))
      const limited = wrong.filter(({ status }) => status === 429)
      assert.equal(limited.length, 40, 'a burst of 20')
      for (const answer of limited) {
        assertFailure(answer, 'rate_limited')
        assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
      }
      const right = await Promise.all(Array.from({ length: 60 }, () => send(route, known)))
      assert.deepEqual(new Set(right.map(({ status }) => status)), new Set([route === 'claim' ? 400 : 200]))
      world.elapsedMs += 60_000
      assert.equal((await send(route, guess())).status, 404)
    })
  }

  it('get byte-identical answers, whatever their form and route', async () => {
    world.elapsedMs += 60_000
    const near = [
      'DAY',
      known.slice(0, -1),
      `${known}A`,
      known.toLowerCase(),
      known.toUpperCase(),
      'x',
      '%00',
      '..%2f..',
    ]
    const answers: Answer[] = []
    for (const route of ['view', 'nearby', 'claim'] as const) {
      for (const id of [guess(), ...near]) {
        world.elapsedMs += 1000
        answers.push(await send(route, id))
      }
    }
    for (const answer of answers) assertFailure(answer, 'not_found')
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    const headersOf = ({ headers }: Answer) => Object.keys(headers).sort().join()
    assert.equal(new Set(answers.map(headersOf)).size, 1, 'headers too')
  })

  for (const [route, code] of [
    ['view', 'DAY'],
    ['view', 'VIP'],
    ['nearby', 'DAY'],
    ['claim', 'DAY'],
  ] as const) {
    it(`take as long as ids that are right: ${route}${code === 'VIP' ? ' of a claimed ticket' : ''}`, async (t) => {
      const right = code === 'VIP' ? await claimed() : known
      const times = { right: [] as number[], wrong: [] as number[] }
      const timed = async (kind: keyof typeof times, ticket: string) => {
        const started = performance.now()
        await send(route, ticket)
        times[kind].push(performance.now() - started)
      }
      for (let i = 0; i < 8; i++) await send(route, right)
      // Each walks alone, and mostly waits; right and wrong take turns, so that the machine's moods fall on both alike.
      const walk = async (first: boolean) => {
        for (let i = 0; i < 100; i++) {
          world.elapsedMs += 1000
          await (first === (i % 2 === 0) ? timed('right', right) : timed('wrong', guess()))
        }
      }
      await Promise.all([0, 7, 13, 19].map((ms, i) => sleep(ms).then(() => walk(i % 2 === 0))))
      const { auc, z } = mannWhitney(times.right, times.wrong)
      const apart = median(times.right) - median(times.wrong)
      const half = mannWhitney(
        times.right.map((ms) => ms + 0.5),
        times.wrong,
      )
      t.diagnostic(
        `${times.right.length} each: medians ${apart.toFixed(3)} ms apart, P(right slower) ${auc.toFixed(3)}, z ${z.toFixed(1)}; half a millisecond would be z ${half.z.toFixed(1)}`,
      )
      // By chance alone, five deviations are once in a million runs.
      assert.ok(Math.abs(z) < 5, `z ${z}`)
      // On a machine that is busy with something else, medians wander by more than they differ.
      assert.ok(Math.abs(apart) < 1 || Math.abs(z) < 3, `${apart} ms apart, z ${z}`)
    })
  }

  async function claimed(): Promise<string> {
    const id = world.ticketIdOf('VIP')
    const headers = { 'content-type': 'application/json' }
    await ask(world.box.ports.https, `/v1/ticket/${id}/claim`, { method: 'POST', headers, body: claimBody(id), tls })
    return id
  }
})

/** The chance that one of `a` is greater than one of `b`, and how many deviations that is away from one half. */
function mannWhitney(a: readonly number[], b: readonly number[]): { auc: number; z: number } {
  const ranked = [...a.map((value) => ({ value, of: a })), ...b.map((value) => ({ value, of: b }))]
  ranked.sort((x, y) => x.value - y.value)
  const sum = ranked.reduce((total, { of }, i) => (of === a ? total + i + 1 : total), 0)
  const auc = (sum - (a.length * (a.length + 1)) / 2) / (a.length * b.length)
  const deviation = Math.sqrt((a.length + b.length + 1) / (12 * a.length * b.length))
  return { auc, z: (auc - 0.5) / deviation }
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0
}
