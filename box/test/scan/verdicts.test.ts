/** Every verdict of the contract, from real devices against a real box. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { eventTag, keyFromSeed, signCode, slotAt } from '@gatehouse/proto/code.ts'
import type { ScanRequest, Verdict, VerdictName } from '@gatehouse/proto/wire/scan.ts'
import { eq } from '../../src/drizzle/core.ts'
import { tickets } from '../../src/ledger/schema.ts'
import type { TestDevice } from '../world/device.ts'
import { TEST_TICKETS } from '../world/event.ts'
import { World } from '../world/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const FAST = { GATEHOUSE_SCANS_PER_SECOND: '1000', GATEHOUSE_SCAN_BURST: '10000' }

const valid = (tier: string, ...codes: string[]) => codes.map((code) => `${code},${tier},,,,,,valid`)
const TICKETS = [
  ...TEST_TICKETS,
  ...valid('once', 'ONCE-3', 'ONCE-4', 'ONCE-5', 'ONCE-6', 'ONCE-7', 'ONCE-8', 'ONCE-9', 'ONCE-10', 'ONCE-11'),
  ...valid('vip', 'VIP-2'),
  ...valid('crew', 'CREW-2'),
]

function ticketOf(world: World, code: string) {
  const row = world.box.ledger.db.drizzle.select().from(tickets).where(eq(tickets.code, code)).get()
  assert.ok(row, `no ticket ${code}`)
  return row
}

/** The code on a phone with this ticket. @param age in slots @param eventId that the code is made for */
async function phoneCode(world: World, code: string, age = 0, eventId = world.box.event.id): Promise<string> {
  const key = await keyFromSeed(ticketOf(world, code).seed)
  return signCode(key, await eventTag(eventId), slotAt(world.now()) - age)
}

describe('a box with devices', () => {
  let world: World
  let device: TestDevice
  let other: TestDevice
  let gateA: TestDevice
  let fast: TestDevice
  let admin: GatehouseClient
  before(async () => {
    world = await World.open({ tickets: TICKETS, environment: FAST })
    // All of them now: once the box's clock is ahead of the machine's, TLS holds new certificates for not yet valid.
    ;[device, other, fast] = await Promise.all([world.device(), world.device(), world.device()])
    ;[gateA, admin] = await Promise.all([world.device(['a-in', 'a-out']), world.admin()])
  })
  after(() => world[Symbol.asyncDispose]())

  const post = async (scan: ScanRequest, by = device) => {
    const { data, error, response } = await by.client.POST('/v1/scan', { body: scan })
    return { status: response.status, code: error?.code, data, response }
  }
  const textOf = async (scan: ScanRequest, by = device) => {
    const { data, response } = await by.client.POST('/v1/scan', { body: scan, parseAs: 'text' })
    assert.equal(response.status, 200)
    return data
  }
  const flagOf = async (id: string | undefined) => {
    const { data } = await admin.GET('/v1/admin/flags')
    return data?.flags.find((flag) => flag.id === id)
  }

  it('admits a ticket once, and names the gate and the age of the first use', async () => {
    const first = await device.scan('ONCE-1')
    assert.equal(first.verdict, 'ADMIT')
    assert.deepEqual(
      { tier: first.tier_name, colour: first.tier_colour, seat: first.seat_label, occurrence: first.occurrence },
      { tier: 'Day ticket', colour: '#2F80ED', seat: 'Row 1, seat 2', occurrence: 1 },
    )
    world.offsetMs += 61_000
    const second = await device.scan('ONCE-1', { checkpoint: 'b-in' })
    assert.equal(second.verdict, 'ALREADY_USED')
    const evidence = second.evidence as { checkpoint: string; seconds_ago: number; hlc: string }
    assert.equal(evidence.checkpoint, 'a-in')
    assert.equal(evidence.hlc, first.hlc)
    assert.ok(evidence.seconds_ago >= 61 && evidence.seconds_ago < 65)
    assert.match(second.reason, /^Used at Gate A \(A entry\) 1 minute ago\.$/)
    assert.ok(!/Ana|Reis|mail/.test(JSON.stringify([first, second])), 'a verdict names nobody')
  })

  type Script = [code: string, checkpoint: string, verdict: VerdictName, beforehandMs?: number][]
  const policies: Record<string, Script> = {
    'once into each zone': [
      ['VIP-1', 'a-in', 'REDIRECT'],
      ['VIP-1', 'b-in', 'ADMIT'],
      ['VIP-1', 'v-in', 'ADMIT'],
      ['VIP-1', 'v-out', 'EXIT'],
      ['VIP-1', 'v-in', 'ALREADY_USED'],
      ['VIP-1', 'a-out', 'EXIT'],
      ['VIP-1', 'b-in', 'ALREADY_USED', 24 * HOUR],
    ],
    'once a festival day': [
      ['DAILY-1', 'a-in', 'ADMIT'],
      ['DAILY-1', 'a-out', 'EXIT'],
      ['DAILY-1', 'b-in', 'ALREADY_USED'],
      ['DAILY-1', 'b-in', 'ADMIT', 24 * HOUR],
      ['DAILY-1', 'a-in', 'ALREADY_USED'],
    ],
    'again after an exit': [
      ['FLEX-1', 'a-in', 'ADMIT'],
      ['FLEX-1', 'b-in', 'ALREADY_USED', 24 * HOUR],
      ['FLEX-1', 'a-out', 'EXIT'],
      ['FLEX-1', 'b-in', 'ADMIT'],
      ['FLEX-1', 'a-in', 'ALREADY_USED'],
    ],
    'as often as anyone likes': [
      ['CREW-1', 'a-in', 'ADMIT'],
      ['CREW-1', 'a-in', 'ADMIT'],
      ['CREW-1', 'v-in', 'ADMIT'],
    ],
  }
  for (const [policy, script] of Object.entries(policies)) {
    it(`lets people in ${policy}`, async () => {
      for (const [i, [code, checkpoint, verdict, beforehandMs = 0]] of script.entries()) {
        world.offsetMs += beforehandMs
        const answer = await (i % 2 === 0 ? device : other).scan(code, { checkpoint })
        assert.equal(answer.verdict, verdict, `step ${i + 1}: ${code} at ${checkpoint}`)
        assert.equal(answer.direction, checkpoint.endsWith('-out') ? 'out' : 'in')
      }
    })
  }

  const refusals: [code: string, checkpoint: string, Partial<Verdict>][] = [
    [
      'PENDING-1',
      'a-in',
      { verdict: 'NOT_PAID', severity: 'refuse', evidence: { detail: 'not paid', code: 'not_paid' } },
    ],
    [
      'BLOCKED-1',
      'a-in',
      { verdict: 'BLOCKED', severity: 'refuse', evidence: { detail: 'blocked by the organiser', code: 'blocked' } },
    ],
    [
      'REVOKED-1',
      'a-in',
      {
        verdict: 'REVOKED',
        severity: 'refuse',
        evidence: { revoked_at: null, revoked_reason: 'revoked by the organiser', code: 'cancelled_by_organiser' },
      },
    ],
    [
      'FUTURE-1',
      'a-in',
      {
        verdict: 'NOT_VALID_NOW',
        severity: 'refuse',
        reason: 'Not valid yet: valid from Wed, 2 Jul 2036, 10:00.',
        evidence: {
          valid_from: '2036-07-02T09:00:00.000Z',
          valid_until: '2036-07-02T21:00:00.000Z',
          of: 'ticket',
          time_zone: 'Europe/Lisbon',
        },
      },
    ],
    ['PAST-1', 'a-in', { verdict: 'NOT_VALID_NOW', reason: 'Expired 2 July 2020.' }],
    [
      'ONCE-2',
      'late-in',
      {
        verdict: 'NOT_VALID_NOW',
        reason: 'This gate opens Tue, 1 Jul 2036, 10:00.',
        evidence: { valid_from: '2036-07-01T09:00:00.000Z', valid_until: null, of: 'gate', time_zone: 'Europe/Lisbon' },
      },
    ],
    [
      'VIP-2',
      'a-in',
      {
        verdict: 'REDIRECT',
        severity: 'redirect',
        reason: 'Not at A entry: send to Gate B (B entry).',
        evidence: { checkpoint: 'b-in', checkpoint_name: 'B entry', gate_name: 'Gate B', walking_seconds: null },
      },
    ],
    ['PHONE-1', 'a-in', { verdict: 'BLOCKED', severity: 'refuse' }],
    [
      'NOBODY',
      'a-in',
      { verdict: 'UNKNOWN', severity: 'refuse', evidence: null, tier_name: null, seat_label: null, occurrence: null },
    ],
  ]
  for (const [code, checkpoint, expected] of refusals) {
    it(`refuses ${code} at ${checkpoint} as ${expected.verdict}, over both ways in, and counts nothing`, async () => {
      for (const client of [device.client, device.signed]) {
        const { data } = await client.POST('/v1/scan', { body: world.scanOf(code, { checkpoint }) })
        assert.ok(data)
        assert.deepEqual({ ...data, ...expected }, data)
        assert.equal(data.occurrence, expected.verdict === 'UNKNOWN' ? null : 0)
      }
    })
  }

  it('allows every exit', async () => {
    for (const code of ['PENDING-1', 'BLOCKED-1', 'REVOKED-1', 'PAST-1', 'FUTURE-1', 'PHONE-1', 'ONCE-2']) {
      const { verdict, severity, reason } = await device.scan(code, { checkpoint: 'a-out' })
      assert.deepEqual(
        { verdict, severity, reason },
        { verdict: 'EXIT', severity: 'admit', reason: 'Exit recorded. Goodbye.' },
      )
    }
    const stale = await phoneCode(world, 'ONCE-2', 100)
    assert.equal((await device.scan(stale, { checkpoint: 'a-out' })).verdict, 'EXIT')
    assert.equal((await device.scan('NOBODY', { checkpoint: 'a-out' })).verdict, 'UNKNOWN')
  })

  it('reads the codes of phones: fresh, stale, from the future, of another event, by another key', async () => {
    const stale = await device.scan(await phoneCode(world, 'PHONE-1', 4))
    assert.deepEqual(
      [stale.verdict, stale.severity, stale.evidence],
      ['STALE_CODE', 'retry', { code_age_seconds: 60, phone_clock: false }],
    )
    assert.match(stale.reason, /^This code is 1 minute old/)
    const early = await device.scan(await phoneCode(world, 'PHONE-1', -20))
    assert.deepEqual([early.verdict, early.evidence], ['STALE_CODE', { code_age_seconds: -300, phone_clock: true }])
    assert.match(early.reason, /^That phone's clock is 5 minutes ahead/)
    assert.equal((await device.scan(await phoneCode(world, 'PHONE-1', 0, 'another-event'))).verdict, 'UNKNOWN')
    const stranger = await signCode(
      await keyFromSeed(new Uint8Array(32)),
      await eventTag('test-fair'),
      slotAt(world.now()),
    )
    assert.equal((await device.scan(stranger)).verdict, 'UNKNOWN')
    const { publicKey } = ticketOf(world, 'PHONE-1')
    for (const encoding of ['latin1', 'base64', 'hex'] as const) {
      assert.equal((await device.scan(publicKey.toString(encoding))).verdict, 'UNKNOWN')
    }
    const first = await phoneCode(world, 'PHONE-1', 1)
    assert.equal((await device.scan(first)).verdict, 'ADMIT')
    assert.equal((await other.scan(first)).verdict, 'ALREADY_USED', 'a photograph of it')
  })

  it('takes a ticket by its printed code and by its phone for the same one', async () => {
    assert.equal((await device.scan('ONCE-3')).verdict, 'ADMIT')
    assert.equal((await device.scan(await phoneCode(world, 'ONCE-3'))).verdict, 'ALREADY_USED')
  })

  it('gives provisional verdicts while an admin has set DEGRADED', async () => {
    const set = (mode: 'STRICT' | 'DEGRADED') =>
      admin.PUT('/v1/admin/mode', { body: { mode, actor: 'Rui', reason: 'radio is down' } })
    assert.deepEqual((await set('DEGRADED')).data, { mode: 'DEGRADED' })
    assert.equal((await admin.GET('/v1/meta')).data?.mode, 'DEGRADED')
    const first = await device.scan('ONCE-4')
    assert.deepEqual([first.verdict, first.confidence], ['ADMIT', 'provisional'])
    assert.equal((await device.scan('ONCE-4')).confidence, 'provisional')
    await set('STRICT')
    assert.equal((await device.scan('ONCE-4')).confidence, 'confirmed')
  })

  it('refuses a payload of more than 1 KiB, counted in bytes', async () => {
    for (const [payload, status] of [
      ['x'.repeat(1024), 200],
      ['é'.repeat(512), 200],
      ['x'.repeat(1025), 400],
      [`${'é'.repeat(512)}x`, 400],
      ['\u{1F3AB}'.repeat(257), 400],
      ['', 400],
    ] as const) {
      const answer = await post(world.scanOf(payload))
      assert.equal(answer.status, status, `${payload.length} characters`)
      if (status === 400) assert.equal(answer.code, 'bad_request')
    }
  })

  it('refuses unknown checkpoints, and devices where they may not scan', async () => {
    const at = async (checkpoint: string) => {
      const { status, code } = await post(world.scanOf('ONCE-5', { checkpoint }), gateA)
      return [status, code]
    }
    assert.deepEqual(await at('z-in'), [404, 'not_found'])
    assert.deepEqual(await at('b-in'), [403, 'not_allowed'])
    assert.deepEqual(await at('a-in'), [200, undefined])
  })

  it('repeats its first answer to a scan id, byte for byte, and refuses another scan under it', async () => {
    const scan = world.scanOf('ONCE-6')
    const first = await textOf(scan)
    world.offsetMs += MINUTE
    for (const same of [
      scan,
      { ...scan, device_hlc: '5.5' },
      { ...scan, offline_admitted: true },
      { ...scan, observed_at: new Date(world.now()).toISOString() },
    ]) {
      assert.equal(await textOf(same), first)
    }
    for (const another of [{ payload: 'ONCE-7' }, { checkpoint: 'b-in' }]) {
      const { status, code } = await post({ ...scan, ...another })
      assert.deepEqual([status, code], [409, 'scan_id_reused'])
    }
    const { status, code } = await post(scan, other)
    assert.deepEqual([status, code], [409, 'scan_id_reused'])
    assert.equal((await device.scan('ONCE-7')).verdict, 'ADMIT')
  })

  it('opens one case for all offline entries on one right, with every record', async () => {
    const ago = (minutes: number) => new Date(world.now() - minutes * MINUTE).toISOString()
    const alone = (minutes: number, checkpoint = 'a-in') => ({
      offline_admitted: true,
      observed_at: ago(minutes),
      checkpoint,
    })
    const online = world.scanOf('ONCE-8')
    await post(online)
    const second = world.scanOf('ONCE-8', alone(30.5, 'b-in'))
    const secondAnswer = (await post(second, other)).data as Verdict
    assert.deepEqual(
      [secondAnswer.verdict, secondAnswer.severity, secondAnswer.confidence, secondAnswer.occurrence],
      ['ALREADY_USED', 'admit', 'provisional', 2],
    )
    assert.equal(secondAnswer.reason, 'Used at Gate A (A entry) 30 minutes later.')

    const double = await flagOf(secondAnswer.flag)
    assert.equal(double?.kind, 'double_use')
    assert.equal(double?.ticket_ref, ticketOf(world, 'ONCE-8').ref)
    assert.deepEqual(
      double?.records.map(({ scan_id, device: by, checkpoint, offline_admitted, verdict, observed_at }) => {
        return [scan_id, by, checkpoint, offline_admitted, verdict, observed_at]
      }),
      [
        [online.scan_id, device.paired.id, 'a-in', false, 'ADMIT', online.observed_at],
        [second.scan_id, other.paired.id, 'b-in', true, 'ALREADY_USED', second.observed_at],
      ],
    )
    const third = world.scanOf('ONCE-8', alone(10))
    assert.equal(((await post(third)).data as Verdict).flag, secondAnswer.flag)
    const triple = await flagOf(secondAnswer.flag)
    assert.deepEqual(
      triple?.records.map((record) => record.scan_id),
      [online.scan_id, second.scan_id, third.scan_id],
    )
    assert.equal(triple?.occurrence, 3)
    assert.equal(triple?.detected_at, double?.detected_at)
    // A refusal without an offline admission is not a case.
    assert.equal((await device.scan('ONCE-8')).flag, undefined)
  })

  it('opens a flag of the right kind for each offline admission that it would have refused', async () => {
    const alone = { offline_admitted: true }
    const kinds: Record<string, string> = {
      'REVOKED-1': 'revoked_admission',
      'PENDING-1': 'refused_admission',
      'BLOCKED-1': 'refused_admission',
      'PAST-1': 'refused_admission',
      'VIP-2': 'refused_admission',
      NOBODY: 'unknown_admission',
    }
    for (const [code, kind] of Object.entries(kinds)) {
      const { severity, flag } = await device.scan(code, alone)
      assert.equal(severity, 'admit')
      assert.equal((await flagOf(flag))?.kind, kind, code)
    }
    const query = { kind: ['revoked_admission' as const, 'unknown_admission' as const] }
    const { data } = await admin.GET('/v1/admin/flags', { params: { query } })
    assert.deepEqual([...new Set(data?.flags.map(({ kind }) => kind))].sort(), query.kind)
    // A person who was admitted at the wrong gate is inside, and the ticket is used.
    assert.equal((await device.scan('VIP-2', { checkpoint: 'b-in' })).verdict, 'ALREADY_USED')
    assert.equal((await device.scan('ONCE-9', alone)).flag, undefined)
    assert.equal((await device.scan('ONCE-9', { ...alone, checkpoint: 'a-out' })).flag, undefined)
  })

  it('records a person as inside whom it refused, when the scanner reports an offline admission under the same id', async () => {
    const scan = world.scanOf('ONCE-8')
    const refused = await textOf(scan)
    assert.equal((JSON.parse(refused ?? '') as Verdict).severity, 'refuse')
    const letIn = await textOf({ ...scan, offline_admitted: true })
    const { severity, flag } = JSON.parse(letIn ?? '') as Verdict
    assert.equal(severity, 'admit')
    const records = (await flagOf(flag))?.records ?? []
    assert.deepEqual(
      records.filter((record) => record.scan_id === scan.scan_id).map((record) => record.offline_admitted),
      [true],
    )
    assert.equal(await textOf(scan), letIn, 'from now on this is the answer')
  })

  it('flags a device whose clock runs more than a minute ahead, once, and does not follow it', async () => {
    const ahead = () => ({ device_hlc: `${Math.round(world.now()) + 61_000}.000001` })
    for (let i = 0; i < 3; i++) {
      const { hlc } = await fast.scan('ONCE-10', ahead())
      assert.ok(Number(hlc.slice(0, 13)) < world.now() + 60_000)
    }
    const { data } = await admin.GET('/v1/admin/flags')
    const skewed = data?.flags.filter(({ kind, records }) => {
      return kind === 'clock_skew' && records.some((record) => record.device === fast.paired.id)
    })
    assert.equal(skewed?.length, 1)
    assert.equal(skewed?.[0]?.records.length, 1)
    assert.equal(skewed?.[0]?.ticket_ref, null)
  })

  it('revokes a ticket by its reference, its code or its id, and keeps the first reason', async () => {
    const revoke = (id: string, reason: string) =>
      admin.POST('/v1/admin/tickets/{id}/revoke', { params: { path: { id } }, body: { actor: 'Rui', reason } })
    const byCode = await revoke('ONCE-11', 'charged back')
    const { ref, capability } = ticketOf(world, 'ONCE-11')
    assert.deepEqual([byCode.data?.id, byCode.data?.revoked_reason], [ref, 'charged back'])
    world.offsetMs += MINUTE
    for (const id of [ref, capability]) assert.deepEqual((await revoke(id, 'stolen')).data, byCode.data)
    const { verdict, reason, evidence } = await device.scan('ONCE-11')
    assert.deepEqual([verdict, reason], ['REVOKED', 'Cancelled: charged back. Send to the ticket desk.'])
    assert.deepEqual(evidence, { revoked_at: byCode.data?.revoked_at, revoked_reason: 'charged back' })
    assert.equal((await revoke('ONCE-12', 'x')).error?.code, 'not_found')
    assert.equal((await device.scan('ONCE-11', { checkpoint: 'a-out' })).verdict, 'EXIT')
  })

  it('repeats every answer after a restart', async () => {
    const scans = ['ONCE-5', 'CREW-2', 'NOBODY', 'PENDING-1'].map((code) => world.scanOf(code))
    const answers: string[] = []
    for (const scan of scans) answers.push((await textOf(scan)) ?? '')
    const { data: flags } = await admin.GET('/v1/admin/flags')
    await world.restart()
    const again = world.deviceOf(device.paired)
    for (const [i, scan] of scans.entries()) assert.equal(await textOf(scan, again), answers[i])
    assert.equal((await again.scan('ONCE-1')).verdict, 'ALREADY_USED')
    assert.equal((await again.scan('ONCE-11')).verdict, 'REVOKED')
    assert.deepEqual((await (await world.admin()).GET('/v1/admin/flags')).data, flags)
  })
})

describe('a scanner that sends more than a person can', () => {
  it('is told when to retry, and other gates are not affected', async () => {
    await using world = await World.open({
      environment: { GATEHOUSE_SCANS_PER_SECOND: '2', GATEHOUSE_SCAN_BURST: '5' },
    })
    const [busy, calm] = await Promise.all([world.device(), world.device()])
    world.holdRates()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => busy.client.POST('/v1/scan', { body: world.scanOf('CREW-1') })),
    )
    const limited = answers.filter(({ response }) => response.status === 429)
    assert.equal(limited.length, 30 - 5, 'all but the burst')
    for (const { error, response } of limited) {
      assert.equal(error?.code, 'rate_limited')
      assert.equal(response.headers.get('retry-after'), '1')
    }
    for (let i = 0; i < 5; i++) assert.equal((await calm.scan('CREW-1')).verdict, 'ADMIT')
  })

  it('may upload offline admissions 25 times as fast, whatever it scans meanwhile', async () => {
    await using world = await World.open({
      environment: { GATEHOUSE_SCANS_PER_SECOND: '1', GATEHOUSE_SCAN_BURST: '5' },
    })
    const device = await world.device()
    const post = (offline_admitted: boolean) =>
      device.client.POST('/v1/scan', { body: world.scanOf('CREW-1', { offline_admitted }) })
    const scans = (n: number) =>
      Array.from({ length: n }, () => ({ ...world.scanOf('CREW-1'), offline_admitted: true as const }))
    const together = await device.client.POST('/v1/scans', { body: { scans: scans(100) } })
    assert.equal(together.data?.verdicts.length, 100)
    const late = await Promise.all(Array.from({ length: 300 }, () => post(true)))
    const taken = late.filter(({ response }) => response.status === 200)
    assert.ok(taken.length >= 25 && taken.length < 300, `${taken.length} of 300 were taken`)
    assert.ok(late.every(({ response }) => response.status === 200 || response.status === 429))
    assert.equal((await device.client.POST('/v1/scans', { body: { scans: scans(50) } })).response.status, 429)
    world.elapsedMs += 60_000
    // More than the burst is never there: it costs all of it.
    assert.equal((await device.client.POST('/v1/scans', { body: { scans: scans(200) } })).response.status, 200)
    assert.equal((await device.client.POST('/v1/scans', { body: { scans: scans(120) } })).response.status, 429)
    assert.equal((await post(false)).data?.verdict, 'ADMIT', 'who stands there now is not made to wait for them')
  })
})
