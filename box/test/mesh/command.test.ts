/** `gatehouse mesh` as an operator types it: from the first box to the last. What needs a nats-server is shown elsewhere. */

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Environment } from '../../src/config.ts'
import { gatehouse } from '../world/command.ts'
import { environmentIn } from '../world/environment.ts'
import { freePorts } from '../world/ports.ts'
import { BoxProcess } from '../world/process-box.ts'
import { cli } from '../world/programs.ts'
import { until } from '../world/until.ts'

describe('gatehouse mesh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mesh-'))
  const environments: Environment[] = []
  const running = new AsyncDisposableStack()
  before(async () => {
    for (const name of ['a', 'b', 'c']) {
      const ports = await freePorts(5)
      const [http, https, device, route, leaf] = ports.map(String)
      environments.push({
        ...environmentIn(join(folder, name), { tickets: ['MESH-1,once,,,,,,valid'] }),
        GATEHOUSE_HTTP_PORT: http,
        GATEHOUSE_HTTPS_PORT: https,
        GATEHOUSE_DEVICE_PORT: device,
        GATEHOUSE_MESH_ROUTE_PORT: route,
        GATEHOUSE_MESH_LEAF_PORT: leaf,
        GATEHOUSE_FEED: '0',
        GATEHOUSE_NATS_SERVER: '/nonexistent/nats-server',
      })
    }
    for (const name of ['b', 'c']) rmSync(join(folder, name, 'event'), { recursive: true })
  })
  after(async () => {
    await running.disposeAsync()
    rmSync(folder, { recursive: true, force: true })
  })

  const run = async (box: number, ...args: string[]) => {
    const { code, out, err } = await gatehouse(['mesh', ...args], { environment: environments[box] ?? {}, cwd: folder })
    assert.doesNotMatch(err, /^\s+at /m)
    return { code, out, err }
  }
  const answer = async (box: number, ...args: string[]) => {
    const { code, out, err } = await run(box, ...args, '--json')
    assert.equal(err, '')
    assert.ok(code === 0 || args[0] === 'status', err)
    return JSON.parse(out)
  }
  const start = async (box: number) => {
    const process_ = running.use(new BoxProcess([process.execPath, cli(), 'serve'], environments[box] ?? {}))
    await process_.opened()
    return process_
  }

  it('refuses what it cannot do, and says what to do instead', async () => {
    assert.match((await run(0)).err, /takes init, invite, join/)
    assert.match((await run(0, 'invite')).err, /There is no ledger/)
    assert.match((await run(0, 'status')).err, /There is no box/)
    assert.match((await run(1, 'join')).err, /Name the invite/)
    assert.match((await run(1, 'join', 'gatehouse-mesh:https://x#y')).err, /Name the invite/)
    assert.match((await run(0, 'remove')).err, /Name the box/)
  })

  it('makes three boxes of one, lists them, and removes them', async () => {
    await start(0)
    assert.match((await run(0, 'status')).out, /alone/)
    assert.equal((await run(0, 'init', '--name', 'North gate', '--actor', 'Ana')).code, 0)
    assert.match((await run(0, 'init')).err, /one of several already/)

    const { invite } = await answer(0, 'invite', '--minutes', '5')
    const joined = await answer(1, 'join', invite, '--name', 'South gate')
    assert.ok(!readdirSync(join(folder, 'b/data')).some((name) => name.startsWith('join')))
    assert.match((await run(1, 'join', invite)).err, /has a ledger already/)
    await start(1)
    const third = await answer(2, 'join', (await answer(1, 'invite')).invite, '--name', 'East gate')
    assert.equal(third.from, joined.boxId, 'any box of the event may invite')

    // As the second box reports, which had invited the third.
    await until(async () => (await answer(0, 'status')).listed.boxes.length === 3)
    const { listed } = await answer(0, 'status')
    assert.deepEqual(
      listed.boxes.map(({ name, role }: { name: string; role: string }) => [name, role]),
      [
        ['North gate', 'core'],
        ['South gate', 'core'],
        ['East gate', 'core'],
      ],
    )
    assert.equal(listed.epoch, 2, 'three voters instead of one')

    assert.match((await run(0, 'remove', third.boxId)).err, /add --off/)
    assert.match((await run(0, 'remove', 'box-0')).err, /--off/)
    assert.match((await run(0, 'remove', 'box-0', '--off')).err, /no such box/)
    const after = await answer(0, 'remove', third.boxId, '--off', '--reason', 'fell into the river')
    assert.equal(after.boxes.length, 2)
    await until(async () => (await answer(1, 'status')).listed.boxes.length === 2)

    const promoted = await answer(1, 'promote', joined.boxId, '--off')
    assert.deepEqual(
      promoted.boxes.map(({ role }: { role: string }) => role),
      ['leaf', 'core'],
    )
    assert.match((await run(1, 'promote', joined.boxId, '--off')).err, /votes already/)
    assert.match((await run(1, 'leave')).err, /No other box has all of this one's journal yet/)
    const left = await answer(1, 'leave', '--anyway', '--reason', 'the last night')
    assert.equal(left.boxes.length, 1)
    await until(async () => (await answer(0, 'status')).listed.boxes.length === 1)
  })
})
