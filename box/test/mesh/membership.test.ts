/** Joining an event: over real HTTPS, between two real boxes, with everything that may go wrong. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { type InvitedRole, inviteText, readInviteText } from '../../src/ca/box-invite.ts'
import { readConfig } from '../../src/config.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { openLedger } from '../../src/ledger/open.ts'
import { createLogger } from '../../src/log.ts'
import { openBoxKey } from '../../src/mesh/encryption/box-key.ts'
import { MESH_ACTOR } from '../../src/mesh/membership/address.ts'
import { mintMeshInvite } from '../../src/mesh/membership/invites.ts'
import { type JoinOptions, joinMesh } from '../../src/mesh/membership/join.ts'
import { joinAtStart } from '../../src/mesh/membership/join-at-start.ts'
import { JoinError } from '../../src/mesh/membership/join-error.ts'
import { Membership } from '../../src/mesh/membership/membership.ts'
import { TopologyExchange, type TopologyExchangeDeps } from '../../src/mesh/membership/topology-exchange.ts'
import { type Topology, withAddress, withoutBox } from '../../src/mesh/topology.ts'
import { keysOf } from '../../src/seal/verifier-key.ts'
import { writeBytes } from '../world/ask.ts'
import { makeAuthority } from '../world/certificates.ts'
import type { TestDevice } from '../world/device.ts'
import { freePorts } from '../world/ports.ts'
import { problemsIn } from '../world/problems.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const CODES = ['JOIN-A-1', 'JOIN-A-2', 'JOIN-A-3', 'JOIN-A-4']
// Running several boxes needs a nats-server; these tests do not.
const ALONE = { GATEHOUSE_NATS_SERVER: '/nonexistent/nats-server' }

describe('a box joins', () => {
  let world: World
  let device: TestDevice
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-join-'))
  before(async () => {
    world = await World.open({ tickets: CODES.map((code) => `${code},once,,,,,,valid`), environment: ALONE })
    device = await world.device()
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  async function invite(as: InvitedRole = 'box', more: { url?: string; fingerprint?: string } = {}): Promise<string> {
    const { ledger, boxId, baseUrl, caFingerprint } = world.box
    const minted = await mintMeshInvite(
      { as, by: COMMAND_LINE, reason: 'a test' },
      { ledger, boxId, now: () => world.now(), random: randomBytes },
    )
    return inviteText({ url: baseUrl, fingerprint: caFingerprint, as, eventId: 'test-fair', ...minted, ...more })
  }

  async function place(name: string): Promise<JoinOptions> {
    const [route, leaf, https, deviceTier] = await freePorts(4)
    return {
      dataDir: join(folder, name, 'data'),
      eventDir: join(folder, name, 'event'),
      box: {
        name,
        host: '127.0.0.1',
        ports: { route: route ?? 0, leaf: leaf ?? 0 },
        https: `https://127.0.0.1:${https}`,
        device: `https://127.0.0.1:${deviceTier}`,
      },
      by: COMMAND_LINE,
      now: () => world.now(),
      random: randomBytes,
      otherAddresses: async () => [],
    }
  }

  const joins = (text: string, at: JoinOptions) => {
    const read = readInviteText(text)
    assert.ok(read, text)
    return joinMesh(read, at)
  }
  const environmentOf = ({ dataDir, eventDir, box }: JoinOptions) => ({
    ...ALONE,
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_EVENT_DIR: eventDir,
    GATEHOUSE_HTTPS_PORT: new URL(box.https).port,
    GATEHOUSE_DEVICE_PORT: new URL(box.device).port,
  })

  it('becomes another box of the same event, with the same tickets, scanners, answers and keys', async () => {
    const first = world.scanOf(CODES[0] ?? '')
    const answered = await device.client.POST('/v1/scan', { body: first })
    assert.equal(answered.data?.verdict, 'ADMIT')
    const size = world.box.ledger.size
    const at = await place('second')
    const joined = await joins(await invite(), at)
    assert.notEqual(joined.boxId, world.box.boxId)
    assert.equal(joined.from, world.box.boxId)
    assert.ok(joined.entries > size)
    assert.deepEqual(readdirSync(at.dataDir).sort(), [
      'admin-token',
      'ca',
      'keys.json',
      'ledger.db',
      'mesh-encryption.key',
    ])
    assert.equal(statSync(join(at.dataDir, 'mesh-encryption.key')).mode & 0o777, 0o600)

    await using second = await World.open({ environment: environmentOf(at) })
    const metas = await Promise.all(
      [world, second].map(async (each) => (await (await each.admin()).GET('/v1/meta')).data),
    )
    const [a, b] = metas
    assert.ok(a && b)
    assert.deepEqual([b.event_id, b.ca_fingerprint, b.verifier_key], [a.event_id, a.ca_fingerprint, a.verifier_key])
    assert.notEqual(b.log_key, a.log_key)
    assert.equal(second.box.adminToken, world.box.adminToken)

    const same = second.deviceOf(device.paired)
    const resent = await same.client.POST('/v1/scan', { body: first })
    assert.deepEqual(resent.data, answered.data, 'the answer of the other box')
    assert.equal((await same.scan(CODES[0] ?? '')).verdict, 'ALREADY_USED')
    assert.equal((await same.scan(CODES[1] ?? '')).verdict, 'ADMIT')

    const [entry] = second.box.ledger.read(0, 1)
    assert.equal(entry?.kind, 'event')
    assert.equal(entry.fields.box, joined.boxId)
    const admin = await second.admin()
    const listed = (await admin.GET('/v1/admin/mesh')).data?.listed
    assert.deepEqual(
      listed?.boxes.map(({ box_id, self, role }) => [box_id, self, role]),
      [
        [world.box.boxId, false, 'core'],
        [joined.boxId, true, 'leaf'],
      ],
    )
    const there = (await (await world.admin()).GET('/v1/admin/mesh')).data?.listed
    assert.equal(there?.version, listed?.version)
    for (const each of [world, second]) verifies(each)
  })

  it('reads no list of boxes that is much longer than its own: anybody may send one', async () => {
    const head = 'POST /v1/mesh/topology HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
    const tls = { ca: await world.ca }
    const answer = await writeBytes(world.box.ports.https, `${head}content-length: 590000\r\n\r\n`, { tls })
    assert.match(answer, /^HTTP\/1.1 413 [\s\S]*"too_large"/)
  })

  it('uses up its invite', async () => {
    const text = await invite()
    await joins(text, await place('once'))
    const late = await place('late')
    await assert.rejects(joins(text, late), says(/Another box came in on this invite/))
    assert.ok(!existsSync(join(late.dataDir, 'ledger.db')))
  })

  it('is refused with an expired, altered or unknown invite', async () => {
    const text = await invite()
    const at = await place('expired')
    world.offsetMs += 3_601_000
    try {
      await assert.rejects(joins(text, { ...at, now: Date.now }), says(/has expired/), 'the box says so')
      await assert.rejects(joins(text, at), says(/has expired/), 'and so does the invite')
    } finally {
      world.offsetMs -= 3_601_000
    }
    await assert.rejects(joins(await invite('voter'), at), says(/only votes/))
    await assert.rejects(joins((await invite('voter')).replace('.voter.', '.box.'), at), says(/only votes/), 'in truth')
    const unknown = text.replace(/\.[A-Za-z0-9_-]{22}\./, `.${randomBytes(16).toString('base64url')}.`)
    await assert.rejects(joins(unknown, at), says(/never made this invite/))
    nothingIn(at)
  })

  it('joins the event of its invite and no other', async () => {
    const at = await place('stranger')
    await using other = await World.open({ environment: ALONE })
    const text = await invite('box', { url: other.box.baseUrl })
    await assert.rejects(joins(text, at), says(/not of the event/))
    mkdirSync(at.eventDir, { recursive: true })
    const file = readFileSync(join(world.folder, 'event', 'event.json'), 'utf8')
    writeFileSync(join(at.eventDir, 'event.json'), file.replace('"test-fair"', '"other-fair"'))
    await assert.rejects(joins(await invite(), at), says(/describes the event "other-fair"/))
    nothingIn(at)
  })

  it('joins with the same invite after a download that was cut', async () => {
    const text = await invite()
    const at = await place('cut')
    for (const bytes of [0, 6_000, 12_000, 30_000]) {
      await using cut = await cutter(Number(new URL(world.box.baseUrl).port), bytes)
      const through = text.replace(/https:[^#]+/, `https://127.0.0.1:${cut.port}`)
      await assert.rejects(joins(through, at), (error) => error instanceof Error && !/^\s+at/m.test(error.message))
      nothingIn(at)
    }
    const before = JSON.parse(readFileSync(join(at.dataDir, 'joining.json'), 'utf8')) as { box_id: string }
    assert.equal((await joins(text, at)).boxId, before.box_id, 'as the box that it was promised to')
  })

  it('finds the box at another address when that of the invite is out of date', async () => {
    const text = await invite('box', { url: `https://127.0.0.1:${(await freePorts(1))[0]}` })
    const at = await place('moved')
    const joined = await joins(text, { ...at, otherAddresses: async () => ['https://127.0.0.1:1', world.box.baseUrl] })
    assert.equal(joined.from, world.box.boxId)
  })

  it('joins by itself when its settings have an invite, as soon as the other box is there', async () => {
    const [port = 0, http = 0] = await freePorts(2)
    const at = await place('appliance')
    const config = readConfig({
      ...environmentOf(at),
      GATEHOUSE_HOST: '127.0.0.1',
      GATEHOUSE_HTTP_PORT: String(http),
      GATEHOUSE_MDNS: '0',
      GATEHOUSE_MESH_INVITE: await invite('box', { url: `https://127.0.0.1:${port}` }),
    })
    const read = config.meshInvite
    assert.ok(read)
    const how = { logger: createLogger('silent'), signal: new AbortController().signal, againMs: 20 }
    const joining = joinAtStart(config, read, how)
    await until(async () => {
      const answer = await fetch(`http://127.0.0.1:${http}/healthz`).catch(() => undefined)
      const said = (await answer?.json()) as { ok: boolean; joining: string; problem: string } | undefined
      return said?.ok === false && said.joining === 'test-fair' && /does not answer/.test(said.problem)
    })
    const twice = 'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'
    assert.match(await writeBytes(http, twice), /^HTTP\/1\.1 400 /)
    const page = await fetch(`http://127.0.0.1:${http}/`)
    assert.match(page.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(
      await page.text(),
      /joining the event "test-fair"[\s\S]*not in yet:\n\n {2}The box at .* does not answer/,
    )
    await using _there = await cutter(Number(new URL(world.box.baseUrl).port), Number.POSITIVE_INFINITY, port)
    assert.equal(await joining, true)
    assert.ok(existsSync(join(at.dataDir, 'ledger.db')))
    assert.equal(await joinAtStart(config, read, how), true, 'and never again')
    const stopped = { ...how, signal: AbortSignal.abort() }
    assert.equal(await joinAtStart({ ...config, dataDir: join(folder, 'none') }, read, stopped), false)
  })

  it('is found again when every box has a new address', async () => {
    const [at, other] = [await place('moved-far'), await place('in-its-place')]
    await joins(await invite(), other)
    const { boxId } = await joins(await invite(), at)
    // At the listed address of the first box, another box of the event answers now.
    await using there = await World.open({ environment: environmentOf(other) })
    const { ledger, identity } = openLedger({ dataDir: at.dataDir, eventId: 'test-fair', wallClock: Date.now })
    using _ledger = ledger
    const { eventKey, logKey } = keysOf('test-fair', identity)
    using membership = new Membership({
      ...{ ledger, eventId: 'test-fair', eventKey, now: Date.now },
      keyHolder: { id: boxId, key: await openBoxKey(at.dataDir, randomBytes), random: randomBytes },
    })
    const { box } = world
    const stale = { https: there.box.baseUrl }
    const listing = (change: (list: Topology) => Topology) =>
      membership.change((list) => list && change(list), { ...MESH_ACTOR, action: 'moved', box: boxId })
    await listing((list) => withAddress(list, box.boxId, stale))
    const here = new Set([boxId, box.boxId, there.box.boxId])
    const gone = membership.topology?.boxes.filter(({ id }) => !here.has(id)) ?? []
    await listing((list) => gone.reduce((rest, { id }) => withoutBox(rest, id), list))

    const { caFingerprint, ports } = box
    const announced = {
      eventId: 'test-fair',
      name: 'x',
      caFingerprint,
      ports,
      boxId: box.boxId,
      addresses: ['127.0.0.1'],
    }
    let asked = 0
    const moved = { ...at.box, https: 'https://127.0.0.2:8443', device: 'https://127.0.0.2:8444', host: '127.0.0.2' }
    const deps: TopologyExchangeDeps = {
      ...{ boxId, event: { id: 'test-fair' }, keys: { logKey }, now: Date.now },
      ledger,
      membership,
      caFingerprint,
      ca: await world.ca,
      logger: createLogger('silent'),
      self: async () => moved,
    }
    {
      await using alone = new TopologyExchange(deps)
      alone.start()
      const answers = await alone.exchangeWithAll()
      assert.deepEqual([answers.get(box.boxId), answers.get(there.box.boxId)?.box], [undefined, there.box.boxId])
    }
    await using exchange = new TopologyExchange({
      ...deps,
      find: async () => {
        asked++
        const nobody = { ...announced, ports: { ...ports, https: 1 } }
        return [{ ...nobody, caFingerprint: 'sha256:0' }, nobody, announced, { ...announced, boxId: 'box-other' }]
      },
    })
    exchange.start()
    const listed = async (id: string) => {
      const list = (await (await world.admin()).GET('/v1/admin/mesh')).data?.listed
      return list?.boxes.find(({ box_id }) => box_id === id)?.url
    }
    await until(
      async () => (await listed(boxId)) === moved.https,
      'its new address is known at the box that moved, too',
    )
    await until(async () => (await listed(box.boxId)) === box.baseUrl, 'which says where it is itself')
    // By the list again: the engine dials the addresses of the list.
    await until(async () => {
      await exchange.exchangeWithAll()
      return membership.topology?.boxes.find(({ id }) => id === box.boxId)?.https === box.baseUrl
    })
    const rounds = async (count: number) => {
      const before = asked
      for (let i = 0; i < count; i++) assert.equal((await exchange.exchangeWithAll()).get(box.boxId)?.box, box.boxId)
      return asked - before
    }
    assert.equal(await rounds(13), 0, 'nobody is looked for who is where the list has it')
    await listing((list) => withAddress(list, there.box.boxId, { https: 'https://127.0.0.1:1' }))
    const often = await rounds(12)
    // The change itself starts a round, and so may the clock.
    assert.ok(often >= 2 && often <= 4, `${often} questions in twelve rounds without one of them`)
  })

  it('joins a box in a data centre that uses a certificate of its own on HTTPS', async () => {
    const internet = await makeAuthority('Internet')
    const { key, cert } = await internet.issue('127.0.0.1', [{ type: 'ip', value: '127.0.0.1' }])
    const at = await place('cloud')
    const joined = await joins(await invite('data-centre'), at)
    const files = { GATEHOUSE_TLS_CERT: join(folder, 'chain.pem'), GATEHOUSE_TLS_KEY: join(folder, 'key.pem') }
    writeFileSync(files.GATEHOUSE_TLS_CERT, cert)
    writeFileSync(files.GATEHOUSE_TLS_KEY, key)
    await using cloud = await World.open({ environment: { ...environmentOf(at), ...files } })
    const listed = (await (await world.admin()).GET('/v1/admin/mesh')).data?.listed
    const box = listed?.boxes.find(({ box_id }) => box_id === joined.boxId)
    assert.deepEqual([box?.role, box?.data_centre], ['leaf', true])

    // A joining box is shown the event's certificate, and not the public one.
    const { ledger, boxId, baseUrl: url, caFingerprint: fingerprint } = cloud.box
    const wanted = { as: 'box' as const, by: COMMAND_LINE, reason: 'a test' }
    const minted = await mintMeshInvite(wanted, { ledger, boxId, now: Date.now, random: randomBytes })
    const text = inviteText({ url, fingerprint, as: 'box', eventId: 'test-fair', ...minted })
    assert.equal((await joins(text, await place('from-cloud'))).from, joined.boxId)
    await using phone = tlsFetch({ ca: internet.ca })
    assert.equal((await phone(new Request(`${url}/healthz`))).status, 200, 'phones see the one that they trust')
  })

  it('is refused where a ledger exists', async () => {
    const at = await place('occupied')
    mkdirSync(at.dataDir, { recursive: true })
    writeFileSync(join(at.dataDir, 'ledger.db'), 'somebody')
    await assert.rejects(joins(await invite(), at), says(/has a ledger already/))
  })

  it('gives no keys to somebody who only has the code', async () => {
    const read = readInviteText(await invite())
    const admin = await world.admin('nobody')
    const { response } = await admin.POST('/v1/mesh/bundle' as never, { body: { code: read?.code } } as never)
    assert.equal(response.status, 400)
    const plain = await fetch(`http://127.0.0.1:${world.box.ports.http}/v1/mesh/bundle`, { method: 'POST' })
    assert.equal(plain.status, 404, 'nothing of it in the clear')
  })

  function verifies(each: World): void {
    assert.deepEqual(problemsIn(each.environment.GATEHOUSE_DATA_DIR ?? ''), [], each.box.boxId)
  }

  function nothingIn({ dataDir }: JoinOptions): void {
    const names = readdirSync(dataDir).filter((name) => name !== 'joining.json' && name !== 'mesh-encryption.key')
    assert.deepEqual(names, [])
  }
})

const says = (wanted: RegExp) => (error: unknown) => {
  assert.ok(error instanceof JoinError, String(error))
  assert.match(error.message, wanted)
  return true
}

/** A proxy to `port` that ends the connection once `bytes` have come back. */
async function cutter(port: number, bytes: number, at = 0): Promise<AsyncDisposable & { port: number }> {
  const open = new Set<Socket>()
  let left = bytes
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) open.add(socket.on('error', end).on('close', end))
    near.pipe(far)
    far.on('data', (data: Buffer) => {
      near.write(data.subarray(0, Math.max(0, left)))
      left -= data.length
      if (left <= 0) cut()
    })
  }).listen(at, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
