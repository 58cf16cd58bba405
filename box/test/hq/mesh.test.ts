/** Connected boxes each publish what they have replicated: HQ counts it once. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../world/until.ts'
import { event, Sender } from './sender.ts'
import { HqWorld } from './world.ts'

let world: HqWorld
before(async () => {
  world = await HqWorld.start()
})
after(() => world[Symbol.asyncDispose]())

const AT = '1783166400000'
const clock = (n: number) => `178316640000${n}.000000`
const ticket = (id: number, ref: string) => ({ id: String(id), ref, tier: 'once', status: 'valid' })
const passage = (id: number, more: { scan_id: string; hlc: string; entry: string; surplus: string }) => ({
  ticket: String(id),
  slot: 'arena',
  direction: 'in',
  checkpoint: 'a-in',
  to_zone: 'arena',
  at: AT,
  provisional: '1',
  occurrence: '1',
  ...more,
})
const heard = (idx: number, box: string) => ({
  idx: String(idx),
  hlc: clock(9),
  kind: 'heard',
  bytes: `{"again":[],"box":"${box}","from":0,"index":${idx},"kind":"heard","to":1}`,
})

describe('two boxes that hear each other', () => {
  it('are counted once, also when only one of them reaches HQ', async () => {
    using north = await Sender.open(world, 'box-north')
    using south = await Sender.open(world, 'box-south')
    const put = async (sender: Sender, rows: readonly [string, object][]) => {
      const events = rows.map(([table, after], i) => event({ sequence: 1 + i }, table, { after }))
      await until(async () => (await sender.send(events)) === 'ok')
    }
    const [own, other] = [
      { scan_id: 's-north', hlc: clock(1) },
      { scan_id: 's-south', hlc: clock(2) },
    ]
    const third = { scan_id: 's-third', hlc: clock(3), entry: '8', surplus: '0' }
    const flag = (scans: string[], resolution: string | null) => ({
      id: 'f',
      kind: 'double_use',
      ticket_ref: 'ref-1',
      occurrence: '2',
      detected_at: AT,
      scan_ids: JSON.stringify(scans),
      resolution,
      resolved_at: resolution && AT,
    })
    const done = { incident: 'i', actor: 'Rui', at: AT }
    await put(north, [
      ['tickets', ticket(1, 'ref-1')],
      ['tickets', ticket(2, 'ref-2')],
      ['journal', heard(7, 'box-south')],
      ['journal', heard(8, 'box-unconnected')],
      ['movements', passage(1, { ...own, entry: '3', surplus: '0' })],
      ['movements', passage(1, { ...other, entry: '7', surplus: '1' })],
      ['movements', passage(2, third)],
      ['flags', flag(['s-north', 's-south'], null)],
      // An action on it may arrive before it.
      ['incident_actions', { ...done, version: '2', action: 'acknowledge', hlc: clock(4) }],
      ['incident_actions', { ...done, version: '3', action: 'assign', hlc: clock(5) }],
      ['incident_actions', { ...done, version: '4', action: 'assign', hlc: clock(6) }],
      ['incidents', { id: 'i', kind: 'medical', state: 'assigned', version: '4' }],
    ])
    await put(south, [
      ['tickets', ticket(5, 'ref-1')],
      ['journal', heard(4, 'box-north')],
      ['movements', passage(5, { ...other, entry: '2', surplus: '0' })],
      ['movements', passage(5, { ...own, entry: '4', surplus: '1' })],
      ['flags', flag(['s-north', 's-south', 's-x'], 'fraud')],
      ['incident_actions', { ...done, version: '2', action: 'acknowledge', hlc: clock(4) }],
      ['incident_actions', { ...done, version: '3', action: 'resolve', hlc: clock(7) }],
      ['incidents', { id: 'i', kind: 'medical', state: 'resolved', version: '3' }],
    ])
    const passages = await world.query(
      `SELECT box, scan_id FROM gatehouse.passages WHERE checkpoint = 'a-in' AND scan_id LIKE 's-%' ORDER BY scan_id`,
      [],
    )
    assert.deepEqual(passages, [
      { box: 'box-north', scan_id: 's-north' },
      { box: 'box-south', scan_id: 's-south' },
      { box: 'box-unconnected', scan_id: 's-third' },
    ])
    assert.equal(await world.count(`SELECT people FROM gatehouse.inside_by_zone WHERE zone = 'arena'`), 2)
    const doubles = await world.query(
      'SELECT first_box, second_box, first_scan_id, second_scan_id FROM gatehouse.double_use_between_boxes',
      [],
    )
    assert.deepEqual(doubles, [
      { first_box: 'box-north', second_box: 'box-south', first_scan_id: 's-north', second_scan_id: 's-south' },
    ])
    assert.deepEqual(await world.query('SELECT id, resolution, told_by FROM gatehouse.event_flags', []), [
      { id: 'f', resolution: 'fraud', told_by: 'box-south' },
    ])
    assert.deepEqual(await world.query('SELECT id, state, told_by FROM gatehouse.event_incidents', []), [
      { id: 'i', state: 'resolved', told_by: 'box-south' },
    ])
    const actions = await world.query('SELECT action, told_by FROM gatehouse.event_incident_actions ORDER BY hlc', [])
    assert.deepEqual(actions, [
      { action: 'acknowledge', told_by: 'box-north' },
      { action: 'assign', told_by: 'box-north' },
      { action: 'assign', told_by: 'box-north' },
      { action: 'resolve', told_by: 'box-south' },
    ])
  })
})
