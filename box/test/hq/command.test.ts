/** The `gatehouse-hq` commands, and HQ while its database is down. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { BoxProcess } from '../world/process-box.ts'
import { until } from '../world/until.ts'
import { event, Sender } from './sender.ts'
import { HqWorld } from './world.ts'

const HQ_MAIN = join(import.meta.dirname, '../../src/hq-main.ts')

async function serve(body: string): Promise<Server> {
  const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

describe('gatehouse-hq', () => {
  it('adds a box by its fingerprint alone, once, and lists and removes it', async () => {
    await using world = await HqWorld.start()
    using box = new Sender(world, 'box-1')
    const { certificate, fingerprint } = await box.authority()
    await using server = await serve(certificate)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const add = async (...args: string[]) => {
      const { code, output } = await world.command('add-box', '--name', 'Gate North', ...args)
      return `${code} ${output}`
    }
    assert.match(await add('--url', url), /^1 .*name --fingerprint/)
    assert.match(await add('--url', url, '--fingerprint', `sha256:${'0'.repeat(64)}`), /^1 .*that is another box/)
    assert.match(await add('--url', 'http://127.0.0.1:1', '--fingerprint', fingerprint), /^1 .*does not answer/)
    assert.match(await add(), /^2 Name either --ca or --url/)
    assert.match(await add('--ca', join(box.folder, 'nothing.crt')), /^2 ENOENT/)
    assert.deepEqual(JSON.parse((await world.command('boxes', '--json')).output), [])
    assert.match(await add('--url', url, '--fingerprint', fingerprint), /^0 "Gate North" may write/)
    assert.match(await add('--url', url, '--fingerprint', fingerprint), /^1 There is a box called "Gate North"/)
    const twice = await world.command('add-box', '--name', 'Other', '--ca', await box.caPath())
    assert.match(`${twice.code} ${twice.output}`, /^1 This authority is the one of "Gate North" already/)
    server.closeAllConnections()
    const [listed] = JSON.parse((await world.command('boxes', '--json')).output)
    assert.deepEqual(listed, { name: 'Gate North', box: null, event: null, ca: fingerprint })
    assert.match((await world.command('status')).output, /Gate North\n {2}connected {3}no, never seen/)
    assert.equal((await world.command('remove-box', '--name', 'Gate North')).code, 0)
    assert.match((await world.command('status')).output, /No box was added yet/)
    assert.match((await world.command('dance')).output, /There is no command "dance"/)
    assert.equal((await world.command('answer', 'x')).code, 2)
  })

  it('waits for its database, says so, and acknowledges nothing before it is stored', async () => {
    await using world = await HqWorld.start()
    using box = await Sender.open(world, 'box-1')
    const send = (sequence: number) => box.send([event({ sequence }, 'holds', { after: { id: String(sequence) } })])
    await until(async () => (await send(1)) === 'ok')
    await world.postgres.stop()
    assert.match(await send(2), /UNAVAILABLE.*HQ cannot write to its database/)
    await until(() => world.log.includes('hq_database_away'))
    const health = JSON.parse(/^\{.*"event":"hq_open".*\}$/m.exec(world.log)?.[0] ?? '{}').health
    assert.equal((await fetch(`http://127.0.0.1:${health}/readyz`)).status, 503)
    assert.equal((await fetch(`http://127.0.0.1:${health}/healthz`)).status, 200)
    assert.equal((await fetch(`http://127.0.0.1:${health}/status`)).status, 404)

    // Another one, that starts before its database does.
    await using early = new BoxProcess([process.execPath, HQ_MAIN, 'serve'], { ...world.environment, HQ_PORT: '0' })
    await early.said(/"event":"hq_waits_for_database".*"code":"ECONNREFUSED"/)
    await world.postgres.launch()
    await early.said(/"event":"hq_open"/)
    early.signal('SIGTERM')
    assert.deepEqual(await early.exited(), { code: 0, signal: null })
    await until(async () => (await send(2)) === 'ok')
    assert.equal(await world.count('SELECT count(*) FROM gatehouse.events'), 2)
    assert.equal((await fetch(`http://127.0.0.1:${health}/readyz`)).status, 200)

    await using wrong = new BoxProcess([process.execPath, HQ_MAIN, 'serve'], {
      ...world.environment,
      HQ_DATABASE_URL: world.postgres.url('not_there'),
    })
    assert.equal((await wrong.exited()).code, 2)
    assert.match(wrong.output, /"not_there" does not exist: create it/)
  })
})
