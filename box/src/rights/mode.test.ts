import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { ModeSwitch } from './mode.ts'

describe('the mode', () => {
  it('is STRICT until somebody says otherwise, and stays so through a restart', async () => {
    using desk = await Desk.open({ now: Date.parse('2026-07-04T12:00:00Z') })
    const first = new ModeSwitch(desk.deps.ledger)
    assert.equal(first.mode, 'STRICT')
    await first.force('DEGRADED', { actor: 'Rui', address: 'x' }, 'radio is down')
    assert.equal(first.mode, 'DEGRADED')
    desk.restart()
    const second = new ModeSwitch(desk.deps.ledger)
    assert.equal(second.mode, 'DEGRADED')
    await second.force('STRICT', { actor: 'Ana', address: 'x' }, 'radio is back')
    assert.equal(new ModeSwitch(desk.deps.ledger).mode, 'STRICT')
    assert.deepEqual(
      desk.journal().map(({ kind, mode, actor, reason }) => [kind, mode, actor, reason]),
      [
        ['mode', 'DEGRADED', 'Rui', 'radio is down'],
        ['mode', 'STRICT', 'Ana', 'radio is back'],
      ],
    )
  })

  it('is the same for all who look at one ledger', async () => {
    using desk = await Desk.open({ now: 0 })
    const [here, there] = [new ModeSwitch(desk.deps.ledger), new ModeSwitch(desk.deps.ledger)]
    await here.force('DEGRADED', { actor: 'a', address: 'x' }, 'r')
    assert.equal(there.mode, 'DEGRADED')
  })
})
