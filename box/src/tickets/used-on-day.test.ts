import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import type { Fact } from '../ledger/facts.ts'
import type { Tickets } from './tickets.ts'
import { UsedOnDay } from './used-on-day.ts'

it('tickets that were changed are looked up by the next refresh where one has failed between two pages', async () => {
  using desk = await Desk.open({ now: Date.parse('2026-07-04T12:00:00Z') })
  const looked: string[] = []
  const tickets = {
    staged: { settled: async () => {} },
    pages: {
      *movedAndChanged(since: number) {
        assert.equal(since, 5)
        yield ['a']
        yield ['b']
      },
    },
    byRef: (ref: string) => void looked.push(ref),
  } as unknown as Tickets
  const list = new UsedOnDay('2026-07-04', { tickets, event: desk.event })
  for (const index of [7, 5]) list.note({ kind: 'import', index, fields: {} } as unknown as Fact)
  await assert.rejects(
    list.catchUp(() => Promise.reject(new Error('the disk'))),
    /the disk/,
  )
  await list.catchUp(async () => {})
  assert.deepEqual(looked.sort(), ['a', 'b'])
})
