import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createLogger } from '../../log.ts'
import { RefusalCounts } from './refused-messages.ts'

const opened = () => {
  const time = { now: 1_000_000 }
  const log: Record<string, unknown>[] = []
  const logger = createLogger('info', { write: (line) => void log.push(JSON.parse(line)) })
  const isListed = (box: string) => box.startsWith('box-')
  return { time, log, refusals: new RefusalCounts({ logger, now: () => time.now, isListed }) }
}

it('refused messages are counted by name and reason, and logged once a minute', () => {
  const { time, log, refusals } = opened()
  for (let i = 0; i < 1_000; i++) refusals.count('box-1', 'forged')
  refusals.count('box-1', 'unsigned')
  assert.deepEqual(
    log.map(({ event, delivered_by, why, count }) => [event, delivered_by, why, count]),
    [
      ['mesh_message_refused', 'box-1', 'forged', 1],
      ['mesh_message_refused', 'box-1', 'unsigned', 1],
    ],
  )
  time.now += 60_000
  refusals.count('box-1', 'forged')
  assert.equal(log.at(-1)?.count, 1_001)
  const [newest, ...more] = refusals.all()
  assert.deepEqual(newest, { what: 'message', deliveredBy: 'box-1', why: 'forged', count: 1_001, last: time.now })
  assert.equal(more.length, 1)
})

it('whoever sends under ever other names fills neither memory nor log', () => {
  const { log, refusals } = opened()
  for (let i = 0; i < 10_000; i++) refusals.count(`voter-${i}`, 'stranger')
  for (const name of ['x'.repeat(10_000), 'two words', '']) refusals.count(name, 'stranger')
  assert.equal(refusals.all().length, 9)
  assert.equal(log.length, 9)
  assert.equal(refusals.all().find(({ deliveredBy }) => deliveredBy === null)?.count, 10_000 - 8 + 3)
  // A box on the list is named however many others came before.
  refusals.count('box-7', 'forged')
  assert.equal(refusals.all().find(({ deliveredBy }) => deliveredBy === 'box-7')?.count, 1)
})

it('a name on no list makes room an hour after its last message: one burst does not hide the next stranger for ever', () => {
  const { time, refusals } = opened()
  for (let i = 0; i < 8; i++) refusals.count(`voter-${i}`, 'stranger')
  refusals.count('voter-late', 'stranger')
  const names = () => refusals.all().map(({ deliveredBy }) => deliveredBy)
  assert.ok(!names().includes('voter-late'))
  time.now += 3_000_000
  refusals.count('voter-1', 'stranger')
  time.now += 600_000
  refusals.count('voter-late', 'stranger')
  assert.deepEqual(new Set(names()), new Set(['voter-late', 'voter-1', null]))
})

it('what was refused is shown for a day after the last one', () => {
  const { time, refusals } = opened()
  refusals.count('box-1', 'forged')
  time.now += 24 * 3_600_000 - 1
  assert.equal(refusals.all().length, 1)
  time.now += 1
  assert.deepEqual(refusals.all(), [])
})
