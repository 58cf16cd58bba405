/** Issue 2, "what must be seen", 4: a ticket that is shown at every gate at the same moment lets one person in. */
import 'reflect-metadata'
import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { EarlierUse, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509'
import type { Static } from 'typebox'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { openAuthority } from '../../src/ca/authority.ts'
import { enroll } from '../../src/ca/enroll.ts'
import { mintInvite } from '../../src/ca/invites.ts'
import { audit } from '../ledger/crash-audit.ts'
import type { TestDevice } from '../world/device.ts'
import { World } from '../world/world.ts'

const DEVICES = 64
const ROUNDS = process.env.GATEHOUSE_TEST_LONG === '1' ? 500 : 60
const CHECKPOINTS = ['a-in', 'b-in']
const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** Devices enrolled by the box's own code, but not over HTTP: there, one address may enrol one a second. */
async function enrolMany(world: World): Promise<TestDevice[]> {
  const { event, ledger, ports, baseUrl } = world.box
  const authority = await openAuthority({
    dir: join(world.environment.GATEHOUSE_DATA_DIR ?? '', 'ca'),
    eventId: event.id,
    eventName: event.name,
    endsAt: Date.parse(event.ends_at),
    hostname: hostname(),
    now: () => world.now(),
  })
  const deviceUrl = `https://127.0.0.1:${ports.device}`
  return Promise.all(
    Array.from({ length: DEVICES }, async (_, i) => {
      const { code } = await mintInvite(
        { checkpoints: CHECKPOINTS, by: COMMAND_LINE },
        { event, ledger, now: world.now() },
      )
      const keys = await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
      const csr = await Pkcs10CertificateRequestGenerator.create({ keys, signingAlgorithm: P256 })
      const enrolled = await enroll(
        { invite: code, name: `scanner ${i}`, csr: csr.toString('pem') },
        { authority, event, ledger, now: () => world.now(), deviceUrl: () => deviceUrl },
      )
      const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
      return world.deviceOf({
        id: enrolled.device_id,
        key: `-----BEGIN PRIVATE KEY-----\n${pkcs8.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
        certificate: enrolled.certificate,
        ca: enrolled.ca_certificate,
        token: enrolled.token,
        deviceUrl,
        baseUrl,
        checkpoints: CHECKPOINTS,
      })
    }),
  )
}

describe(`${DEVICES} scanners at once`, () => {
  let world: World
  let devices: TestDevice[]
  before(async () => {
    const once = Array.from({ length: ROUNDS }, (_, i) => `race-${i},once,,,,,,valid`)
    world = await World.open({
      tickets: [
        ...once,
        'same,once,,,,,,valid',
        'pass,daily,,,,,,valid',
        'flex,reentry,,,,,,valid',
        'crew,crew,,,,,,valid',
      ],
      environment: { GATEHOUSE_SCANS_PER_SECOND: '1000000', GATEHOUSE_SCAN_BURST: '1000000' },
    })
    devices = await enrolMany(world)
    // Connections are made before the race: it is about tickets, not about handshakes.
    await Promise.all(devices.map((device) => device.scan('nobody')))
  })
  after(() => world[Symbol.asyncDispose]())

  const everywhere = (payload: string) =>
    Promise.all(devices.map((device, i) => device.scan(payload, { checkpoint: CHECKPOINTS[i % 2] ?? '' })))

  function assertOneWinner(verdicts: Verdict[]): void {
    const winner = verdicts.findIndex(({ verdict }) => verdict === 'ADMIT')
    const won = verdicts[winner]
    assert.deepEqual([won?.verdict, won?.evidence, won?.confidence], ['ADMIT', null, 'confirmed'])
    for (const { verdict, severity, evidence, hlc } of verdicts.toSpliced(winner, 1)) {
      assert.deepEqual([verdict, severity], ['ALREADY_USED', 'refuse'])
      const { checkpoint, hlc: usedAt, occurrence } = evidence as Static<typeof EarlierUse>
      assert.deepEqual([checkpoint, usedAt, occurrence], [CHECKPOINTS[winner % 2], won?.hlc, won?.occurrence])
      assert.ok(hlc > usedAt)
    }
  }

  it(`admit one of them, ${ROUNDS} times over`, async (t) => {
    const started = performance.now()
    for (let round = 0; round < ROUNDS; round++) assertOneWinner(await everywhere(`race-${round}`))
    const seconds = (performance.now() - started) / 1000
    t.diagnostic(`${ROUNDS * DEVICES} scans in ${seconds.toFixed(1)} s`)
  })

  it('admit one of them a day, and one until it has left', async () => {
    assertOneWinner(await everywhere('pass'))
    assertOneWinner(await everywhere('flex'))
  })

  it('count every entry of a ticket that may enter any number of times', async () => {
    const verdicts = await everywhere('crew')
    assert.ok(verdicts.every(({ verdict }) => verdict === 'ADMIT'))
    assert.deepEqual(
      verdicts.map(({ occurrence }) => occurrence ?? 0).sort((a, b) => a - b),
      devices.map((_, i) => i + 1),
    )
  })

  it('get one answer to one scan, however often it is sent', async () => {
    const scan = world.scanOf('same')
    const [device] = devices
    const verdicts = await Promise.all(Array.from({ length: DEVICES }, () => device?.scan(scan.payload, scan)))
    for (const verdict of verdicts) assert.deepEqual(verdict, verdicts[0])
    assert.equal(verdicts[0]?.verdict, 'ADMIT')
  })

  it('leave a ledger in which each ticket has one admission', () => {
    const { admissions, refs, movements } = audit(world.environment.GATEHOUSE_DATA_DIR ?? '')
    assert.equal(refs.size, ROUNDS + 4)
    assert.equal(admissions, ROUNDS + 3 + DEVICES)
    assert.equal(movements.length, admissions)
  })
})
