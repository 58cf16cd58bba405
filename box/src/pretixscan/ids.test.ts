import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { Handles } from './handles.ts'
import { eventIds, numberOf, questionNumber } from './ids.ts'
import { checkpointFor, listNamed, listsOf } from './lists.ts'

describe('the numbers of what apps know by number', () => {
  test('are above zero, below 2^31, all different, and the same for ever', async () => {
    using desk = await Desk.open({ now: 0 })
    const ids = eventIds(desk.event)
    const numbers = desk.event.checkpoints.map(({ id }) => ids.listOf(id))
    assert.equal(new Set(numbers).size, numbers.length)
    for (const number of numbers) assert.ok(number > 0 && number < 2 ** 31)
    // An app has stored these: the next version of the box has to know them.
    assert.equal(ids.listOf('a-in'), numberOf('list a-in'))
    assert.equal(numberOf('list a-in'), 7_984_944)
  })

  test('of questions are the shop’s own where it has some', () => {
    assert.deepEqual([questionNumber('41'), questionNumber('41') === questionNumber('041')], [41, false])
  })
})

describe('the checkpoint of a scan', () => {
  test('is the list, or the exit at its gate; a list of exits has nothing else', async () => {
    using desk = await Desk.open({ now: 0 })
    const { event } = desk
    const at = (list: string, direction: 'ENTRY' | 'EXIT', of: string[]) => {
      const found = checkpointFor(event.checkpointById.get(list) ?? assert.fail(), direction, {
        device: { id: 'd', checkpoints: new Set(of) },
        event,
      })
      return typeof found === 'string' ? 'none' : found.id
    }
    assert.equal(at('a-in', 'ENTRY', ['a-in', 'a-out']), 'a-in')
    assert.equal(at('a-in', 'EXIT', ['a-in', 'a-out']), 'a-out')
    assert.equal(at('a-in', 'EXIT', ['a-in']), 'none')
    assert.equal(at('a-out', 'ENTRY', ['a-out']), 'a-out')
    const device = { id: 'd', checkpoints: new Set(['a-in']) }
    assert.deepEqual(
      listsOf(device, event).map(({ id }) => id),
      ['a-in'],
    )
    assert.throws(() => listNamed(eventIds(event).listOf('b-in'), device, eventIds(event)), { code: 'not_found' })
  })
})

test('a handle is good for its device, ten minutes, and the last 200 of them', () => {
  let now = 0
  const handles = new Handles(() => now)
  const one = handles.add('d', 'ref')
  // Texts that the desktop app takes for a code.
  assert.match(one, /^[a-zA-Z0-9=+/]{20,}$/)
  assert.deepEqual(
    [handles.refOf('d', one), handles.refOf('e', one), handles.refOf('d', 'X')],
    ['ref', null, undefined],
  )
  now = 10 * 60_000
  assert.equal(handles.refOf('d', one), null)
  for (let i = 0; i < 200; i++) handles.add('d', `r${i}`)
  now = 0
  assert.equal(handles.refOf('d', one), null)
})
