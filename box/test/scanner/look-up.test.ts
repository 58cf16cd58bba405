import '../../../scanner-pwa/src/words/in-english.ts'

/** Looking up at a supervisor's phone: the scanner app's core against a real box. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Phone } from '../../../scanner-pwa/src/gate/testing.ts'
import { openDatabase, STORES } from '../../../scanner-pwa/src/store/database.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { TEST_EVENT } from '../world/event.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const TICKETS = ['G-1,once,,Ada Lovelace,,,,valid', 'G-2,once,,Bob Lovelock,,,,valid']

async function ready(world: World, supervisor: boolean): Promise<Phone> {
  const phone = new Phone({
    origin: world.box.baseUrl,
    fetch: tlsFetch({ ca: await world.ca }),
    now: () => world.now(),
  })
  const scanner = await phone.open()
  await scanner.pair(await world.inviteLink(undefined, supervisor), 'Phone 1')
  scanner.choose('b-in')
  await until(() => scanner.link.value.state === 'reachable', 'the box answers')
  return phone
}

/** Everything that this phone has on its disk. */
async function stored(phone: Phone): Promise<string> {
  const db = await openDatabase(phone.deps.database)
  const all = await Promise.all(STORES.map((store) => db.getAll(store)))
  db.close()
  return JSON.stringify(all)
}

it("a supervisor's phone finds tickets by name once somebody is signed on, and stores nothing of them", async () => {
  await using world = await World.open({ event: { ...TEST_EVENT, scanners_see: 'name' }, tickets: TICKETS })
  await using phone = await ready(world, true)
  const { scanner } = phone
  await assert.rejects(scanner.lookUp('lovelace'), /Sign in first/)
  scanner.signOn('Rui')
  await assert.rejects(scanner.lookUp('lo'), /at least 3 letters/)
  const { tickets, more } = await scanner.lookUp('lovel')
  assert.deepEqual([tickets.map(({ holder }) => holder), more], [['Ada Lovelace', 'Bob Lovelock'], false])
  const [{ bytes } = assert.fail()] = world.box.ledger.read(world.box.ledger.size - 1, 1)
  assert.equal(JSON.parse(bytes.toString()).actor, 'Rui')
  assert.doesNotMatch(await stored(phone), /lovel/i)
})

it('a phone that is alone says that the names are at the box, and finds them once it is back', async () => {
  await using world = await World.open({ event: { ...TEST_EVENT, scanners_see: 'name' }, tickets: TICKETS })
  await using phone = await ready(world, true)
  const { scanner } = phone
  scanner.signOn('Rui')
  phone.go(false)
  await assert.rejects(scanner.lookUp('lovelace'), /needs the box, which does not answer/)
  phone.go(true)
  await until(() => scanner.link.value.state === 'reachable', 'the box answers')
  assert.equal((await scanner.lookUp('lovelace')).tickets.length, 1)
})

it('a phone of another kind is told by the box who looks up, and why nobody does where the event shows no names', async () => {
  await using world = await World.open({ tickets: TICKETS })
  await using plain = await ready(world, false)
  await using supervisor = await ready(world, true)
  for (const { scanner } of [plain, supervisor]) scanner.signOn('Rui')
  await assert.rejects(plain.scanner.lookUp('lovelace'), /Only a supervisor's scanner can do this/)
  await assert.rejects(supervisor.scanner.lookUp('lovelace'), /Scanners show no names at this event/)
  assert.equal(supervisor.scanner.ended.value, null, 'a refusal ends no pairing')
})
