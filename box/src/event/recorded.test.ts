import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { TEST_EVENT } from '../../test/world/event.ts'
import { type Event, parseEvent } from './event.ts'
import { recordEvent } from './recorded.ts'

describe('the recorded event', () => {
  it('is in the journal once, and again when the file has changed, and when it has changed back', async () => {
    using desk = await Desk.open({ now: 0 })
    const { ledger } = desk.deps
    const renamed = eventOf({ ...TEST_EVENT, name: 'Another name' })
    for (const event of [desk.event, desk.event, renamed, renamed, desk.event])
      await recordEvent(event, 'box-1', ledger)
    const entries = desk.journal().filter(({ kind }) => kind === 'event')
    assert.deepEqual(
      entries.map(({ event }) => (event as { name: string }).name),
      [TEST_EVENT.name, 'Another name', TEST_EVENT.name],
    )
  })

  it('says of every checkpoint what a reader of the journal needs', async () => {
    using desk = await Desk.open({ now: 0 })
    await recordEvent(desk.event, 'box-1', desk.deps.ledger)
    const [entry] = desk.journal()
    assert.equal(entry?.box, 'box-1')
    const parsed = parseEvent(entry?.event)
    assert.ok('event' in parsed, 'it is an event file again')
    assert.deepEqual(parsed.event.checkpoints, desk.event.checkpoints)
  })
})

function eventOf(file: unknown): Event {
  const parsed = parseEvent(file)
  assert.ok('event' in parsed)
  return parsed.event
}
