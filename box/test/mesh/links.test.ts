/** Connections between boxes: a member that was removed has none, and one that is listed may do there what its role needs. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import tls from 'node:tls'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { createLogger } from '../../src/log.ts'
import { routeSecret } from '../../src/mesh/engine/route-secret.ts'
import { Probe } from '../../src/mesh/reservation/probe.ts'
import { ReservationStream } from '../../src/mesh/reservation/stream.ts'
import { streamSubjects } from '../../src/mesh/reservation/subjects.ts'
import { boxOf, type Topology, withoutBox } from '../../src/mesh/topology.ts'
import { natsServer } from '../world/nats-server.ts'
import { until } from '../world/until.ts'
import { EVENT, listen, logKeyOf, MeshEngines } from './engines.ts'

const { whyNot } = await natsServer()
const LONG = { skip: whyNot, timeout: 120_000 }

/** Resolves when what `from` publishes arrives at `to`. */
async function hears(from: NatsConnection, to: NatsConnection, subject: string, listened = subject): Promise<void> {
  const heard = listen(to, listened)
  await until(() => {
    from.publish(subject, 'x')
    return heard.length > 0
  }, subject)
}

describe('a removed member', () => {
  it('without a vote: its open connection ends, and with key and certificate it gets no other', LONG, async () => {
    await using engines = await MeshEngines.open(5)
    await engines.startAll()
    const [removed, stays] = [3, 4]
    const { bulk } = engines.at(removed)
    const subject = `gh.t.new.${engines.id(removed)}`
    for (const to of [0, stays]) await hears(bulk, engines.at(to).bulk, subject)
    const pids = [0, 1, 2].map((i) => engines.at(i).pid)
    let cut = 0
    for (const i of [0, 1, 2, stays]) engines.at(i).onLink(() => void cut++)
    const topology = withoutBox(engines.topology, engines.id(removed))
    const began = performance.now()
    await Promise.all([0, 1, 2, stays].map((i) => engines.at(i).apply(topology)))
    const took = performance.now() - began
    assert.ok(took < 5_000, `${took} ms`)
    // It goes on trying with all that it has; the others hear each other all the while.
    const heard = [0, 1, 2, stays].map((i) => listen(engines.at(i).bulk, subject))
    const other = `gh.t.new.${engines.id(stays)}`
    for (let n = 0; n < 20; n++) {
      bulk.publish(subject, 'I am still here')
      engines.at(removed).urgent.publish(`gh.t.urgent.${engines.id(removed)}`, 'x')
      await hears(engines.at(stays).bulk, engines.at(n % 3).bulk, other)
    }
    await assert.rejects(managerOf(engines, removed).then((manager) => manager.streams.list().next()))
    assert.deepEqual(heard.flat(), [])
    assert.deepEqual(
      [0, 1, 2].map((i) => engines.at(i).pid),
      pids,
      'no server was restarted',
    )
    assert.equal(cut, 0)
    // Nor after a start, when it has the latest list.
    await engines.stop(removed)
    await engines.start(removed)
    for (let n = 0; n < 20; n++) {
      engines.at(removed).bulk.publish(subject, 'I am back')
      await hears(engines.at(stays).bulk, engines.at(n % 3).bulk, other)
    }
    assert.deepEqual(heard.flat(), [])
  })

  it(
    'with a vote: the others decide without it, and with password, key and certificate it is no part of them',
    LONG,
    async () => {
      await using engines = await MeshEngines.open(4, (i) => (i === 2 ? { role: 'voter' } : {}))
      await engines.startAll()
      const removed = 2
      const topology = withoutBox(engines.topology, engines.id(removed))
      assert.equal(topology.epoch, engines.topology.epoch + 1)
      const rest = [0, 1, 3]
      await Promise.all(rest.map((i) => engines.at(i).apply(topology)))
      await until(async () => (await engines.at(0).syncAlways()) && engines.at(3).isCore, 'they decide', 2)
      // The removed one has the list, and even the password of the new epoch: it writes itself into the list as it was.
      const wished: Topology = { ...engines.topology, epoch: topology.epoch, version: topology.version + 1 }
      await engines.stop(removed)
      const knows = { routeSecret: () => routeSecret(engines.seed, EVENT, topology.epoch) }
      await engines.start(removed, knows, wished)
      const heard = rest.map((i) => listen(engines.at(i).bulk, 'gh.t.new.*'))
      const own = listen(engines.at(removed).bulk, '>')
      for (let n = 0; n < 20; n++) {
        engines.at(removed).bulk.publish(`gh.t.new.${engines.id(0)}`, 'forged')
        await hears(engines.at(3).bulk, engines.at(n % 2).bulk, `gh.t.ok.${n}`)
      }
      assert.deepEqual(heard.flat(), [])
      assert.deepEqual(
        own.filter((text) => text !== 'forged'),
        [],
        'and it hears nothing of them',
      )
    },
  )
})

describe('a member that is listed', () => {
  it('with a vote: ends no connection at another voter, and has it read nothing again', LONG, async () => {
    await using engines = await MeshEngines.open(3)
    await engines.startAll()
    const [evil, other] = [engines.at(0).bulk, engines.at(1).bulk]
    await hears(evil, other, 'gh.t.new.x')
    const file = readFileSync(join(engines.dataDir(0), 'nats/nats.conf'), 'utf8')
    const pass = /user: "sys", password: "([^"]+)"/.exec(file)?.[1] ?? ''
    const system = await connect({ servers: evil.getServer(), user: 'sys', pass })
    try {
      const askAt = ({ info }: NatsConnection, what: string) =>
        system.request(`$SYS.REQ.SERVER.${info?.server_id}.${what}`, '{}', { timeout: 5_000 })
      assert.match((await askAt(evil, 'CONNZ')).string(), /"connections":/, 'its own server answers')
      for (const what of ['CONNZ', 'KICK', 'RELOAD', 'LDM']) await assert.rejects(askAt(other, what), what)
    } finally {
      await system.close()
    }
  })

  it('speaks under its own name alone, and is asked under its own alone', LONG, async () => {
    await using engines = await MeshEngines.open(5)
    await engines.startAll()
    const [bad, voter, other] = [engines.at(3).bulk, engines.at(0).bulk, engines.at(4).bulk]
    const [own, ofVoter, ofOther] = [3, 0, 4].map((i) => engines.id(i))
    const heard = listen(voter, '>')
    const subjects = ['>', `gh.*.journal.${ofVoter}`, '_INBOX.>', `_INBOX.${ofOther}.>`, 'gh.t.rights.1.*', '$JS.>']
    const stolen = subjects.map((subject) => listen(bad, subject))
    await bad.flush()
    // Until the servers know each other's subscriptions.
    await hears(bad, voter, `gh.t.new.${own}`)
    await hears(voter, bad, `gh.t.new.${ofVoter}`)
    const forged = [`gh.t.new.${ofVoter}`, `gh.t.new.${ofOther}`, 'gh.t.urgent.x', '$JS.core.API.STREAM.DELETE.X']
    for (const subject of forged) bad.publish(subject, 'forged')
    const secrets = [`gh.t.journal.${ofVoter}`, `gh.t.journal.${ofOther}`, `_INBOX.${ofOther}.x`, 'gh.t.rights.1.x']
    for (const subject of secrets) voter.publish(subject, 'secret')
    // Messages that are sent afterwards have arrived, in both directions.
    await hears(bad, voter, `gh.t.journal.${ofVoter}`)
    await hears(voter, bad, `gh.t.journal.${own}`)
    await hears(voter, other, `gh.t.new.${ofVoter}`)
    assert.ok(!heard.includes('forged'))
    assert.ok(!stolen.flat().includes('secret'))
  })

  it('and only votes, has no part in journals and emergencies where it connects as the others do', LONG, async () => {
    await using engines = await MeshEngines.open(4, (i) => (i === 2 ? { role: 'voter' } : {}))
    const voter = 2
    await Promise.all([0, 1, 3].map((i) => engines.start(i)))
    // A program of its own, with the voter's keys: as a leaf, which is how tickets were once read.
    const { boxes } = engines.topology
    const asLeaf = {
      ...engines.topology,
      boxes: boxes.map((box) => ({ ...box, role: box.role === 'voter' ? 'leaf' : box.role })),
    }
    const engine = await engines.start(voter, {}, asLeaf as Topology)
    assert.equal(engine.isCore, false)
    const heard = [
      listen(engine.bulk, 'gh.>'),
      listen(engine.urgent, '>'),
      listen(engine.bulk, `_INBOX.${engines.id(0)}.>`),
    ]
    const others = [listen(engines.at(0).bulk, 'gh.t.>'), listen(engines.at(0).urgent, '>')]
    // It is connected: it may ask JetStream which streams there are.
    await until(() =>
      engine.bulk.request('$JS.core.API.STREAM.LIST', '{}', { timeout: 1_000 }).then(
        () => true,
        () => false,
      ),
    )
    const [box, leaf] = [engines.at(0), engines.at(3)]
    for (let n = 0; n < 10; n++) {
      box.bulk.publish(`gh.t.new.${engines.id(0)}`, 'page')
      box.urgent.publish(`gh.t.urgent.${engines.id(0)}`, 'emergency')
      box.bulk.publish(`_INBOX.${engines.id(0)}.x`, 'answer')
      engine.bulk.publish(`gh.t.new.${engines.id(0)}`, 'forged')
      engine.urgent.publish(`gh.t.urgent.${engines.id(0)}`, 'forged')
      engine.bulk.publish(`gh.t.journal.${engines.id(0)}`, 'forged')
      await hears(box.bulk, leaf.bulk, `gh.t.new.${engines.id(0)}`)
    }
    assert.deepEqual(
      heard.flatMap((all) => all.filter((text) => text !== 'forged')),
      [],
    )
    assert.ok(!others.flat().includes('forged'))
  })
})

const managerOf = (engines: MeshEngines, i: number) => {
  const { bulk, domain } = engines.at(i)
  return jetstreamManager(bulk, { domain, timeout: 2_000 })
}

describe('a member that is not listed yet', () => {
  it('is let in as soon as it is, and not before', LONG, async () => {
    await using engines = await MeshEngines.open(2)
    const [authority = '', other = ''] = [0, 1].map((i) => engines.id(i))
    const lines: string[] = []
    const log = new Writable({
      write(line, _, done) {
        lines.push(String(line))
        done()
      },
    })
    // As when two boxes start for the first time: each knows its own keys.
    const { boxes } = engines.topology
    const early = {
      ...engines.topology,
      boxes: boxes.map(({ link_keys, ...box }) => (box.id === other ? box : { ...box, link_keys })),
    }
    await engines.start(0, { logger: createLogger('debug', log) }, early as Topology)
    await engines.start(1)
    await until(
      () => lines.some((line) => /Leafnode connection (created|closed)|Authorization Violation|maximum/i.test(line)),
      'it has tried',
    )
    await engines.at(0).apply(engines.topology)
    await hears(engines.at(1).bulk, engines.at(0).bulk, `gh.t.new.${other}`)
    await hears(engines.at(0).bulk, engines.at(1).bulk, `gh.t.new.${authority}`)
  })

  it('with the certificate of a member, and no key, is let into no account', LONG, async () => {
    await using engines = await MeshEngines.open(2)
    await engines.startAll()
    await hears(engines.at(1).bulk, engines.at(0).bulk, `gh.t.new.${engines.id(1)}`)
    const said = await asLeaf(engines, 1, { name: 'stranger', version: '2.10.27', headers: true })
    assert.match(said, /-ERR/)
    assert.doesNotMatch(said, /PONG|LS\+/)
  })
})

/** Connects to the first box's server as nats-servers do, with a member's certificate. @returns what it answered until it hung up */
async function asLeaf(engines: MeshEngines, member: number, hello: object): Promise<string> {
  const { host, ports } = boxOf(engines.topology, engines.id(0))
  const socket = createConnection(ports.leaf, host)
  await once(socket, 'data')
  const pem = readFileSync(join(engines.dataDir(member), 'nats/mesh.pem'))
  const secure = tls.connect({ socket, cert: pem, key: pem, rejectUnauthorized: false })
  secure.write(`CONNECT ${JSON.stringify(hello)}\r\nPING\r\n`)
  const timer = setTimeout(() => secure.destroy(), 5_000)
  let said = ''
  secure.on('data', (bytes) => {
    said += bytes
  })
  await once(secure, 'close')
  clearTimeout(timer)
  return said
}

it('the private keys are readable by the box alone', LONG, async () => {
  await using engines = await MeshEngines.open(2)
  await engines.startAll()
  for (const name of ['link-keys.json', 'mesh.pem', 'nats.conf'])
    assert.equal(statSync(join(engines.dataDir(1), 'nats', name)).mode & 0o777, 0o600, name)
})

it('a box to whose writes nobody listens, although the voters answer, makes its connections anew', LONG, async () => {
  await using engines = await MeshEngines.open(3)
  await engines.startAll()
  const { bulk: nats, domain, replicas, voters } = engines.at(0)
  const names = streamSubjects('00', 1)
  const records = { event: EVENT, by: engines.id(0), key: logKeyOf(engines.id(0)), keyOf: () => undefined }
  // The stream is there, and does not take what is written: as where its interest does not reach this box.
  const subjects = { ...names, probeSubject: () => 'gh.00.nobody' }
  const stream = new ReservationStream({
    ...{ nats, domain, replicas, subjects, records },
    voters: () => voters,
    onRefused() {},
  })
  const probe = new Probe(stream, engines.id(0), { mayCreate: true })
  await until(async () => (await stream.open({ mayCreate: true })) !== undefined, 'a stream', 2)
  let renewed = 0
  await until(async () => {
    await probe.run(
      { answered: () => assert.fail('answered'), unanswered() {} },
      () => {},
      () => void renewed++,
    )
    return renewed > 0
  })

  await using five = await MeshEngines.open(4)
  await five.startAll()
  const [voter, leaf] = [five.at(0).bulk, five.at(3)]
  const subject = `gh.t.new.${five.id(0)}`
  await hears(voter, leaf.bulk, subject)
  const { pid } = leaf
  await leaf.renewLinks()
  await hears(voter, leaf.bulk, subject)
  await hears(leaf.bulk, voter, `gh.t.new.${five.id(3)}`)
  assert.equal(leaf.pid, pid)
})
