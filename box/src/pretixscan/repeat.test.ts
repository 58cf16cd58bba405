/** Questions of an app that count as one: the rule of `repeat.ts`, as a table. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { type AnswerTo, checkCode } from './check.ts'
import { Handles } from './handles.ts'
import { Repeats } from './repeat.ts'

const CODE = { device: 'd', checkpoint: 'a-in', payload: 'X', answers: '[]' }

function repeats() {
  const clock = { now: 0 }
  return { clock, all: new Repeats(() => clock.now) }
}

describe('a question that is asked again without a nonce', () => {
  test('is the same scan only if the first answer was lost, within 30 seconds, by this device about this code here', () => {
    const cases: [string, Partial<typeof CODE>, number, boolean, boolean][] = [
      ['lost', {}, 1_000, true, true],
      ['answered', {}, 1_000, false, false],
      ['too late', {}, 30_000, true, false],
      ['another device', { device: 'e' }, 1_000, true, false],
      ['another code', { payload: 'Y' }, 1_000, true, false],
      ['another checkpoint', { checkpoint: 'a-out' }, 1_000, true, false],
      ['with answers', { answers: '[1]' }, 1_000, true, false],
    ]
    for (const [name, other, after, isLost, isSame] of cases) {
      const { clock, all } = repeats()
      const first = all.begin(CODE)
      if (isLost) first.lose()
      clock.now += after
      assert.equal(all.begin({ ...CODE, ...other }).scanId === first.scanId, isSame, name)
    }
  })

  test('is a scan of its own while the first is still being answered: two people may stand there', () => {
    const { all } = repeats()
    const first = all.begin(CODE)
    const second = all.begin(CODE)
    first.lose()
    assert.notEqual(first.scanId, second.scanId)
    assert.notEqual(all.begin(CODE).scanId, first.scanId)
  })

  test('is repeated as often as its answers are lost, and no further once one was sent', () => {
    const { all } = repeats()
    const first = all.begin(CODE)
    first.lose()
    const second = all.begin(CODE)
    second.lose()
    const third = all.begin(CODE)
    assert.deepEqual([second.scanId, third.scanId], [first.scanId, first.scanId])
    assert.notEqual(all.begin(CODE).scanId, first.scanId)
  })

  test('has the scan of its nonce, at its device and checkpoint', () => {
    const { all } = repeats()
    const id = (other: Partial<typeof CODE>) => all.begin({ ...CODE, nonce: 'n', ...other }).scanId
    assert.equal(id({}), id({ payload: 'Y' }))
    assert.notEqual(id({}), id({ device: 'e' }))
    assert.notEqual(id({}), id({ checkpoint: 'a-out' }))
  })

  test('keeps the last eight people who are being asked, for a quarter of an hour', () => {
    const { clock, all } = repeats()
    const asked = { scanId: 's', questions: new Map() }
    for (let i = 0; i < 9; i++) all.ask({ ...CODE, payload: `P${i}` }, asked)
    assert.equal(all.asked({ ...CODE, payload: 'P0' }), undefined)
    assert.ok(all.asked({ ...CODE, payload: 'P1' }))
    clock.now += 15 * 60_000
    assert.equal(all.asked({ ...CODE, payload: 'P8' }), undefined)
  })
})

/** An answer to a client that is there, or hangs up while the ledger commits. */
class FakeReply extends EventEmitter {
  readonly destroyed = false
  writableFinished = false
  readonly to: AnswerTo = { raw: this as unknown as AnswerTo['raw'] }

  end(isSent: boolean): void {
    this.writableFinished = isSent
    this.emit('close')
  }
}

test('an admission whose answer nobody can have read is answered again, and admits one person', async () => {
  using desk = await Desk.open({ now: Date.parse('2026-07-04T18:00:00Z') })
  await desk.import(['A,once,valid'])
  const now = () => desk.now
  const deps = { ...desk.deps, now, repeats: new Repeats(now), handles: new Handles(now), signers: [] }
  const checkpoint = desk.event.checkpointById.get('a-in') ?? assert.fail()
  const device = { ...desk.device(), name: 'App' } as never
  const ask = async (isSent: boolean) => {
    const reply = new FakeReply()
    const { verdict } = await checkCode({ ticket: 'A', checkpoint, answers: [] }, device, reply.to, deps)
    reply.end(isSent)
    return verdict.verdict
  }
  assert.deepEqual([await ask(false), await ask(false), await ask(true)], ['ADMIT', 'ADMIT', 'ADMIT'])
  assert.deepEqual([await ask(false), await ask(true)], ['ALREADY_USED', 'ALREADY_USED'])
  const admitted = desk.journal().filter(({ kind, verdict }) => kind === 'scan' && verdict === 'ADMIT')
  assert.equal(admitted.length, 1)
})
