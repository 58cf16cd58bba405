/** `POST /v1/scans`: many scans are decided as they would be one by one, in their order, and once. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ScansRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import fc from 'fast-check'
import { eq } from '../../src/drizzle/core.ts'
import { movements, tickets } from '../../src/ledger/schema.ts'
import type { TestDevice } from '../world/device.ts'
import { World } from '../world/world.ts'

const FAST = { GATEHOUSE_SCANS_PER_SECOND: '10000', GATEHOUSE_SCAN_BURST: '100000' }
type Scan = ScansRequest['scans'][number]

function admitted(world: World, code: string, more: Partial<Scan> = {}): Scan {
  return { ...world.scanOf(code), ...more, offline_admitted: true }
}

const said = (each: object) => ('verdict' in each ? each.verdict : 'code' in each ? each.code : assert.fail())

async function send(device: TestDevice, scans: Scan[]) {
  const { data, error } = await device.client.POST('/v1/scans', { body: { scans } })
  return data?.verdicts ?? assert.fail(error?.message)
}

describe('scans in one request', () => {
  it('are answered in their order, each with its own verdict or refusal, and again the same', async () => {
    await using world = await World.open({ environment: FAST })
    const device = await world.device(['a-in', 'a-out', 'v-in'])
    const used = world.scanOf('DAILY-1')
    await device.client.POST('/v1/scan', { body: used })
    const first = admitted(world, 'ONCE-1')
    const scans = [
      first,
      admitted(world, 'ONCE-1'),
      admitted(world, 'NOBODY'),
      admitted(world, 'ONCE-2', { checkpoint: 'b-in' }),
      admitted(world, 'ONCE-2', { checkpoint: 'nowhere' }),
      admitted(world, 'ONCE-2', { scan_id: used.scan_id }),
      admitted(world, '€'.repeat(400)),
      admitted(world, 'VIP-1'),
      first,
      admitted(world, 'ONCE-2'),
    ]
    const expected = ['ADMIT', 'ALREADY_USED', 'UNKNOWN', 'not_allowed', 'not_found', 'scan_id_reused', 'bad_request']
    const answers = await send(device, scans)
    assert.deepEqual(answers.map(said), [...expected, 'REDIRECT', 'ADMIT', 'ADMIT'])
    assert.deepEqual(
      answers.map((each) => each.scan_id),
      scans.map(({ scan_id }) => scan_id),
    )
    assert.deepEqual(answers[8], answers[0])
    assert.deepEqual(await send(device, scans), answers)
    const { ledger } = world.box
    const kept = ledger.read(0, ledger.size).flatMap(({ kind, fields }) => (kind === 'scan' ? [fields.scan_id] : []))
    const passing = scans.filter((_, i) => 'verdict' in (answers[i] ?? assert.fail()))
    assert.deepEqual(kept, [used.scan_id, ...new Set(passing.map(({ scan_id }) => scan_id))])
  })

  it('have the same result as one after the other', async () => {
    await using together = await World.open({ environment: FAST })
    await using single = await World.open({ environment: FAST })
    const [batch, one] = await Promise.all([together.device(), single.device()])
    const code = fc.constantFrom('ONCE-1', 'ONCE-2', 'DAILY-1', 'FLEX-1', 'CREW-1', 'VIP-1', 'REVOKED-1', 'NOBODY')
    const checkpoint = fc.constantFrom('a-in', 'a-out', 'b-in', 'v-in', 'nowhere')
    const scan = fc.record({ code, checkpoint })
    await fc.assert(
      fc.asyncProperty(fc.array(scan, { minLength: 1, maxLength: 30 }), async (some) => {
        const scans = some.map(({ code, checkpoint }) => admitted(together, code, { checkpoint }))
        const verdicts = await send(batch, scans)
        for (const [i, body] of scans.entries()) {
          const { data, error } = await one.client.POST('/v1/scan', { body })
          const each = verdicts[i] ?? assert.fail()
          if (!data) assert.deepEqual(each, { scan_id: body.scan_id, ...error })
          else assert.deepEqual(essence(each as Verdict), essence(data))
        }
      }),
      { numRuns: 15 },
    )
  })

  it('of a ticket with a thousand passages wait in their places, in their order, and hold up no other ticket', async () => {
    await using world = await World.open({ environment: FAST })
    const device = await world.device()
    world.holdRates()
    havePassages(world, 'CREW-1', 1_000)
    const crew = Array.from({ length: 60 }, () => admitted(world, 'CREW-1'))
    const [first, second] = [admitted(world, 'ONCE-1'), admitted(world, 'ONCE-2')]
    const scans = [first, ...crew, second]
    const ask = async (query: object) =>
      (await device.client.POST('/v1/scans', { params: { query }, body: { scans } })) as {
        data?: { verdicts: object[] }
        error?: { code: string }
      }
    const each = (await ask({ waits: 'each' })).data?.verdicts ?? assert.fail()
    assert.deepEqual([said(each[0] ?? {}), said(each[61] ?? {})], ['ADMIT', 'ADMIT'])
    const ofCrew = each.slice(1, 61).map(said)
    const taken = ofCrew.indexOf('rate_limited')
    // The burst, and what is added while the upload is written.
    assert.ok(taken >= 20, `${taken}`)
    assert.deepEqual(new Set(ofCrew.slice(0, taken)), new Set(['ADMIT']))
    assert.deepEqual(new Set(ofCrew.slice(taken)), new Set(['rate_limited']))
    const waits = each[61 - 1] as { scan_id: string; retry_after_seconds: number }
    assert.equal(waits.scan_id, crew.at(-1)?.scan_id)
    assert.ok(waits.retry_after_seconds >= 1)
    const known = ({ scan_id }: Scan) =>
      world.box.ledger
        .read(0, world.box.ledger.size)
        .some(({ fields }) => 'scan_id' in fields && fields.scan_id === scan_id)
    assert.deepEqual(
      crew.map(known),
      ofCrew.map((said) => said === 'ADMIT'),
    )
    // A client of version 0.1 would take the ones that wait for refused for ever: for it, the whole upload waits.
    assert.equal((await ask({})).error?.code, 'rate_limited')
  })

  it('are refused when incomplete, more than two hundred, or not offline admissions', async () => {
    await using world = await World.open({ environment: FAST })
    const device = await world.device()
    const many = (n: number) => Array.from({ length: n }, () => admitted(world, 'CREW-1'))
    assert.equal((await send(device, many(200))).length, 200)
    const waiting = { ...world.scanOf('CREW-1'), offline_admitted: false }
    const bad = [[], many(201), [...many(1), waiting], [...many(1), { ...many(1)[0], scan_id: 7 }], [null], 'scans']
    for (const scans of bad) {
      const { error, response } = await device.client.POST('/v1/scans', { body: { scans } as never })
      assert.deepEqual([response.status, error?.code], [400, 'bad_request'])
    }
    const { response } = await device.client.POST('/v1/scans', {
      body: { scans: many(1), more: 'x'.repeat(600_000) } as never,
    })
    assert.equal(response.status, 413)
  })
})

/** Gives a ticket so many passages, each by a right of its own. */
function havePassages(world: World, code: string, many: number): void {
  const { drizzle } = world.box.ledger.db
  const row = drizzle.select({ id: tickets.id }).from(tickets).where(eq(tickets.code, code)).get() ?? assert.fail()
  const hlc = '0000000000001.000000'
  const past = { ticket: row.id, direction: 'in', checkpoint: 'a-in', from: null, to: 'x', at: 1, hlc } as const
  for (let n = 0; n < many; n++) {
    const slot = `x/${n}`
    const passage = { ...past, slot, surplus: 0, occurrence: n, scanId: slot, provisional: false, entry: 0 }
    drizzle.insert(movements).values(passage).run()
  }
}

/** Times and ids are each box's own. */
function essence({ verdict, severity, tier_name, occurrence, direction, confidence, flag }: Verdict) {
  return { verdict, severity, tier_name, occurrence, direction, confidence, flagged: flag !== undefined }
}
