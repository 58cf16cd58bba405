import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_EVENT } from '../../test/world/event.ts'
import { parseEvent } from '../event/event.ts'
import { printedCodeStatus, printedOpens } from './printed-code.ts'

const parsed = parseEvent(TEST_EVENT)
assert.ok('event' in parsed)
const { event } = parsed

for (const [tier, policy, unclaimed, claimed] of [
  ['once', 'until_claimed, as nothing is said', 'opens', 'claimed'],
  ['crew', 'always', 'opens', 'opens'],
  ['phone', 'never', 'phone_only', 'phone_only'],
  ['gone', 'of a tier that has left the event file', 'opens', 'claimed'],
] as const) {
  test(`static_code ${policy}: ${unclaimed}, then ${claimed}`, () => {
    assert.equal(printedCodeStatus(event.tierById.get(tier), null), unclaimed)
    assert.equal(printedCodeStatus(event.tierById.get(tier), 0), claimed, 'claimed in 1970 is claimed')
    const opens = printedOpens(event)
    assert.equal(opens({ tier, claimedAt: null }), unclaimed === 'opens')
    assert.equal(opens({ tier, claimedAt: 1 }), claimed === 'opens')
  })
}
