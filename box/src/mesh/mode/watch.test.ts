import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Desk } from '../../../test/desk.ts'
import { until } from '../../../test/until.ts'
import { ModeSwitch } from '../../control/mode.ts'
import { createLogger } from '../../log.ts'
import { SETTLING_MS, type Standing } from './mode.ts'
import { ModeWatch } from './watch.ts'

const well: Standing = { forced: false, epochKnown: true, synced: true, filled: true, owed: 0, caughtUp: true }
const by = { actor: 'Ana', address: 'x' }

async function watching() {
  const desk = await Desk.open({ now: Date.parse('2026-07-04T12:00:00Z') })
  const modeSwitch = new ModeSwitch(desk.deps.ledger)
  modeSwitch.watched(true)
  const world = { at: 0, answers: true, probes: 0, heard: 0, standing: { ...well } }
  const watch: ModeWatch = new ModeWatch({
    switch: modeSwitch,
    standing: () => ({ ...world.standing, forced: modeSwitch.forced }),
    probe: async () => {
      world.probes++
      if (world.answers) watch.answered()
      else watch.silence()
    },
    onHeard: () => void world.heard++,
    boxes: () => 3,
    reason: ({ mode, obstacle }) => `${mode} ${obstacle}`,
    logger: createLogger('silent'),
    monotonic: () => world.at,
  })
  /** Time goes by, and the watch looks at it. */
  const pass = async (ms: number) => {
    for (const end = world.at + ms; world.at < end; ) {
      world.at += 100
      watch.look()
      await new Promise((done) => setImmediate(done))
    }
  }
  const modes = () => desk.journal().flatMap(({ kind, mode, actor }) => (kind === 'mode' ? [`${actor} ${mode}`] : []))
  const dispose = async () => {
    await watch[Symbol.asyncDispose]()
    desk[Symbol.dispose]()
  }
  return { desk, modeSwitch, world, watch, pass, modes, [Symbol.asyncDispose]: dispose }
}

describe('the watch over the mode', () => {
  it('writes each change into the journal, once', async () => {
    await using w = await watching()
    await until(() => w.modeSwitch.mode === 'DEGRADED')
    await w.pass(SETTLING_MS + 1000)
    assert.equal(w.watch.state.mode, 'STRICT')
    await until(() => w.modeSwitch.mode === 'STRICT')
    w.world.answers = false
    await w.pass(1000)
    assert.equal(w.watch.state.mode, 'DEGRADED', 'within a second, and with nobody scanning')
    await until(() => w.modeSwitch.mode === 'DEGRADED')
    assert.deepEqual(w.modes(), ['mesh DEGRADED', 'mesh STRICT', 'mesh DEGRADED'])
  })

  it('asks for itself only where no claim was answered', async () => {
    await using w = await watching()
    await w.pass(2000)
    const asked = w.world.probes
    for (let i = 0; i < 20; i++) {
      w.watch.answered()
      await w.pass(100)
    }
    assert.equal(w.world.probes, asked)
    await w.pass(1000)
    assert.ok(w.world.probes > asked)
  })

  it('has told what waits only while somebody is heard', async () => {
    await using w = await watching()
    w.world.answers = false
    await w.pass(1000)
    assert.equal(w.world.heard, 0)
    w.world.answers = true
    await w.pass(2000)
    assert.ok(w.world.heard > 0)
  })

  it('keeps what an admin has forced, and lets go when the admin does', async () => {
    await using w = await watching()
    await w.pass(SETTLING_MS + 1000)
    await w.modeSwitch.force('DEGRADED', by, 'r')
    await w.pass(200)
    assert.deepEqual([w.watch.state.mode, w.watch.state.obstacle], ['DEGRADED', 'forced'])
    await w.pass(SETTLING_MS * 2)
    assert.equal(w.watch.state.mode, 'DEGRADED')
    await w.modeSwitch.force('STRICT', by, 'r')
    assert.equal(w.modeSwitch.mode, 'DEGRADED', 'nobody forces STRICT')
    await w.pass(200)
    await until(() => w.modeSwitch.mode === 'STRICT')
    assert.deepEqual(w.modes().slice(-3), ['Ana DEGRADED', 'Ana DEGRADED', 'mesh STRICT'])
    const lifted = w.desk.journal().filter(({ kind, actor }) => kind === 'mode' && actor === 'Ana')
    assert.deepEqual(
      lifted.map(({ forced }) => forced),
      [true, false],
    )
  })

  it('does not take its own end for a cut cable', async () => {
    const w = await watching()
    await w.pass(SETTLING_MS + 1000)
    await until(() => w.modeSwitch.mode === 'STRICT')
    await w.watch[Symbol.asyncDispose]()
    w.watch.gaveUp()
    assert.equal(w.watch.state.mode, 'STRICT')
    w.desk[Symbol.dispose]()
  })
})
