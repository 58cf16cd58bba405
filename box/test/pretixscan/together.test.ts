/** Two pretixSCANs and a scanner of ours at three gates: each sees at once what the others have admitted. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { TEST_EVENT } from '../world/event.ts'
import { checkBody, listsOf, pairApp } from '../world/pretix-app.ts'
import { problemsIn } from '../world/problems.ts'
import { World } from '../world/world.ts'

/** A third gate, like the second. */
const EVENT = {
  ...TEST_EVENT,
  gates: [...TEST_EVENT.gates, { id: 'c', name: 'Gate C' }],
  checkpoints: TEST_EVENT.checkpoints.flatMap((each) =>
    each.id === 'b-in' ? [each, { ...each, id: 'c-in', name: 'C entry', gate: 'c' }] : [each],
  ),
}
const CHECK = '/proxyapi/v1/rpc/check/'

test('two apps and one of our scanners never admit one ticket twice, and the record explains all of it', async () => {
  const codes = Array.from({ length: 30 }, (_, i) => `T-${i}`)
  await using world = await World.open({
    event: EVENT,
    tickets: codes.map((code) => `${code},once,,,,,,valid`),
    environment: { GATEHOUSE_PRETIXSCAN_PORT: '0' },
  })
  using one = await pairApp(world, { checkpoints: ['a-in'] })
  using two = await pairApp(world, { checkpoints: ['b-in'] })
  const ours = await world.device(['c-in'])
  const lists = { ...(await listsOf(one)), ...(await listsOf(two)) }
  const byApp = async (app: typeof one, list: string, code: string) =>
    (await app.post(CHECK, checkBody(lists[list] ?? 0, code))).json.type as string
  const byUs = async (code: string) => {
    const { data } = await ours.client.POST('/v1/scan', {
      body: world.scanOf(code, { scan_id: randomUUID(), checkpoint: 'c-in' }),
    })
    return { ADMIT: 'VALID', ALREADY_USED: 'USED' }[data?.verdict as string]
  }
  for (const code of codes) {
    const seen = await Promise.all([byApp(one, 'A entry', code), byApp(two, 'B entry', code), byUs(code)])
    assert.deepEqual(seen.sort(), ['USED', 'USED', 'VALID'], code)
  }
  assert.deepEqual(problemsIn(join(world.folder, 'data')), [])
})
