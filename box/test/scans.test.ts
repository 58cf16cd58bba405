/** `POST /v1/scans`: many at once are decided as they would be one by one, in their order, and once. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ScansRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import fc from 'fast-check'
import { type TestDevice, World } from './world.ts'

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

describe('scans that come together', () => {
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
    const kept = ledger
      .read(0, ledger.size)
      .filter(({ kind }) => kind === 'scan')
      .map(({ fields }) => (fields as { scan_id: string }).scan_id)
    const passing = scans.filter((_, i) => 'verdict' in (answers[i] ?? assert.fail()))
    assert.deepEqual(kept, [used.scan_id, ...new Set(passing.map(({ scan_id }) => scan_id))])
  })

  it('come to the same as one after the other', async () => {
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

  it('are whole, no more than two hundred, and of people who are inside', async () => {
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

/** Times and ids are each box's own. */
function essence({ verdict, severity, tier_name, occurrence, direction, confidence, flag }: Verdict) {
  return { verdict, severity, tier_name, occurrence, direction, confidence, flagged: flag !== undefined }
}
