/** The cables of the tests: what is cut carries nothing, and everything else goes on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { natsServer } from '../world/nats-server.ts'
import { until } from '../world/until.ts'
import { listen, MeshEngines } from './engines.ts'
import { Cables } from './forwarder.ts'

const { whyNot } = await natsServer()
const skip = whyNot || (process.platform !== 'linux' && 'only Linux says whose a connection is')

test('three servers talk to each other only through the cables', { skip }, async () => {
  const host = (i: number) => `127.${1 + (process.pid % 250)}.${100 + (process.pid % 100)}.${i + 1}`
  await using engines = await MeshEngines.open(3, (i) => ({ host: host(i) }))
  await using cables = new Cables({ boxes: 3, pidsOf: (i) => [engines.at(i)?.pid ?? 0] })
  for (const [i, { ports }] of engines.topology.boxes.entries()) {
    for (const port of [ports.route, ports.leaf])
      await cables.lay(i, { host: host(i), port }, { host: '127.0.0.1', port })
  }
  await engines.startAll()
  const heard = [0, 1, 2].map((i) => listen(engines.at(i).bulk, 'gh.test'))
  /** The servers from which each receives messages from now on, within a while. */
  const hearing = async (ms: number) => {
    for (const texts of heard) texts.length = 0
    for (const end = performance.now() + ms; performance.now() < end; await sleep(50)) {
      for (const i of [0, 1, 2]) engines.at(i).bulk.publish('gh.test', String(i))
    }
    return heard.map((texts) => [...new Set(texts)].sort().join(''))
  }
  const hearEachOther = async () => (await hearing(300)).every((all) => all === '012')
  await until(hearEachOther, 'all hear all')

  cables.isolate(0)
  await hearing(300)
  // Long enough for servers to give each other up, to tell each other of ways around, and to try them.
  assert.deepEqual(await hearing(8000), ['0', '12', '12'])
  cables.mendAll()
  await until(hearEachOther, 'all hear all again')

  cables.cutOneWay(1, 2)
  await hearing(300)
  const [, , atThird] = await hearing(1000)
  assert.equal(atThird, '02')
  cables.mendAll()
  await until(hearEachOther, 'all hear all after all')

  cables.delay(0, 1, 700)
  const sent = performance.now()
  const slow = listen(engines.at(1).bulk, 'gh.slow')
  const quick = listen(engines.at(2).bulk, 'gh.slow')
  await Promise.all([engines.at(1).bulk.flush(), engines.at(2).bulk.flush(), sleep(800)])
  engines.at(0).bulk.publish('gh.slow', 'x')
  await until(() => quick.length > 0)
  assert.equal(slow.length, 0)
  await until(() => slow.length > 0)
  assert.ok(performance.now() - sent >= 700)
})
