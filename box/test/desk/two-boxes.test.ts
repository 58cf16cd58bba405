/** A ticket that is issued again at one box is dead at another within a second, and so it is for a scanner there that is on its own. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type MeshBox, MeshWorld } from '../mesh/world.ts'
import { natsServer } from '../world/nats-server.ts'
import { until } from '../world/until.ts'

const { whyNot } = await natsServer()
const SECOND = 1_000

it('the old code is dead at the other box within a second, and the new one opens there', {
  skip: whyNot,
  timeout: 300_000,
}, async (t) => {
  // The file ends without a line feed: its last row is not taken.
  const rows = [...Array.from({ length: 6 }, (_, i) => `OLD-${i},once`), 'LAST,once']
  await using world = await MeshWorld.open({ boxes: 2, tickets: rows })
  const [a, b] = world.boxes as [MeshBox, MeshBox]
  await until(async () => {
    const { data } = await a.admin().GET('/v1/admin/mesh')
    const others = data?.standing?.boxes.filter(({ self }) => !self) ?? []
    return others.length === 1 && others.every(({ heard, behind }) => heard && behind === 0)
  })
  const gate = await b.device()
  const actor = 'Rui'
  const took: number[] = []
  for (let i = 0; i < 6; i++) {
    const { data: page, error: problem } = await a
      .admin()
      .POST('/v1/admin/desk/ticket', { body: { ticket: `OLD-${i}`, actor } })
    assert.ok(page, JSON.stringify(problem))
    const params = { path: { ref: page.ticket } }
    const body = { actor, reason: 'phone stolen' }
    const { data: link } = await a.admin().POST('/v1/admin/desk/tickets/{ref}/link', { params, body: { actor } })
    const id = new URLSearchParams(new URL(link?.link ?? '').hash.slice(1)).get('t') ?? ''
    const started = performance.now()
    const { data, error } = await a.admin().POST('/v1/admin/desk/tickets/{ref}/reissue', { params, body })
    assert.ok(data, JSON.stringify(error))
    // A scan of the old code would use the ticket up: its link is asked for until the other box knows.
    await until(async () => {
      const { response } = await b.admin().GET('/v1/ticket/{id}', { params: { path: { id } } })
      return response.status === 404
    })
    took.push(performance.now() - started)
    const old = await gate.scan(`OLD-${i}`)
    assert.equal(old.verdict, 'BLOCKED')
    assert.match(old.reason, /issued again at the ticket desk/)
    assert.equal((await gate.scan(data.code)).verdict, 'ADMIT')
  }
  t.diagnostic(`known at the other box after ${took.map((ms) => ms.toFixed(0)).join(', ')} ms`)
  assert.ok((took.toSorted((x, y) => x - y)[2] as number) < SECOND, `half of them within a second: ${took}`)
})
