/** Real nats-servers, as boxes start them: access, votes, delivery, and the death of servers. */
import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect as connectPlain, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import {
  type JetStreamApiError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  StorageType,
} from '@nats-io/jetstream'
import type { MeshAuthority } from '../../src/ca/mesh-authority.ts'
import { createLogger } from '../../src/log.ts'
import { openEngine } from '../../src/mesh/engine/engine.ts'
import { routeSecret } from '../../src/mesh/engine/route-secret.ts'
import { NoServerError } from '../../src/mesh/engine/server-binary.ts'
import { firstTopology, promoted, type TopologyBox, withBox } from '../../src/mesh/topology.ts'
import { makeAuthority } from '../world/certificates.ts'
import { natsServer } from '../world/nats-server.ts'
import { until } from '../world/until.ts'
import { authorityIn, EVENT, listen, MeshEngines, meshAuthorityOf, newBox } from './engines.ts'

const { file, whyNot } = await natsServer()
/** Each of four in the long form; in the short one, a voter and the box without a vote. */
const ONE_BY_ONE = process.env.GATEHOUSE_TEST_LONG ? [0, 1, 2, 3] : [0, 3]

type Joining = Omit<TopologyBox, 'role'>
const STREAM = 'CLAIMS'
const WRONG_LAST_SEQUENCE = 10071

/** Retries while a core has no leader. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + 60_000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > end || (error as JetStreamApiError).code === WRONG_LAST_SEQUENCE) throw error
      await sleep(100)
    }
  }
}

function managerAt(engines: MeshEngines, i: number): Promise<JetStreamManager> {
  const { bulk, domain } = engines.at(i)
  return jetstreamManager(bulk, { domain, timeout: 5_000 })
}

function makeStream(engines: MeshEngines, i: number, name = STREAM): Promise<unknown> {
  return patiently(async () =>
    (await managerAt(engines, i)).streams.add({
      name,
      subjects: [`gh.${name}.rights.1.*`],
      storage: StorageType.File,
      num_replicas: engines.at(i).replicas,
      deny_delete: true,
      deny_purge: true,
      allow_direct: false,
    }),
  )
}

/** A write to three disks that other tests share. */
const SLOWEST_MS = 15_000

async function write(engines: MeshEngines, i: number, what: string, name = STREAM, timeout = 2_000): Promise<number> {
  const { bulk, domain } = engines.at(i)
  const options = { expect: { lastSubjectSequence: 0 }, timeout, msgID: `${what} by ${i}` }
  const { seq } = await jetstream(bulk, { domain }).publish(`gh.${name}.rights.1.${what}`, String(i), options)
  return seq
}

const counted = (engines: MeshEngines, i: number) =>
  patiently(async () => (await (await managerAt(engines, i)).streams.info(STREAM)).state.messages)

const replicasOf = (engines: MeshEngines, i: number) =>
  patiently(async () => {
    const { cluster } = await (await managerAt(engines, i)).streams.info(STREAM)
    const others = (cluster?.replicas ?? []).filter(({ current, offline }) => current && !offline)
    return [cluster?.leader ?? '', ...others.map(({ name }) => name)].sort()
  })

/** Subject that a box may publish to, and the others may listen to. */
const topicOf = (engines: MeshEngines, from: number | '*', tag: string, kind: 'new' | 'urgent' = 'new') =>
  `gh.${tag}.${kind}.${from === '*' ? from : engines.id(from)}`

/** Counts how often each receives the messages of each, on one connection. */
async function whoHearsWhom(engines: MeshEngines, which: 'bulk' | 'urgent'): Promise<number[][]> {
  const count = engines.topology.boxes.length
  const all = Array.from({ length: count }, (_, i) => i)
  const [topic, kind] = [
    (from: number | '*') => topicOf(engines, from, 'test', kind),
    which === 'bulk' ? 'new' : 'urgent',
  ] as const
  const heard = all.map((i) => listen(engines.at(i)[which], topic('*')))
  const tally = () =>
    all.map((at) => all.map((from) => heard[at]?.filter((text) => text === `after ${from}`).length ?? 0))
  // Before every message arrives everywhere, the routes are not complete.
  await until(async () => {
    for (const i of all) engines.at(i)[which].publish(topic(i), `before ${i}`)
    await sleep(50)
    return heard.every((texts) => new Set(texts).size === count)
  }, 'everybody hears everybody')
  const servers = () => all.map((i) => engines.at(i).pid).join()
  const began = servers()
  for (const i of all) for (let n = 0; n < 20; n++) engines.at(i)[which].publish(topic(i), `after ${i}`)
  await until(
    () =>
      servers() !== began ||
      tally()
        .flat()
        .every((times) => times >= 20),
  )
  await sleep(300)
  // A voter that the new core does not count starts again, and loses what was sent meanwhile.
  return servers() === began ? tally() : await whoHearsWhom(engines, which)
}

describe('three boxes that vote, and a fourth that does not', { skip: whyNot }, () => {
  test('store a write once, whichever server takes it, and reach each other on both connections', async () => {
    await using engines = await MeshEngines.open(4)
    await engines.startAll()
    assert.deepEqual(
      [0, 1, 2, 3].map((i) => [engines.at(i).isCore, engines.at(i).replicas, engines.at(i).epoch]),
      [...Array(3).fill([true, 3, 2]), [false, 3, 2]],
    )
    const began = performance.now()
    await makeStream(engines, 3)
    console.log(`# a stream of three copies after ${Math.round(performance.now() - began)} ms`)
    // A server knows of the stream's subjects a moment after the stream is there: what it is given before reaches nobody.
    for (const i of [0, 1, 2, 3]) await patiently(() => write(engines, i, `first-of-${i}`))
    for (let right = 0; right < 20; right++) {
      const asks = [0, 1, 2, 3].map((i) => write(engines, i, `right-${right}`, STREAM, SLOWEST_MS))
      const outcomes = await Promise.allSettled(asks)
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.equal(outcome.reason.code, WRONG_LAST_SEQUENCE)
      }
    }
    assert.equal(await counted(engines, 3), 24)
    for (const i of [0, 3]) assert.equal(await engines.at(i).syncAlways(), true)
    const every = Array(4).fill(Array(4).fill(20))
    assert.deepEqual(await whoHearsWhom(engines, 'bulk'), every)
    assert.deepEqual(await whoHearsWhom(engines, 'urgent'), every)
  })

  test('go on without any one of them, and take it back', async () => {
    await using engines = await MeshEngines.open(4)
    await engines.startAll()
    await makeStream(engines, 3)
    const heard = listen(engines.at(3).bulk, topicOf(engines, '*', 'after'))
    for (const dead of ONE_BY_ONE) {
      engines.kill(dead)
      for (const i of [0, 1, 2, 3]) if (i !== dead) await patiently(() => write(engines, i, `without-${dead}-${i}`))
      await patiently(() => write(engines, dead, `back-${dead}`))
      await until(async () => (await replicasOf(engines, dead)).length === 3, 'all three are up to date')
    }
    assert.equal(await counted(engines, 0), ONE_BY_ONE.length * 4)
    // Subscriptions survive the death of a server.
    await until(async () => {
      engines.at(0).bulk.publish(topicOf(engines, 0, 'after'), 'x')
      await sleep(50)
      return heard.length > 0
    }, 'the fourth hears the first')
  })

  test('keep everything when all of them stop and start again', async () => {
    await using engines = await MeshEngines.open(3)
    await engines.startAll()
    await makeStream(engines, 0)
    for (let n = 0; n < 50; n++) await patiently(() => write(engines, n % 3, `right-${n}`))
    for (const i of [0, 1, 2]) await engines.stop(i)
    const began = performance.now()
    await engines.startAll()
    assert.equal(await counted(engines, 1), 50)
    await patiently(() => write(engines, 2, 'after'))
    console.log(`# a core of three writes ${Math.round(performance.now() - began)} ms after a cold start`)
    await assert.rejects(write(engines, 0, 'right-7'), { code: WRONG_LAST_SEQUENCE })
  })
})

describe('a voter whose machine went down', { skip: whyNot }, () => {
  const state = (engines: MeshEngines, i: number) =>
    JSON.parse(readFileSync(join(engines.dataDir(i), 'nats/voter.json'), 'utf8'))
  /** The state after a power cut: its server was running, in another boot of the machine. */
  async function cutPower(engines: MeshEngines, i: number): Promise<void> {
    await engines.stop(i)
    const path = join(engines.dataDir(i), 'nats/voter.json')
    writeFileSync(path, JSON.stringify({ ...state(engines, i), running: 'the boot before' }))
  }

  test('comes back as a new voter, with a copy of what the others have', async () => {
    await using engines = await MeshEngines.open(3)
    await engines.startAll()
    await makeStream(engines, 0)
    for (let n = 0; n < 50; n++) await patiently(() => write(engines, n % 3, `right-${n}`))
    await until(async () => (await replicasOf(engines, 1)).length === 3)
    await cutPower(engines, 0)
    await patiently(() => write(engines, 1, 'meanwhile'))
    await engines.start(0)
    const [, b = '', c = ''] = engines.topology.boxes.map(({ id }) => id)
    await until(
      async () => state(engines, 0).life === 1 && state(engines, 0).retired.length === 0,
      'it is forgotten',
      2,
    )
    const expected = [`${engines.id(0)}_1`, b, c].sort()
    await until(async () => String(await replicasOf(engines, 1)) === String(expected), 'it has its copy')
    // The copy counts: it is one of the two that are left.
    await engines.stop(2)
    await patiently(() => write(engines, 0, 'with-the-new-one'))
    assert.equal(await counted(engines, 0), 52)
  })

  test('comes back as the voter that it was when all voters went down', async () => {
    await using engines = await MeshEngines.open(3)
    await engines.startAll()
    await makeStream(engines, 0)
    for (let n = 0; n < 50; n++) await patiently(() => write(engines, n % 3, `right-${n}`))
    for (const i of [0, 1, 2]) await cutPower(engines, i)
    await engines.startAll()
    assert.equal(await counted(engines, 0), 50)
    for (const i of [0, 1, 2]) assert.equal(state(engines, i).life, 0)
  })

  test('stays the same voter when only its process was killed', async () => {
    await using engines = await MeshEngines.open(3)
    await engines.startAll()
    await makeStream(engines, 0)
    engines.kill(1)
    await patiently(() => write(engines, 1, 'after'))
    assert.deepEqual([state(engines, 1).life, state(engines, 1).running === null], [0, false])
    await engines.stop(1)
    assert.equal(state(engines, 1).running, null)
  })
})

describe('two boxes', { skip: whyNot }, () => {
  test('have one voter, and go on when either dies and comes back', async () => {
    await using engines = await MeshEngines.open(2)
    await engines.startAll()
    assert.deepEqual([engines.at(0).isCore, engines.at(1).isCore, engines.at(1).replicas], [true, false, 1])
    await makeStream(engines, 1)
    assert.deepEqual([await engines.at(0).syncAlways(), await engines.at(1).syncAlways()], [true, true])
    for (const dead of [0, 1]) {
      engines.kill(dead)
      for (const i of [0, 1]) await patiently(() => write(engines, i, `${i}-after-${dead}`))
    }
    await engines.stop(0)
    assert.equal(await engines.at(1).syncAlways(), false)
    await assert.rejects(write(engines, 1, 'alone'))
    await engines.start(0)
    await patiently(() => write(engines, 1, 'together'))
    assert.equal(await counted(engines, 1), 5)
  })

  test('become a core of three, which starts empty, over the same connections', async (t) => {
    await using engines = await MeshEngines.open(3)
    const three = engines.topology
    const [a, b] = three.boxes.map(({ role: _, ...box }) => box) as [Joining, Joining]
    const two = withBox(firstTopology(EVENT, a), b)
    await Promise.all([engines.start(0, {}, two), engines.start(1, {}, two)])
    await makeStream(engines, 1)
    const heard = listen(engines.at(1).urgent, topicOf(engines, '*', 'after', 'urgent'))
    const began = performance.now()
    await Promise.all([engines.at(0).apply(three), engines.at(1).apply(three), engines.start(2)])
    await makeStream(engines, 2, 'NEXT')
    for (const i of [0, 1, 2]) await patiently(() => write(engines, i, `right-${i}`, 'NEXT'))
    t.diagnostic(`three decide ${((performance.now() - began) / 1000).toFixed(1)} s after one no longer did`)
    const names = (await (await managerAt(engines, 0)).streams.list().next()).map(({ config }) => config.name)
    assert.deepEqual(names, ['NEXT'])
    await until(async () => {
      engines.at(2).urgent.publish(topicOf(engines, 2, 'after', 'urgent'), 'x')
      await sleep(50)
      return heard.length > 0
    }, 'what was subscribed to before is heard')
    const before = engines.at(0).pid
    await engines.at(0).apply(withBox(three, await newBox(3)))
    assert.equal(engines.at(0).pid, before, 'a leaf more is nothing to a voter')
  })

  test('hand over the vote when the topology says so', async () => {
    await using engines = await MeshEngines.open(2)
    await engines.startAll()
    const other = promoted(engines.topology, engines.id(1))
    await Promise.all([engines.at(0).apply(other), engines.at(1).apply(other)])
    assert.deepEqual([engines.at(0).isCore, engines.at(1).isCore, engines.at(0).epoch], [false, true, 2])
    await makeStream(engines, 0)
    await patiently(() => write(engines, 0, 'right'))
  })
})

/** A variable of the environment. */
function setForTest(t: TestContext, name: string, value: string): void {
  const before = process.env[name]
  process.env[name] = value
  t.after(() => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  })
}

describe('a box in a data centre', { skip: whyNot }, () => {
  test('is dialled by the three voters, receives everything once, and reserves', async (t) => {
    const far = 3
    await using engines = await MeshEngines.open(5, (i) => (i === far ? { dial: 'core', host: 'localhost' } : {}))
    const world = await makeAuthority('The world')
    const { cert, key } = await world.issue('localhost', [{ type: 'dns', value: 'localhost' }])
    const files = { tlsCert: join(engines.folder, 'far.pem'), tlsKey: join(engines.folder, 'far.key') }
    writeFileSync(files.tlsCert, cert)
    writeFileSync(files.tlsKey, key)
    const roots = join(engines.folder, 'world.pem')
    writeFileSync(roots, world.ca)
    // The public authorities, for the servers that are started here, also for one that its box starts again: a new core does not count
    // each of its voters at once, and such a one begins anew.
    setForTest(t, 'SSL_CERT_FILE', roots)
    const config = { host: '127.0.0.1', natsServer: file, ...files }
    await Promise.all(engines.topology.boxes.map((_, i) => engines.start(i, i === far ? { config, lookMs: 50 } : {})))
    const every = Array(5).fill(Array(5).fill(20))
    assert.deepEqual(await whoHearsWhom(engines, 'bulk'), every)
    assert.deepEqual(await whoHearsWhom(engines, 'urgent'), every)
    await makeStream(engines, far)
    await patiently(() => write(engines, far, 'right'))
    await assert.rejects(
      patiently(() => write(engines, 4, 'right')),
      { code: WRONG_LAST_SEQUENCE },
    )
    // With one of the three down, through the other two.
    await engines.stop(0)
    await patiently(() => write(engines, far, 'without-one'))
    // A renewed certificate of the organiser is used as soon as it is there.
    const renewed = await world.issue('localhost', [{ type: 'dns', value: 'localhost' }])
    writeFileSync(files.tlsKey, renewed.key)
    writeFileSync(files.tlsCert, renewed.cert)
    const { leaf = 0 } = engines.topology.boxes[far]?.ports ?? {}
    await until(async () => (await shownAt(leaf)) === new X509Certificate(renewed.cert).fingerprint256, 'it is shown')
    await patiently(() => write(engines, far, 'after'))
  })
})

describe('the ports between boxes', { skip: whyNot }, () => {
  test('refuse every client that is not a box of this event', async () => {
    await using engines = await MeshEngines.open(3)
    await engines.startAll()
    const { authority, event, topology } = engines
    const other = await meshAuthorityOf(await authorityIn(join(engines.folder, 'other-ca')), randomBytes(32))
    const made = async (by: MeshAuthority) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const cert = await by.issueMeshCertificate({ boxId: 'box-own', host: '127.0.0.1', publicKey })
      return { cert, key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() }
    }
    const [stranger, unlisted] = [await made(other), await made(authority)]
    const server = await event.issueServerCertificate({ names: ['localhost'], addresses: ['127.0.0.1'] })
    const scanner = await deviceOf(engines)
    const password = routeSecret(engines.seed, EVENT, topology.epoch)
    for (const [kind, port] of Object.entries(topology.boxes[0]?.ports ?? {})) {
      const knock = (shown: ConnectionOptions, words: string) =>
        answerAt(kind, port, { ca: authority.certificate, ...shown }, words)
      const [wordless, guess, known] = ['', 'x'.repeat(32), password].map(CONNECT[kind as 'route' | 'leaf'])
      assert.match(await knock({}, wordless ?? ''), /REFUSED/, `${kind}: no certificate`)
      for (const [whose, shown] of Object.entries({
        stranger,
        server: { ...server, cert: server.certificate },
        scanner,
      }))
        assert.match(await knock(shown, wordless ?? ''), /REFUSED/, `${kind}: the certificate of a ${whose}`)
      // Of the mesh's authority, but its key is not on the list: even with the password of the voters.
      for (const words of [wordless, guess, known])
        assert.match(await knock(unlisted, words ?? ''), /REFUSED|Authorization Violation/, kind)
    }
  })

  test('a box receives nothing from a server of another event', async () => {
    await using engines = await MeshEngines.open(2)
    await engines.start(0)
    const theirs = await meshAuthorityOf(await authorityIn(join(engines.folder, 'other-ca')), randomBytes(32))
    await engines.start(1, { authority: theirs })
    const heard = listen(engines.at(0).bulk, topicOf(engines, '*', 'test'))
    for (let n = 0; n < 30; n++) {
      engines.at(1).bulk.publish(topicOf(engines, 1, 'test'), 'x')
      await sleep(50)
    }
    assert.deepEqual(heard, [])
    assert.equal(await engines.at(1).syncAlways(), false)
  })

  test('a leaf opens none; the port for its own box is on loopback and needs a password', async () => {
    await using engines = await MeshEngines.open(2)
    await engines.startAll()
    const text = readFileSync(join(engines.dataDir(1), 'nats/nats.conf'), 'utf8')
    assert.doesNotMatch(text, /0\.0\.0\.0|\[::\]/)
    const port = engines.at(1).bulk.getServer().split(':').at(-1)
    const socket = connectPlain({ host: '127.0.0.1', port: Number(port) })
    socket.write('CONNECT {"verbose":true,"user":"mesh","pass":"guess"}\r\nPING\r\n')
    assert.match(await said(socket), /Authorization Violation/)
  })

  test('a certificate that is about to expire is renewed in time without cutting a connection', async () => {
    await using engines = await MeshEngines.open(3)
    let later = 0
    const clock = { lookMs: 50, now: () => Date.now() + later }
    await Promise.all([engines.start(0, clock), engines.start(1), engines.start(2)])
    await makeStream(engines, 0)
    const { leaf = 0 } = engines.topology.boxes[0]?.ports ?? {}
    const before = await shownAt(leaf)
    const [pid, cut] = [engines.at(0).pid, [] as number[]]
    for (const i of [0, 1, 2]) engines.at(i).onLink(() => void cut.push(i))
    const heard = listen(engines.at(1).bulk, topicOf(engines, '*', 'meanwhile'))
    await until(async () => {
      engines.at(0).bulk.publish(topicOf(engines, 0, 'meanwhile'), 'before')
      await sleep(50)
      return heard.length > 0
    }, 'they hear each other')
    // A message every 10 ms, from before the renewal until the new certificate is used.
    let said = 0
    const talking = setInterval(
      () => engines.at(0).bulk.publish(topicOf(engines, 0, 'meanwhile'), `word ${said++}`),
      10,
    )
    try {
      await sleep(200)
      assert.equal(await shownAt(leaf), before, 'there is time yet')
      later = 80 * 86_400_000
      await until(async () => (await shownAt(leaf)) !== before, 'a new one is shown')
      later = 0
      await sleep(500)
    } finally {
      clearInterval(talking)
    }
    assert.deepEqual([engines.at(0).pid, cut], [pid, []])
    await until(() => heard.filter((text) => text.startsWith('word')).length === said, 'every word has come')
    await patiently(() => write(engines, 0, 'with-the-new-one'))
    await patiently(() => write(engines, 1, 'too'))
    // New connections use it.
    await engines.stop(2)
    await engines.start(2)
    await patiently(() => write(engines, 2, 'and-comes-back'))
    assert.equal(await counted(engines, 2), 3)
  })

  test('a new certificate is used as soon as it is there', async () => {
    await using engines = await MeshEngines.open(2)
    await engines.startAll()
    const path = join(engines.dataDir(0), 'nats/mesh.pem')
    const before = readFileSync(path, 'utf8')
    const { leaf = 0 } = engines.topology.boxes[0]?.ports ?? {}
    assert.equal(await shownAt(leaf), new X509Certificate(before).fingerprint256)
    const { tls } = engines.linkKeys(0)
    const member = { boxId: engines.id(0), host: '127.0.0.1', publicKey: createPublicKey(tls) }
    const certificate = await engines.authority.issueMeshCertificate(member)
    writeFileSync(path, certificate + tls.export({ format: 'pem', type: 'pkcs8' }))
    process.kill(engines.at(0).pid ?? 0, 'SIGHUP')
    await until(async () => (await shownAt(leaf)) === new X509Certificate(certificate).fingerprint256)
  })
})

test('a machine without nats-server is told what to install', async () => {
  const folder = join(import.meta.dirname, 'nowhere')
  const topology = withBox(firstTopology(EVENT, await newBox(0)), await newBox(1))
  const opening = openEngine(topology, {
    boxId: topology.boxes[0]?.id ?? '',
    dataDir: folder,
    linkKeys: undefined as never,
    logKey: undefined as never,
    routeSecret: () => '',
    authority: undefined as never,
    config: {
      host: '127.0.0.1',
      natsServer: join(folder, 'nats-server'),
      tlsCert: undefined,
      tlsKey: undefined,
    },
    logger: createLogger('silent'),
    now: Date.now,
    monotonic: () => performance.now(),
  })
  await assert.rejects(opening, NoServerError)
})

const CONNECT = {
  route: (password: string) =>
    `CONNECT {"echo":true,"verbose":false,"pedantic":false,"user":"route","pass":"${password}","tls_required":true,"name":"x","cluster":"core-2"}\r\nPING\r\n`,
  leaf: (password: string) =>
    `CONNECT {"user":"mesh","pass":"${password}","tls_required":true,"name":"x","headers":true}\r\nPING\r\n`,
}

/** Connects as a box does: TLS, then the credentials; a leaf is greeted in plain text first. @returns the answer, or REFUSED */
async function answerAt(kind: string, port: number, options: ConnectionOptions, words: string): Promise<string> {
  const plain = connectPlain({ host: '127.0.0.1', port })
  if (kind === 'leaf') await once(plain, 'data')
  const secure = connectTls({ ...options, socket: plain, servername: 'localhost' })
  secure.write(words)
  const answer = await said(secure)
  plain.destroy()
  return answer === '' ? 'REFUSED' : answer
}

/** Reads until the other end closes or fails. */
async function said(socket: Socket | TLSSocket): Promise<string> {
  let text = ''
  const over = new Promise((resolve) => socket.once('error', resolve).once('end', resolve).once('close', resolve))
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  await over
  socket.destroy()
  return text
}

async function shownAt(port: number): Promise<string> {
  const plain = connectPlain({ host: '127.0.0.1', port })
  await once(plain, 'data')
  const secure = connectTls({ socket: plain, rejectUnauthorized: false })
  await once(secure, 'secureConnect')
  const { fingerprint256 } = secure.getPeerX509Certificate() ?? { fingerprint256: '' }
  secure.destroy()
  return fingerprint256
}

async function deviceOf({ event, folder }: MeshEngines): Promise<{ cert: string; key: string }> {
  mkdirSync(folder, { recursive: true })
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const deviceId = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const { certificate } = await event.issueDeviceCertificate({ deviceId, publicKey })
  return { cert: certificate, key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() }
}
