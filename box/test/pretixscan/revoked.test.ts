/** A handheld that is revoked while a request of it is on its way: the request is refused, and lets nobody in. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { Roster } from '../../src/ca/roster.ts'
import { TEST_EVENT } from '../world/event.ts'
import { checkBody, listsOf, type PretixApp, pairApp, portOf } from '../world/pretix-app.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const CHECK = '/proxyapi/v1/rpc/check/'
const SEARCH = '/proxyapi/v1/rpc/search/'
const REDEEM = '/api/v1/organizers/gatehouse/checkinrpc/redeem/'
const REVOKED = 'Device access has been revoked.'
const TITLE = 'This scanner was taken out of service: bring it to the control room.'
const BURST = 3

let world: World
let other: PretixApp
let list: number

before(async () => {
  world = await World.open({
    event: { ...TEST_EVENT, scanners_see: 'name' },
    tickets: [...['W-1', 'W-2', 'B-1'].map((code) => `${code},once,,,,,,valid`), 'ANA-1,once,,Ana Reis,,,,valid'],
    environment: {
      ...{ GATEHOUSE_PRETIXSCAN_PORT: '0', GATEHOUSE_SCAN_BURST: String(BURST), GATEHOUSE_SCANS_PER_SECOND: '1' },
    },
  })
  other = await pairApp(world)
  list = (await listsOf(other))['A entry'] ?? 0
  world.holdRates()
})
after(async () => {
  other[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const rosterOf = async () => (await (await world.admin()).GET('/v1/admin/devices')).data?.devices ?? []
const rowOf = async (name: string) => (await rosterOf()).find((device) => device.name === name)

async function revoke(name: string): Promise<void> {
  const path = { id: (await rowOf(name))?.device_id ?? '' }
  const body = { actor: 'Rita', reason: 'stolen' }
  const { response } = await (await world.admin()).POST('/v1/admin/devices/{id}/revoke', { params: { path }, body })
  assert.equal(response.status, 200)
}

/** Resolves when the box, which is in this process, begins to read a request of that path. */
function arrivalOf(path: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = (message: unknown) => {
    if ((message as { request: IncomingMessage }).request.url !== path) return
    unsubscribe('http.server.request.start', look)
    resolve()
  }
  subscribe('http.server.request.start', look)
  return promise
}

/** Nobody was let in with it: it is good at another handheld. */
async function isUnused(code: string): Promise<void> {
  assert.equal((await other.post(CHECK, checkBody(list, code))).json.type, 'VALID')
  world.elapsedMs += 1000
}

describe('a handheld that is revoked', () => {
  for (const [mode, code, ask] of [
    ['proxy', 'W-1', (app: PretixApp) => app.post(CHECK, checkBody(list, 'W-1'))],
    ['plain', 'W-2', (app: PretixApp) => app.post(REDEEM, { secret: 'W-2', lists: [list], nonce: 'w' })],
  ] as const) {
    test(`while its scan waits for its turn, ${mode}: it reads so, and the ticket is not used`, async () => {
      using app = await pairApp(world, { name: mode, mode })
      // As many as a person may scan at once: the next one waits.
      for (let i = 0; i < BURST; i++) await app.post(CHECK, checkBody(list, 'NO-SUCH'))
      const waiting = ask(app)
      await until(async () => (await rowOf(mode))?.app?.slowed_at != null)
      await revoke(mode)
      world.elapsedMs += 60_000
      const { status, json } = await waiting
      assert.deepEqual([status, json.detail], [401, REVOKED])
      await isUnused(code)
    })
  }

  test('while it types a name: it reads no name, and the journal has no look-up', async () => {
    const body = { events_and_checkin_lists: { 'test-fair': list }, query: 'Ana Reis', page: 1 }
    const lookUps = async () => {
      const { data } = await (await world.admin()).GET('/v1/admin/log', { params: { query: { kind: 'look_up' } } })
      return data?.rows.length
    }
    const tried = async (name: string) => {
      using app = await pairApp(world, { name, supervisor: true })
      const id = (await rowOf(name))?.device_id ?? ''
      const before = await lookUps()
      const arrived = arrivalOf(SEARCH)
      const typed = app.post(SEARCH, body)
      await arrived
      await sleep(50)
      const by = { actor: 'Rita', address: '127.0.0.1', reason: 'stolen', at: world.now() }
      await new Roster(world.box.ledger).revoke(id, by)
      const { status, text } = await typed
      return { status, text, lookedUp: (await lookUps()) !== before }
    }
    // On a machine that stalls for as long as a person stops typing, the look-up is over first.
    let last = await tried('Typing 1')
    for (let n = 2; n <= 5 && last.status !== 401; n++) last = await tried(`Typing ${n}`)
    assert.deepEqual(last, { status: 401, lookedUp: false, text: JSON.stringify({ detail: REVOKED, title: TITLE }) })
  })

  test('while the body of its scan is under way', async () => {
    using app = await pairApp(world, { name: 'Slow' })
    const body = JSON.stringify(checkBody(list, 'B-1'))
    const socket = connect({ host: '127.0.0.1', port: portOf(world), rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const head = [
      `POST ${CHECK} HTTP/1.1`,
      'host: 127.0.0.1',
      `authorization: Device ${app.token}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'expect: 100-continue',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    // The box has read the login when it asks for the body.
    const [said] = (await once(socket, 'data')) as [Buffer]
    assert.match(said.toString(), /^HTTP\/1\.1 100 /)
    socket.write(body.slice(0, 10))
    await revoke('Slow')
    socket.write(body.slice(10))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    assert.match(answer.toString(), /^HTTP\/1\.1 401 /)
    assert.ok(answer.toString().includes(REVOKED))
    await isUnused('B-1')
  })
})
