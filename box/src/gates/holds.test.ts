import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { Desk } from '../../test/world/desk.ts'
import { GatehouseError } from '../errors.ts'
import { holds as table } from '../ledger/schema.ts'
import { Holds, holdOf } from './holds.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const MINUTE = 60_000
const RUI = { actor: 'Rui', address: 'x' }
const ANA = { actor: 'Ana', address: 'y' }

let desk: Desk
/** Within a suite: hooks of a whole file would be those of every file that shares its process. */
function openDeskForEach(): void {
  beforeEach(async () => {
    desk = await Desk.open({ now: NOON })
    await desk.import([...Array.from({ length: 9 }, (_, i) => `T-${i},once`), 'VIP-1,vip', 'GONE-1,once,revoked'])
  })
  afterEach(() => desk[Symbol.dispose]())
}

const place = (gate: string, { id = 'h-1', expiresAt = null as number | null, reason = 'crush', by = RUI } = {}) =>
  desk.deps.holds.place({ id, gate, reason, expiresAt }, by)
const noHold = (error: unknown) => error instanceof GatehouseError && error.code === 'conflict'

describe('a hold', () => {
  openDeskForEach()

  it('is in force until it is released, at its gate alone, also after a restart', async () => {
    await place('a')
    assert.deepEqual([desk.deps.holds.on('a')?.reason, desk.deps.holds.on('b')], ['crush', undefined])
    desk.now += 24 * 60 * MINUTE
    desk.restart()
    assert.deepEqual(desk.deps.holds.current().map(holdOf), [{ gate: 'a', reason: 'crush', expires_at: null }])
    await desk.deps.holds.release('a', ANA, 'clear')
    assert.deepEqual(desk.deps.holds.current(), [])
    desk.restart()
    assert.deepEqual(desk.deps.holds.current(), [])
    const said = desk.journal().slice(-2)
    assert.deepEqual(
      said.map(({ kind, actor, address, gate, hold, reason }) => [kind, actor, address, gate, hold, reason]),
      [
        ['hold', 'Rui', 'x', 'a', 'h-1', 'crush'],
        ['hold_released', 'Ana', 'y', 'a', 'h-1', 'clear'],
      ],
    )
  })

  it('ends when it expires, to the millisecond, and is then no hold that could be released', async () => {
    await place('a', { expiresAt: NOON + MINUTE })
    desk.now += MINUTE - 1
    assert.ok(desk.deps.holds.on('a'))
    desk.now += 1
    assert.equal(desk.deps.holds.on('a'), undefined)
    await assert.rejects(desk.deps.holds.release('a', RUI, null), noHold)
    await assert.rejects(desk.deps.holds.release('b', RUI, null), noHold)
  })

  it('is not undone by a clock that was set back', async () => {
    await place('a', { expiresAt: NOON + MINUTE })
    desk.now -= 60 * MINUTE
    assert.ok(desk.deps.holds.on('a'))
  })

  it('gives way to the next one at the same gate', async () => {
    await place('a', { expiresAt: NOON + MINUTE })
    desk.now += 1000
    await place('a', { id: 'h-2', reason: 'worse', by: ANA })
    desk.now += MINUTE
    assert.deepEqual([desk.deps.holds.on('a')?.reason, desk.deps.holds.current().length], ['worse', 1])
    const { replaces, index } = desk.journal().at(-1) ?? {}
    assert.equal(replaces, 'h-1')
    const [first] = desk.deps.ledger.db.drizzle.select().from(table).all()
    assert.deepEqual([first?.releasedAt, first?.releasedBy, first?.entry], [NOON + 1000, 'Ana', index])
    await desk.deps.holds.release('a', RUI, null)
    assert.equal(desk.deps.holds.on('a'), undefined)
  })

  it('is seen when another process has written it', async () => {
    const beside = new Holds({ ledger: desk.deps.ledger, now: () => desk.now })
    await beside.place({ id: 'h-1', gate: 'a', reason: 'r', expiresAt: null }, RUI)
    assert.ok(desk.deps.holds.on('a'))
    await beside.release('a', RUI, null)
    assert.equal(desk.deps.holds.on('a'), undefined)
  })

  it('was in force from when it was placed until it was released or over, or replaced', async () => {
    await place('a', { expiresAt: NOON + 10 * MINUTE, reason: 'first' })
    desk.now = NOON + 5 * MINUTE
    await place('a', { id: 'h-2', reason: 'second', expiresAt: NOON + 60 * MINUTE })
    desk.now = NOON + 20 * MINUTE
    await desk.deps.holds.release('a', RUI, null)
    const at = (ms: number) => desk.deps.holds.at('a', NOON + ms)?.reason
    assert.deepEqual(
      [at(-1), at(0), at(5 * MINUTE - 1), at(5 * MINUTE), at(20 * MINUTE - 1), at(20 * MINUTE)],
      [undefined, 'first', 'first', 'second', 'second', undefined],
    )
    assert.equal(desk.deps.holds.at('b', NOON), undefined)
  })

  it('is what the last word about its gate says, whatever was done before', async () => {
    const step = fc.record({
      gate: fc.constantFrom('a', 'b'),
      wait: fc.nat(3 * MINUTE),
      what: fc.constantFrom('place', 'for a minute', 'release', 'restart'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        using other = await Desk.open({ now: NOON })
        const until = new Map<string, number>()
        for (const [i, { gate, wait, what }] of steps.entries()) {
          const { holds } = other.deps
          const isHeld = other.now < (until.get(gate) ?? 0)
          if (what === 'restart') other.restart()
          else if (what === 'release') {
            const released = holds.release(gate, RUI, null)
            await (isHeld ? released : assert.rejects(released, noHold))
            until.delete(gate)
          } else {
            const expiresAt = what === 'place' ? null : other.now + MINUTE
            await holds.place({ id: `${i}`, gate, reason: 'r', expiresAt }, RUI)
            until.set(gate, expiresAt ?? Number.POSITIVE_INFINITY)
          }
          other.now += wait
          const expected = ['a', 'b'].filter((each) => other.now < (until.get(each) ?? 0))
          assert.deepEqual(
            other.deps.holds
              .current()
              .map((hold) => hold.gate)
              .toSorted(),
            expected,
          )
        }
      }),
      runs(15, 100),
    )
  })
})

describe('a scan at a gate on hold', () => {
  openDeskForEach()

  it('is answered with the reason, from the next one on, and with what it was before once it is released', async () => {
    assert.equal((await desk.scan('T-0')).verdict, 'ADMIT')
    await place('a', { reason: 'crowd at the barrier' })
    const refused = await desk.scan('T-1')
    assert.deepEqual([refused.verdict, refused.severity], ['BLOCKED', 'refuse'])
    assert.deepEqual(refused.evidence, { detail: 'crowd at the barrier', held: true })
    assert.equal(refused.reason, 'Stop: crowd at the barrier. Nobody enters until the control room says so.')
    assert.equal((await desk.scan('T-0')).verdict, 'BLOCKED')
    assert.equal((await desk.scan('NOBODY')).verdict, 'UNKNOWN')
    assert.equal((await desk.scan('T-0', { checkpoint: 'a-out' })).verdict, 'EXIT')
    assert.equal((await desk.scan('T-2', { checkpoint: 'b-in' })).verdict, 'ADMIT')
    await desk.deps.holds.release('a', RUI, null)
    assert.equal((await desk.scan('T-1')).verdict, 'ADMIT')
  })

  it('that a scanner has decided alone is counted, and opens a case; a second use is still told as one', async () => {
    await place('a')
    const alone = { offline_admitted: true }
    const verdict = await desk.scan('T-1', alone)
    assert.deepEqual([verdict.verdict, verdict.severity, verdict.occurrence], ['BLOCKED', 'admit', 1])
    const twice = await desk.scan('T-1', alone)
    assert.equal(twice.verdict, 'ALREADY_USED')
    const gone = await desk.scan('GONE-1', alone)
    assert.equal(gone.verdict, 'REVOKED')
    const opened = desk.journal().filter(({ kind }) => kind === 'flag')
    assert.deepEqual(
      opened.map(({ flag, flag_kind }) => [flag, flag_kind]),
      [
        [verdict.flag, 'refused_admission'],
        [twice.flag, 'double_use'],
        [gone.flag, 'revoked_admission'],
      ],
    )
  })

  it('that is reported late is judged by whether the gate was on hold then', async () => {
    const at = (ms: number) => ({ offline_admitted: true, observed_at: new Date(NOON + ms).toISOString() })
    await place('a')
    desk.now += MINUTE
    await desk.deps.holds.release('a', RUI, null)
    desk.now += MINUTE
    assert.equal((await desk.scan('T-1', at(-1))).verdict, 'ADMIT')
    assert.equal((await desk.scan('T-2', at(0))).verdict, 'BLOCKED')
    assert.equal((await desk.scan('T-3', at(MINUTE - 1))).verdict, 'BLOCKED')
    assert.equal((await desk.scan('T-4', at(MINUTE))).verdict, 'ADMIT')
  })

  it('sends nobody to another gate on hold', async () => {
    assert.equal((await desk.scan('VIP-1')).verdict, 'REDIRECT')
    await place('b')
    const refused = await desk.scan('VIP-1')
    assert.deepEqual(refused.evidence, {
      detail: 'every gate for this ticket is on hold',
      code: 'every_gate_held',
      held: true,
    })
    // It is served further in, too: where nobody comes from here.
    assert.equal(desk.event.checkpointById.get('v-in')?.tiers.includes('vip'), true)
  })
})
