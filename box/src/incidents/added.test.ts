import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Incident } from '@gatehouse/proto/wire/incidents.ts'
import { Value } from 'typebox/value'
import { Control } from '../../test/world/control.ts'
import { GatehouseError } from '../errors.ts'
import { addNote, withdraw } from './added.ts'
import { board } from './board.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')

describe('a scanner that has reported', () => {
  let control: Control
  beforeEach(async () => {
    control = await Control.open({ now: NOON })
    await control.report()
  })
  afterEach(() => control[Symbol.dispose]())

  const note = (note_id: string, note: string, device = 'd', id = 'i-1') =>
    addNote(id, { note_id, note }, control.desk.device(device), control.deps)
  const takeBack = (device = 'd', id = 'i-1') =>
    withdraw(id, { ...control.desk.device(device), name: 'North 1' }, 'x', control.deps)
  const refused = (code: string) => (error: unknown) => error instanceof GatehouseError && error.code === code
  const size = () => control.deps.ledger.size

  it('adds notes, each once, and the control room reads them in order', async () => {
    control.desk.now += 1000
    await note('n-1', 'She is awake.')
    const before = size()
    const incident = await note('n-1', 'She is awake.')
    assert.equal(size(), before)
    await note('n-2', 'Bring water.')
    assert.ok(Value.Check(Incident, incident))
    const [shown] = board(control.deps)
    assert.deepEqual(
      shown?.notes?.map(({ note: text }) => text),
      ['She is awake.', 'Bring water.'],
    )
    const entries = control.deps.ledger.read(0, 100).filter(({ kind }) => kind === 'incident_note')
    assert.equal(entries.length, 2)
    assert.ok(!JSON.stringify(entries.map(({ fields }) => fields)).includes('awake'))
  })

  it('withdraws it once, in its own name, and adds nothing afterwards', async () => {
    await control.act('i-1', { action: 'assign', assignee: 'Team 2' })
    const { state, actions } = await takeBack()
    assert.deepEqual(
      [state, actions.at(-1)?.actor, actions.at(-1)?.reason],
      ['cancelled', 'North 1', 'Withdrawn at the gate'],
    )
    assert.deepEqual(actions.at(-1)?.reason_coded, { code: 'withdrawn' })
    assert.ok(!actions.some((step) => step.action === 'assign' && 'reason_coded' in step))
    const before = size()
    assert.equal((await takeBack()).state, 'cancelled')
    assert.equal(size(), before)
    await assert.rejects(note('n-1', 'Too late.'), refused('conflict'))
  })

  it('leaves what the control room has resolved as it is', async () => {
    await control.act('i-1', { action: 'resolve' })
    assert.equal((await takeBack()).state, 'resolved')
  })

  it('changes nobody else’s report, and none that this box does not have', async () => {
    const before = size()
    await assert.rejects(takeBack('other'), refused('not_allowed'))
    await assert.rejects(note('n-1', 'x', 'other'), refused('not_allowed'))
    await assert.rejects(takeBack('d', 'i-9'), refused('not_found'))
    await assert.rejects(note('n-1', 'x', 'd', 'i-9'), refused('not_found'))
    assert.equal(size(), before)
  })

  it('fills no ledger: twenty notes, and no id twice', async () => {
    for (let n = 0; n < 20; n++) await note(`n-${n}`, `${n}`)
    await assert.rejects(note('n-20', 'one more'), refused('conflict'))
    await control.report({ incident_id: 'i-2' })
    await assert.rejects(note('n-1', 'another', 'd', 'i-2'), refused('conflict'))
  })
})
