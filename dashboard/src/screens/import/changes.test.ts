import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeTexts, type TicketChange } from './changes.ts'

const TIERS = [
  { id: 'day', name: 'Day' },
  { id: 'vip', name: 'VIP' },
]
const change = (fields: TicketChange['fields'], over: Partial<TicketChange> = {}): TicketChange => {
  return { row: 2, ref: 'ab', state: 'unused', tier_kept: false, fields, ...over }
}

test('a change is said from what to what, by the names that the event has', () => {
  assert.deepEqual(
    changeTexts(
      change([
        { field: 'tier', from: 'day', to: 'vip' },
        { field: 'status', from: 'pending', to: 'valid' },
        { field: 'seat', from: null, to: 'Row 2' },
        { field: 'holder_name', from: null, to: null },
        { field: 'details', from: null, to: null },
      ]),
      TIERS,
    ),
    ['Ticket type: Day → VIP', 'Status: Not paid → Valid', 'Seat: none → Row 2', 'Name', 'Order details'],
  )
})

test('a tier that stays is said to stay, and one that the event no longer has keeps its id', () => {
  const kept = change([{ field: 'tier', from: 'gone', to: 'vip' }], { state: 'used', tier_kept: true })
  assert.deepEqual(changeTexts(kept, TIERS), ['Ticket type: gone → VIP (stays as it was)'])
})
