import assert from 'node:assert/strict'
import { it } from 'node:test'
import { orderedUuid } from './ordered-uuid.ts'

it('makes UUIDs of version 7 that sort by their times, whatever the clock says', () => {
  const times = [-5, 0, 1, 1_795_494_731_950.7, 1_795_494_731_951, 2 ** 48 - 1, 2 ** 60, Number.POSITIVE_INFINITY]
  const ids = times.map(orderedUuid)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(
    ids.map((id) => Number.parseInt(id.slice(0, 13).replace('-', ''), 16)),
    [0, 0, 1, 1_795_494_731_950, 1_795_494_731_951, 2 ** 48 - 1, 2 ** 48 - 1, 2 ** 48 - 1],
  )
  assert.equal(new Set(Array.from({ length: 1000 }, () => orderedUuid(0))).size, 1000)
})
