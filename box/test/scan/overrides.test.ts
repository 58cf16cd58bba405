/** Supervisor admissions and undos on the wire: permissions, events on streams, and the ledger afterwards. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Redemption } from '@gatehouse/proto/wire/device.ts'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import { audit } from '../ledger/crash-audit.ts'
import type { TestDevice } from '../world/device.ts'
import { StreamReader } from '../world/stream-reader.ts'

import { World } from '../world/world.ts'

const why = { actor: 'Ana', reason: 'wristband shown' }
const isRedemption = ({ event }: { event: string }) => event === 'redemption'
const FAST = { GATEHOUSE_SCANS_PER_SECOND: '10000', GATEHOUSE_SCAN_BURST: '100000' }

const admit = ({ client }: TestDevice, scan_id: string) =>
  client.POST('/v1/scan/{scan_id}/admit', { params: { path: { scan_id } }, body: why })
const undo = ({ client }: TestDevice, scan_id: string) =>
  client.POST('/v1/scan/{scan_id}/undo', { params: { path: { scan_id } }, body: why })

describe('a supervisor at a gate', () => {
  it('has an invite that says so, and every scanner receives what was done', async () => {
    await using world = await World.open()
    const [gate, supervisor, admin] = await Promise.all([world.device(), world.supervisor(), world.admin()])
    const { data: roster } = await admin.GET('/v1/admin/devices')
    const rights = new Map(roster?.devices.map((device) => [device.device_id, device.supervisor]))
    assert.deepEqual([rights.get(gate.paired.id), rights.get(supervisor.paired.id)], [false, true])

    await using atGate = new StreamReader(world, gate)
    await using atSupervisor = new StreamReader(world, supervisor)
    const admitted = await gate.scan('ONCE-1')
    await atSupervisor.event(({ data }) => data.hlc === admitted.hlc)
    const refused = await gate.scan('ONCE-1')
    assert.equal(refused.verdict, 'ALREADY_USED')

    const { error } = await admit(gate, refused.scan_id)
    assert.deepEqual([error?.code, error?.message.includes('supervisor')], ['not_allowed', true])
    // The same over a signed request, as a browser sends it.
    const params = { path: { scan_id: refused.scan_id } }
    const { data: verdict } = await supervisor.signed.POST('/v1/scan/{scan_id}/admit', { params, body: why })
    assert.deepEqual([verdict?.verdict, verdict?.supervised, verdict?.occurrence], ['ADMIT', true, 2])
    const received = async (reader: StreamReader, hlc: string | undefined) => {
      const { data } = await reader.event((event) => isRedemption(event) && event.data.hlc === hlc)
      const { used, occurrence, zone, code_hashes } = data as Redemption
      return { used, occurrence, zone, codes: code_hashes.length }
    }
    const used = { used: true, occurrence: 2, zone: 'arena', codes: 2 }
    assert.deepEqual(await received(atGate, verdict?.hlc), used)
    assert.deepEqual(await received(atSupervisor, verdict?.hlc), used)

    assert.equal((await undo(gate, refused.scan_id)).error?.code, 'not_allowed')
    const { data: undone } = await undo(supervisor, refused.scan_id)
    assert.deepEqual([undone?.undone, undone?.occurrence], [true, 1])
    assert.deepEqual(
      await received(atGate, undone?.hlc),
      { ...used, occurrence: 1 },
      'the first admission still stands',
    )
    const { data: first } = await undo(gate, admitted.scan_id)
    assert.deepEqual(await received(atSupervisor, first?.hlc), { ...used, used: false, occurrence: 0 })
    assert.equal((await gate.scan('ONCE-1')).occurrence, 1)
  })

  it('needs a device that is in service, an actor and a reason', async () => {
    await using world = await World.open()
    const [supervisor, admin] = await Promise.all([world.supervisor(), world.admin()])
    const { scan_id } = await supervisor.scan('PENDING-1')
    const params = { path: { scan_id } }
    for (const body of [{ actor: 'Ana' }, { reason: 'r' }, { actor: '', reason: 'r' }, { ...why, more: 1 }]) {
      const { error } = await supervisor.client.POST('/v1/scan/{scan_id}/admit', { params, body: body as typeof why })
      assert.equal(error?.code, 'bad_request')
    }
    const id = { params: { path: { id: supervisor.paired.id } } }
    await admin.POST('/v1/admin/devices/{id}/revoke', { ...id, body: why })
    for (const client of [supervisor.client, supervisor.signed]) {
      for (const what of ['admit', 'undo'] as const) {
        const { error } = await client.POST(`/v1/scan/{scan_id}/${what}`, { params, body: why })
        assert.equal(error?.code, 'device_revoked')
      }
    }
  })

  it('acting at the same time as others leaves a ledger in which every passage is explained', async () => {
    const codes = Array.from({ length: 12 }, (_, i) => `T-${i}`)
    const tiers = ['once', 'daily', 'reentry', 'crew']
    const tickets = codes.map((code, i) => `${code},${tiers[i % 4]},,,,,,valid`)
    await using world = await World.open({ environment: FAST, tickets })
    const devices = await Promise.all([world.supervisor(), world.supervisor(), world.device()])
    const seen: string[] = []
    const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T
    const codesSeen = new Set<string>()
    const step = async () => {
      const device = pick(devices)
      const dice = Math.random()
      if (dice < 0.6 || seen.length === 0) {
        const checkpoint = pick(['a-in', 'a-in', 'b-in', 'v-in', 'a-out'])
        const verdict: Verdict = await device.scan(pick(codes), { checkpoint, offline_admitted: Math.random() < 0.1 })
        seen.unshift(verdict.scan_id)
        return
      }
      const { error } = await (dice < 0.8 ? admit : undo)(device, pick(seen.slice(0, 8)))
      codesSeen.add(error?.code ?? 'done')
    }
    for (let i = 0; i < 120; i++) await Promise.all([step(), step(), step(), step()])
    assert.deepEqual([...codesSeen].sort(), ['conflict', 'done', 'not_allowed'])
    const kinds = world.box.ledger.read(0, 10_000).map(({ kind }) => kind)
    for (const kind of ['supervisor_admit', 'undo'] as const) assert.ok(kinds.includes(kind), kind)
    await world.box[Symbol.asyncDispose]()
    const data = join(world.folder, 'data')
    audit(data)
  })
})
