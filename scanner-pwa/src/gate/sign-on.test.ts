import 'fake-indexeddb/auto'
import '../words/in-english.ts'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openDatabase } from '../store/database.ts'
import { Records } from '../store/records.ts'
import { SignOn } from './sign-on.ts'
import { Tray } from './tray.ts'

const MINUTE = 60_000
const ADA = { session: 'ses-1', name: 'Ada', expires_at: '2030-01-01T00:00:00Z' }

/** A phone at which Ada has signed on, at a box that answers every request with `answer`. */
async function signedOn() {
  const db = await openDatabase(`sign-on ${crypto.randomUUID()}`)
  const world = { now: 1_800_000_000_000, isReachable: true, asked: [] as string[] }
  const post = async (path: string) => {
    world.asked.push(path)
    return path.endsWith('/end') ? {} : { data: ADA }
  }
  const deps = {
    db,
    records: await Records.open(db, world.now),
    tray: new Tray(),
    now: () => world.now,
    link: {
      get isReachable() {
        return world.isReachable
      },
    },
    box: { client: { POST: post } },
  } as unknown as Parameters<typeof SignOn.open>[0]
  const signOn = await SignOn.open(deps)
  signOn.adopt({ lock_minutes: 5 })
  assert.ok(signOn.locked.value)
  assert.equal(await signOn.on('Ada', '274951'), 'on')
  return { signOn, world, deps }
}

it('locks after so many minutes without a touch, and not before', async () => {
  const { signOn, world } = await signedOn()
  world.now += 5 * MINUTE
  signOn.lockIfIdle()
  assert.ok(!signOn.locked.value)
  signOn.touched()
  world.now += 5 * MINUTE
  signOn.lockIfIdle()
  assert.ok(!signOn.locked.value, 'touched meanwhile')
  world.now += 1
  signOn.lockIfIdle()
  assert.ok(signOn.locked.value)
  assert.equal(world.asked.at(-1), '/v1/sign-on/end')
})

it('does not lock while no box is reached, because nobody could sign on again; and does when one is', async () => {
  const { signOn, world } = await signedOn()
  world.isReachable = false
  world.now += 60 * MINUTE
  signOn.lockIfIdle()
  assert.equal(await signOn.off(), false)
  assert.ok(!signOn.locked.value)
  world.isReachable = true
  signOn.lockIfIdle()
  assert.ok(signOn.locked.value)
})

it('is told by the box that somebody is signed off, and never that somebody is signed on', async () => {
  const { signOn } = await signedOn()
  signOn.take({ signed_on: ADA })
  assert.equal(signOn.current.value?.name, 'Ada')
  signOn.take({ signed_on: null })
  assert.ok(signOn.locked.value)
  signOn.take({ signed_on: ADA })
  assert.ok(signOn.locked.value, 'the PIN is asked for on this phone')
  assert.deepEqual(signOn.names.value, ['Ada'])
})

it('remembers the person over a restart of the page, and forgets them where the event no longer wants it', async () => {
  const { deps, signOn } = await signedOn()
  signOn.touched()
  await new Promise((done) => setImmediate(done))
  const again = await SignOn.open(deps)
  again.adopt({ lock_minutes: 5 })
  assert.equal(again.current.value?.session, ADA.session)
  again.adopt(undefined)
  assert.deepEqual([again.locked.value, again.current.value], [false, null])
})
