import '../words/in-english.ts'

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { StaffRole } from '@gatehouse/proto/operations.ts'
import { keepFile, readKeptFile } from './kept-file.ts'
import { sessionAtNoon, settled } from './session.testing.ts'
import { markRestart } from './whose-file.ts'

const MINUTE = 60_000

/** As a test needs it: with a box that takes every admin token until `refuse`. */
function setting(context: TestContext) {
  const { session, box } = sessionAtNoon(context)
  const file = { file: new File(['a'], 'a.csv'), column: null, event: 'fete', tiers: [] }
  const enter = async (name: string, role: StaffRole = 'admin') => {
    session.enter({ token: `of-${name}`, session: 's', person: { id: name, name, role } } as never)
    await settled()
  }
  return {
    session,
    enter,
    keep: (of: string | null) => keepFile({ ...file, of, at: Date.now() }),
    hasFile: async () => {
      await settled()
      return (await readKeptFile(Date.now())) !== undefined
    },
    /** The box answers the next request with 401, and later ones as before. */
    refuse: async () => {
      box.status = 401
      await session.boxFetch('/v1/admin/event')
      box.status = 200
      await settled()
    },
    pass: (ms: number) => context.mock.timers.setTime(Date.now() + ms),
  }
}

test('a restart that this page has asked for leaves the file to whoever comes in with the admin token', async (context) => {
  const { session, enter, keep, hasFile, refuse, pass } = setting(context)
  await enter('Ana')
  assert.ok(await keep('Ana'))
  markRestart(true, Date.now())
  pass(MINUTE)
  await refuse()
  assert.equal(session.token.value, null)
  assert.ok(await hasFile())
  await session.signIn('token')
  assert.ok(await hasFile())
  // The sign-in has ended that: the next refusal is one like any other.
  await refuse()
  assert.ok(!(await hasFile()))
})

test('the same person keeps the file over a restart, and another one does not', async (context) => {
  const { enter, keep, hasFile, refuse } = setting(context)
  for (const [next, stays] of [
    ['Ana', true],
    ['Rui', false],
  ] as const) {
    await enter('Ana')
    await keep('Ana')
    markRestart(true, Date.now())
    await refuse()
    await enter(next)
    assert.equal(await hasFile(), stays, next)
  }
})

test('a refusal that no restart explains, or one ten minutes after it, takes the file', async (context) => {
  const { enter, keep, hasFile, refuse, pass } = setting(context)
  const cases = [
    () => undefined,
    () => markRestart(false, Date.now()),
    () => {
      markRestart(true, Date.now())
      pass(10 * MINUTE)
    },
    () => {
      markRestart(true, Date.now())
      // A clock that was set back.
      pass(-MINUTE)
    },
  ]
  for (const [i, before] of cases.entries()) {
    await enter('Ana')
    await keep('Ana')
    markRestart(true, Date.now())
    markRestart(false, Date.now())
    before()
    await refuse()
    assert.ok(!(await hasFile()), `case ${i}`)
  }
})

test('whoever signs out takes the file along, also while the box begins anew', async (context) => {
  const { session, enter, keep, hasFile } = setting(context)
  await enter('Ana')
  await keep('Ana')
  markRestart(true, Date.now())
  session.signOut()
  assert.ok(!(await hasFile()))
})

test('after a lock the same person has the file, and nobody else', async (context) => {
  const { session, enter, keep, hasFile } = setting(context)
  for (const [next, stays] of [
    [() => enter('Ana'), true],
    [() => enter('Rui'), false],
    [() => session.signIn('token'), false],
  ] as const) {
    session.signOut()
    await enter('Ana')
    await keep('Ana')
    session.signOut(null, 'locked')
    assert.ok(await hasFile())
    await next()
    assert.equal(await hasFile(), stays)
  }
})

test('somebody who takes over the screen does not get the file, nor in the moment of the sign-in', async (context) => {
  const { session, enter, keep } = setting(context)
  await enter('Ana')
  await keep('Ana')
  session.enter({ token: 'of-Rui', session: 's', person: { id: 'Rui', name: 'Rui', role: 'admin' } } as never)
  await turn()
  assert.equal(await readKeptFile(Date.now()), undefined)
})

test('a new admin token for whoever is signed in with one is no sign-in', async (context) => {
  const { session, keep, hasFile } = setting(context)
  await session.signIn('token')
  await settled()
  // Chosen by name before the box began anew.
  await keep('Ana')
  await session.signIn('another')
  assert.ok(await hasFile())
})
