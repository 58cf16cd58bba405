import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Desks, replicatedAt } from '../../../test/mesh/desks.ts'
import { until } from '../../../test/world/until.ts'
import { createLogger } from '../../log.ts'
import { encodePage } from './envelope.ts'
import { Follower } from './follower.ts'
import type { Transport } from './transport.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
/** Nothing is pulled in a test but at the start, and for a push. */
const NEVER = 600_000

/** The follower of box-1's journal at box-0, and how often it has asked. */
async function opened() {
  const desks = await Desks.open({ boxes: 2, now: NOON })
  const [at, of] = [desks.desk(0), desks.desk(1)]
  desks.settle()
  const answer = encodePage({ box: of.id, size: replicatedAt(at, of.id), entries: [] })
  let asked = 0
  const follower = new Follower(of.id, {
    ...at.deps,
    event: at.event,
    self: at.id,
    pace: { turn: async () => {} },
    transport: {
      request: async () => {
        asked++
        return answer
      },
    } as unknown as Transport,
    logger: createLogger('silent'),
    now: () => NOON,
    onReplicated: () => {},
    others: () => [],
    isRemoved: () => false,
    onSeal: () => {},
    waits: { pull: NEVER, refused: NEVER, pushed: NEVER },
  })
  await until(() => follower.status.caughtUp)
  assert.equal(asked, 1)
  const push = async (claimed: number, times: number) => {
    for (let i = 0; i < times; i++) {
      follower.pushed(encodePage({ box: of.id, size: claimed, entries: [] }))
      await turn()
    }
  }
  return {
    size: replicatedAt(at, of.id),
    push,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      await follower[Symbol.asyncDispose]()
      desks[Symbol.dispose]()
    },
  }
}

it('a push that is repeated, of entries that are here already, asks for nothing', async () => {
  await using follower = await opened()
  await follower.push(follower.size, 100)
  assert.equal(follower.asked(), 1)
})

it('a box that pushes as fast as it can is asked once in each interval', async () => {
  await using follower = await opened()
  await follower.push(follower.size + 1_000, 100)
  assert.equal(follower.asked(), 2)
})
