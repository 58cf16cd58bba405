import '../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionAtNoon } from './session.testing.ts'

test('a sign-out calls off the reads under way, and what somebody has sent goes on', async (context) => {
  const { session } = sessionAtNoon(context)
  const [read, sent] = [new AbortController(), new AbortController()]
  const waits = (at: AbortController) => async (request: Request) => {
    request.signal.addEventListener('abort', () => at.abort())
    return Response.json({})
  }
  await session.boxFetch('/v1/admin/occupancy', undefined, waits(read))
  await session.boxFetch('/v1/admin/holds', { method: 'POST', body: '{}' }, waits(sent))
  session.signOut()
  assert.deepEqual([read.signal.aborted, sent.signal.aborted], [true, false])

  const next = new AbortController()
  await session.boxFetch('/v1/admin/occupancy', undefined, waits(next))
  assert.ok(!next.signal.aborted, 'the next session reads')
})

test('an answer that ends the session is still read', async (context) => {
  const { session } = sessionAtNoon(context)
  session.enter({ token: 't', session: 's', person: { id: 'p', name: 'Ana', role: 'admin' } } as never)
  let signal: AbortSignal | undefined
  const answer = await session.boxFetch('/v1/admin/event', undefined, async (request) => {
    signal = request.signal
    return Response.json({ code: 'bad_token' }, { status: 401 })
  })
  assert.equal(session.token.value, null)
  assert.deepEqual([signal?.aborted, await answer.json()], [false, { code: 'bad_token' }])
})
