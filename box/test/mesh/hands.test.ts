/**
 * Votes that operators change by hand: a machine that only votes, a box in the place of a dead one, a
 * box that leaves, one in a data centre.
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { eventTag, slotAt } from '@gatehouse/proto/code.ts'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { type InvitedRole, inviteText, readInviteText } from '../../src/ca/box-invite.ts'
import { type Environment, readConfig } from '../../src/config.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { createLogger } from '../../src/log.ts'
import { ownAddress } from '../../src/mesh/membership/address.ts'
import { mintMeshInvite } from '../../src/mesh/membership/invites.ts'
import { JoinError } from '../../src/mesh/membership/join-error.ts'
import { joinFromSettings } from '../../src/mesh/membership/join-from-settings.ts'
import { enrolVoter, readVoter, runVoter } from '../../src/mesh/membership/voter.ts'
import { makeAuthority } from '../world/certificates.ts'
import { gatehouse } from '../world/command.ts'
import { natsServer } from '../world/nats-server.ts'
import { Phone } from '../world/phone.ts'
import { freePorts } from '../world/ports.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const { file, whyNot } = await natsServer()

it('a third voter makes two boxes a core of three', { skip: whyNot }, async () => {
  await using pair = await twoBoxes()
  const { first, second, invite, folderOf } = pair
  const config = readConfig({ ...first.environment, ...folderOf('third'), ...(await meshPorts()) })
  const place = {
    dataDir: config.dataDir,
    config,
    logger: createLogger('silent'),
    random: randomBytes,
    box: { name: 'Laptop', ...(await ownAddress(config, { https: 1, device: 1 })) },
    otherAddresses: async () => [],
    now: Date.now,
    monotonic: () => performance.now(),
  }
  await assert.rejects(enrolVoter(await invite('box'), place), JoinError)
  const text = await invite('voter')
  const kept = await enrolVoter(text, place)
  await assert.rejects(enrolVoter(text, place), /Another box came in on this invite/)
  assert.deepEqual(await readVoter(place), kept)
  assert.ok(!existsSync(join(config.dataDir, 'ledger.db')))
  const secrets = JSON.stringify(kept)
  assert.ok(!secrets.includes(first.box.adminToken))

  const stopping = new AbortController()
  const running = runVoter(kept, place, stopping.signal)
  try {
    const admins = await Promise.all([first, second].map((world) => world.admin()))
    const views = () => Promise.all(admins.map(async (admin) => (await admin.GET('/v1/admin/mesh')).data))
    const isStrict = async () => (await views()).every((view) => view?.standing?.mode === 'STRICT')
    await until(isStrict, 'STRICT', 3).catch(async ({ message }: Error) => {
      const standings = (await views()).map((view) => view?.standing)
      assert.fail(`${message}. ${JSON.stringify(standings)}`)
    })
    const [view] = await views()
    assert.deepEqual(view?.standing?.boxes.map(({ role, url }) => [role, url !== null]).sort(), [
      ['core', true],
      ['core', true],
      ['voter', false],
    ])
    const isHeard = async () => (await views()).every((one) => one?.standing?.boxes.every(({ heard }) => heard))
    await until(isHeard, 'the laptop is heard, too', 2)
    const gate = await first.device()
    assert.equal((await gate.scan('VOTE-1')).verdict, 'ADMIT')
    const there = second.deviceOf(gate.paired)
    assert.equal((await there.scan('VOTE-1')).verdict, 'ALREADY_USED')

    const removal = { box_id: kept.box.id, actor: 'Ana', reason: 'its owner went home', is_off: true }
    assert.equal((await admins[0]?.POST('/v1/admin/mesh/remove', { body: removal }))?.response.status, 200)
    assert.equal(await running, false, 'and the laptop knows it')
  } finally {
    stopping.abort()
    await running.catch(() => {})
  }
})

it('the second box takes over from a dead authority, which learns of it when it comes back', {
  skip: whyNot,
}, async () => {
  await using pair = await twoBoxes()
  const { first, second } = pair
  const gate = await first.device()
  await until(async () => (await mode(first)) === 'STRICT' && (await mode(second)) === 'STRICT', 'STRICT', 3)
  const there = second.deviceOf(gate.paired)

  await first.restart(async () => {
    await until(async () => (await mode(second)) === 'DEGRADED', 'DEGRADED', 3)
    const provisional = await there.scan('VOTE-1')
    assert.deepEqual([provisional.verdict, provisional.confidence], ['ADMIT', 'provisional'])

    const admin = await second.admin()
    const promotion = { box_id: second.box.boxId, actor: 'Ana', reason: 'the other one burnt' }
    const hasty = await admin.POST('/v1/admin/mesh/promote', { body: { ...promotion, is_off: false } })
    assert.equal(hasty.error?.code, 'conflict')
    const promoted = await admin.POST('/v1/admin/mesh/promote', { body: { ...promotion, is_off: true } })
    assert.deepEqual(
      promoted.data?.boxes.map(({ role }) => role),
      ['leaf', 'core'],
    )
    await until(async () => (await mode(second)) === 'STRICT', 'STRICT', 3)
    assert.equal((await there.scan('VOTE-2')).confidence, 'confirmed')
  })
  const again = first.deviceOf(gate.paired)
  await until(async () => (await mode(first)) === 'STRICT', 'STRICT', 3)
  const view = (await (await first.admin()).GET('/v1/admin/mesh')).data
  assert.equal(view?.standing?.boxes.find(({ self }) => self)?.role, 'leaf')
  for (const code of ['VOTE-1', 'VOTE-2']) assert.equal((await again.scan(code)).verdict, 'ALREADY_USED', code)
})

it('a box leaves once the other one has all of its journal, and then decides alone', { skip: whyNot }, async () => {
  await using pair = await twoBoxes()
  const { first, second } = pair
  const gate = await first.device()
  await until(async () => (await mode(first)) === 'STRICT' && (await mode(second)) === 'STRICT', 'STRICT', 3)
  assert.equal((await second.deviceOf(gate.paired).scan('VOTE-1')).verdict, 'ADMIT')
  const body = { box_id: second.box.boxId, actor: 'Ana', reason: 'the last night' }
  const left = await (await second.admin()).POST('/v1/admin/mesh/remove', { body })
  assert.equal(left.response.status, 200, JSON.stringify(left.error))
  await until(async () => (await mode(second)) === 'DEGRADED')
  await until(async () => (await mode(first)) === 'STRICT')
  assert.equal((await gate.scan('VOTE-1')).verdict, 'ALREADY_USED', 'what it did stays')
})

it('a ticket that is claimed through a box in a data centre is known at the gate', {
  skip: whyNot,
}, async () => {
  await using cloudy = await openCloud()
  await using pair = await twoBoxes('data-centre', { ...cloudy.files, GATEHOUSE_MESH_HOST: 'localhost' })
  const { first: venue, second: cloud } = pair
  const gate = await venue.device()
  await until(async () => (await mode(venue)) === 'STRICT', 'STRICT', 3)
  const phone = await cloudy.claims(cloud, venue.ticketIdOf('VOTE-1'))
  await until(async () => (await gate.scan(await phone())).verdict === 'ADMIT', 'the gate knows the key', 3)
})

it('an event that begins in a data centre goes on at both ends without an uplink, and converges', {
  skip: whyNot,
}, async () => {
  await using cloudy = await openCloud()
  const more = { ...cloudy.files, GATEHOUSE_MESH_HOST: 'localhost', ...(await ownPorts()) }
  await using pair = await twoBoxes('box', {}, { ...more, begin: ['mesh', 'init', '--data-centre', '--name', 'Cloud'] })
  const { first: cloud, second: venue } = pair
  const isStrict = async () => (await mode(venue)) === 'STRICT' && (await cloudy.mode(cloud)) === 'STRICT'
  await until(isStrict, 'STRICT', 3)
  const { data } = await (await venue.admin()).GET('/v1/admin/mesh')
  assert.deepEqual(
    data?.listed?.boxes.map(({ role, data_centre }) => [role, data_centre]),
    [
      ['leaf', true],
      ['core', false],
    ],
  )
  const gate = await venue.device()
  const inCloud = cloud.deviceOf(gate.paired)
  const first = await cloudy.claims(cloud, cloud.ticketIdOf('VOTE-1'))
  await until(async () => (await gate.scan(await first())).verdict === 'ADMIT', 'the gate knows the key', 3)

  // Nothing comes through any more, and no connection is closed.
  const server = Number(readFileSync(join(String(cloud.environment.GATEHOUSE_DATA_DIR), 'nats/pid'), 'utf8'))
  process.kill(server, 'SIGSTOP')
  try {
    await until(async () => (await cloudy.mode(cloud)) === 'DEGRADED', 'the data centre hears nobody')
    assert.equal(await mode(venue), 'STRICT', 'the venue decides by itself')
    const second = await cloudy.claims(cloud, cloud.ticketIdOf('VOTE-2'))
    assert.equal((await gate.scan(await second())).verdict, 'UNKNOWN', 'it could not be told')
    assert.equal((await gate.scan('VOTE-3')).verdict, 'ADMIT')
    process.kill(server, 'SIGCONT')
    await until(async () => (await gate.scan(await second())).verdict === 'ADMIT', 'told when it can be', 3)
    await until(async () => (await inCloud.scan('VOTE-3')).verdict === 'ALREADY_USED', 'and known there', 3)
  } finally {
    process.kill(server, 'SIGCONT')
  }
  await until(isStrict, 'STRICT', 3)
})

/** A publicly trusted certificate for this machine, for as long as this lasts, and phones that go by it. */
async function openCloud() {
  await using stack = new AsyncDisposableStack()
  const internet = await makeAuthority('Internet')
  const { cert, key } = await internet.issue('localhost', [
    { type: 'dns', value: 'localhost' },
    { type: 'ip', value: '127.0.0.1' },
  ])
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cloud-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const files = { GATEHOUSE_TLS_CERT: join(folder, 'chain.pem'), GATEHOUSE_TLS_KEY: join(folder, 'key.pem') }
  writeFileSync(files.GATEHOUSE_TLS_CERT, cert)
  writeFileSync(files.GATEHOUSE_TLS_KEY, key)
  writeFileSync(join(folder, 'roots.pem'), internet.ca)
  // The authorities that everybody trusts, for the server at the venue that dials.
  const before = process.env.SSL_CERT_FILE
  process.env.SSL_CERT_FILE = join(folder, 'roots.pem')
  stack.defer(() => {
    if (before === undefined) delete process.env.SSL_CERT_FILE
    else process.env.SSL_CERT_FILE = before
  })
  const phones = stack.use(tlsFetch({ ca: internet.ca }))

  /** Opens a ticket's link and claims it. @returns what the phone then shows */
  async function claims(cloud: World, id: string): Promise<() => Promise<string>> {
    const phone = new Phone()
    const claimed = await phones(
      new Request(`${cloud.box.baseUrl}/v1/ticket/${id}/claim`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(phone.claim(id)),
      }),
    )
    assert.equal(claimed.status, 200, await claimed.text())
    const tag = await eventTag('test-fair')
    return async () => phone.code(tag, slotAt(Date.now()))
  }

  const mode = async (cloud: World) => {
    const answer = await phones(new Request(`${cloud.box.baseUrl}/v1/meta`))
    return ((await answer.json()) as { mode?: string }).mode
  }
  const opened = stack.move()
  return { files, claims, mode, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function ownPorts(): Promise<Environment> {
  const [https, device] = await freePorts(2)
  return { GATEHOUSE_HTTPS_PORT: String(https), GATEHOUSE_DEVICE_PORT: String(device) }
}

/** Reserved from the beginning: a box opens the port of the voters only when there is a third one. */
async function meshPorts(): Promise<Environment> {
  const [route, leaf] = await freePorts(2)
  return { GATEHOUSE_MESH_ROUTE_PORT: String(route), GATEHOUSE_MESH_LEAF_PORT: String(leaf) }
}

const mode = async (world: World) => (await (await world.admin()).GET('/v1/meta')).data?.mode

/**
 * Two real boxes with real servers, the second one joined.
 * @param more settings of the second that differ; `own`: those of the first, and the command that it begins with
 */
async function twoBoxes(
  as: InvitedRole = 'box',
  more: Environment = {},
  { begin, ...own }: Environment & { begin?: string[] } = {},
) {
  await using stack = new AsyncDisposableStack()
  const nats = { GATEHOUSE_NATS_SERVER: file }
  const tickets = ['VOTE-1', 'VOTE-2', 'VOTE-3'].map((code) => `${code},once,,,,,,valid`)
  const first = stack.use(await World.open({ tickets, environment: { ...nats, ...(await meshPorts()), ...own } }))
  if (begin) {
    const { code, err } = await gatehouse(begin, { environment: first.environment, cwd: first.folder })
    assert.equal(code, 0, err)
  }
  const folderOf = (name: string) => ({
    GATEHOUSE_DATA_DIR: join(first.folder, name, 'data'),
    GATEHOUSE_EVENT_DIR: join(first.folder, name, 'event'),
  })
  const invite = async (as: InvitedRole) => {
    const { ledger, boxId, baseUrl: url, caFingerprint: fingerprint } = first.box
    const wanted = { as, by: COMMAND_LINE, reason: 'a test' }
    const minted = await mintMeshInvite(wanted, { ledger, boxId, now: Date.now, random: randomBytes })
    const read = readInviteText(inviteText({ url, fingerprint, as, eventId: 'test-fair', ...minted }))
    assert.ok(read)
    return read
  }
  const environment = {
    ...nats,
    GATEHOUSE_HOST: '127.0.0.1',
    GATEHOUSE_PUBLIC_HOST: '127.0.0.1',
    GATEHOUSE_MDNS: '0',
    ...folderOf('second'),
    ...(await ownPorts()),
    ...(await meshPorts()),
    ...more,
  }
  await joinFromSettings(readConfig(environment), await invite(as), 'South')
  const second = stack.use(await World.open({ environment: { ...environment, GATEHOUSE_HTTP_PORT: '0' } }))

  const opened = stack.move()
  return { first, second, invite, folderOf, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
