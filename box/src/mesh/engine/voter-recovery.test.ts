import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../test/world/until.ts'
import { createLogger } from '../../log.ts'
import { firstTopology, withBox } from '../topology.ts'
import type { VoterStatus } from './core-status.ts'
import { recoverVoter, type VoterRecoveryDeps } from './voter-recovery.ts'

const box = (id: string) => ({
  ...{ id, name: id, log_key: `${id}+1+AA`, host: '10.0.0.1' },
  ...{ ports: { route: 1, leaf: 2 }, https: 'https://10.0.0.1:1', device: 'https://10.0.0.1:2' },
})
const three = withBox(withBox(firstTopology('fair', box('a')), box('b')), box('c'))

/** A voter whose clock goes on by a second with each look. @param changes of what it is given */
function recovering(
  t: TestContext,
  server: Partial<VoterRecoveryDeps['server']> = {},
  changes: Partial<VoterRecoveryDeps> = {},
) {
  const closing = new AbortController()
  const did: string[] = []
  let looks = 0
  const fake = {
    ...{ isRecovering: false, name: 'a', retired: [] as string[], topology: three },
    isOwn: () => false,
    restart: async () => void did.push(`restart at ${looks}`),
    comeBack: async (asNew: boolean) => void did.push(`back ${asNew ? 'as new' : 'as before'}`),
    system: () => Promise.reject(new Error('the others cannot be asked')),
    ...server,
  }
  const ended = recoverVoter({
    ...{ server: fake as never, boxId: 'a', logger: createLogger('silent'), monotonic: () => looks * 1000 },
    bulk: {
      request() {
        looks += 20
        return Promise.reject(new Error('nobody is there'))
      },
    },
    statuses: async () => [status('a'), status('b'), status('c')],
    ...{ signal: closing.signal, pauseMs: 1 },
    ...changes,
    async ownStatus() {
      looks++
      return (await changes.ownStatus?.()) ?? status('a')
    },
  })
  t.after(async () => {
    closing.abort()
    await ended
  })
  return { did, fake, after: (count: number) => until(() => looks >= count), looks: () => looks }
}
const status = (of: string, changes: Partial<VoterStatus> = {}): VoterStatus => ({
  epoch: 2,
  box: of,
  kept: true,
  ...changes,
})

test('a core without a leader makes the voter start its server again', async (t) => {
  const { did, after } = recovering(t)
  await after(40)
  assert.equal(did[0], 'restart at 31')
})

test('a single voter does not look at a core', async (t) => {
  const { did, looks } = recovering(t, { topology: firstTopology('fair', box('a')) })
  await sleep(50)
  assert.deepEqual([did, looks()], [[], 0])
})

test('a voter whose recovery is overtaken by another epoch is watched all the same', async (t) => {
  const { did, fake, after } = recovering(t, { isRecovering: true })
  fake.isRecovering = false
  await after(60)
  assert.equal(did[0], 'restart at 51')
})

test('a voter that recovers goes by what it has when the others do not answer', async (t) => {
  const { did, after } = recovering(t, { isRecovering: true })
  await after(21)
  assert.equal(did[0], 'back as before')
})

test('another epoch is another core: the wait begins anew', async (t) => {
  let looks = 0
  const { did, fake, after } = recovering(
    t,
    {},
    {
      async ownStatus() {
        if (++looks === 25) fake.topology = { ...three, epoch: three.epoch + 1 }
        return status('a')
      },
    },
  )
  await after(70)
  assert.equal(did[0], 'restart at 56')
})

test('a former server that the others do not forget keeps nobody from seeing that this one is not counted', async (t) => {
  const { did, after } = recovering(
    t,
    { retired: ['a_0'] },
    {
      ownStatus: async () => status('a', { leader: 'b' }),
      statuses: async () => [status('a'), status('b', { leader: 'b', members: ['b', 'c'] })],
    },
  )
  await after(7)
  assert.equal(did[0], 'restart at 4')
})
