import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Desk } from '../../../test/world/desk.ts'
import { until } from '../../../test/world/until.ts'
import { createLogger } from '../../log.ts'
import { ModeSwitch } from '../../rights/mode.ts'
import { type Conditions, SETTLING_MS } from './mode.ts'
import { ModeTracker } from './tracker.ts'
import { ModeWatch } from './watch.ts'

const well: Conditions = {
  forced: false,
  epochKnown: true,
  synced: true,
  backfilled: true,
  unconfirmed: 0,
  caughtUp: true,
}
const by = { actor: 'Ana', address: 'x' }

async function watching() {
  const desk = await Desk.open({ now: Date.parse('2026-07-04T12:00:00Z') })
  const modeSwitch = new ModeSwitch(desk.deps.ledger)
  modeSwitch.setAutomatic(true)
  const world = { at: 0, answers: true, probes: 0, reachable: 0, conditions: { ...well } }
  const monotonic = () => world.at
  const tracker = new ModeTracker({
    switch: modeSwitch,
    conditions: well,
    reason: ({ mode, obstacle }) => `${mode} ${obstacle}`,
    logger: createLogger('silent'),
    now: () => desk.now,
    monotonic,
  })
  const watch = new ModeWatch({
    tracker,
    conditions: () => ({ ...world.conditions, forced: modeSwitch.forced }),
    probe: async () => {
      world.probes++
      if (world.answers) tracker.answered()
      else tracker.unanswered()
    },
    onReachable: () => void world.reachable++,
    boxes: () => 3,
    monotonic,
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
    await tracker[Symbol.asyncDispose]()
    await watch[Symbol.asyncDispose]()
    desk[Symbol.dispose]()
  }
  return { desk, modeSwitch, world, tracker, watch, pass, modes, [Symbol.asyncDispose]: dispose }
}

describe('the watch over the mode', () => {
  it('writes each change into the journal, once', async () => {
    await using w = await watching()
    await until(() => w.modeSwitch.mode === 'DEGRADED')
    await w.pass(SETTLING_MS + 1000)
    assert.equal(w.tracker.state.mode, 'STRICT')
    await until(() => w.modeSwitch.mode === 'STRICT')
    w.world.answers = false
    await w.pass(1000)
    assert.equal(w.tracker.state.mode, 'DEGRADED', 'within a second, and with nobody scanning')
    await until(() => w.modeSwitch.mode === 'DEGRADED')
    assert.deepEqual(w.modes(), ['mesh DEGRADED', 'mesh STRICT', 'mesh DEGRADED'])
  })

  it('probes only where nothing else was answered', async () => {
    await using w = await watching()
    await w.pass(2000)
    const asked = w.world.probes
    for (let i = 0; i < 20; i++) {
      w.tracker.answered()
      await w.pass(100)
    }
    assert.equal(w.world.probes, asked)
    await w.pass(1000)
    assert.ok(w.world.probes > asked)
  })

  it('sends what waits only while the voters are reachable', async () => {
    await using w = await watching()
    w.world.answers = false
    await w.pass(1000)
    assert.equal(w.world.reachable, 0)
    w.world.answers = true
    await w.pass(2000)
    assert.ok(w.world.reachable > 0)
  })

  it('keeps what an admin has forced, and lets go when the admin does', async () => {
    await using w = await watching()
    await w.pass(SETTLING_MS + 1000)
    await w.modeSwitch.force('DEGRADED', by, 'r')
    await w.pass(200)
    assert.deepEqual([w.tracker.state.mode, w.tracker.state.obstacle], ['DEGRADED', 'forced'])
    await w.pass(SETTLING_MS * 2)
    assert.equal(w.tracker.state.mode, 'DEGRADED')
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
    await w.tracker[Symbol.asyncDispose]()
    await w.watch[Symbol.asyncDispose]()
    w.tracker.timedOut()
    assert.equal(w.tracker.state.mode, 'STRICT')
    w.desk[Symbol.dispose]()
  })
})
