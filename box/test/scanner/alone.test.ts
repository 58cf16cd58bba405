import '../../../scanner-pwa/src/words/in-english.ts'

/** A phone that is alone says what it cannot know of a ticket, also where no box has shown it any such ticket before. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Phone } from '../../../scanner-pwa/src/gate/testing.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { sayOfTicket } from '../world/details.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

/** Scans a ticket alone, having scanned none before. @returns what the phone says, and every manifest that it was sent */
async function aloneAt(world: World) {
  const ofBox = tlsFetch({ ca: await world.ca })
  const manifests: string[] = []
  const fetch = async (request: Request) => {
    const answer = await ofBox(request)
    if (new URL(request.url).pathname === '/v1/manifest') manifests.push(await answer.clone().text())
    return answer
  }
  await using phone = new Phone({ origin: world.box.baseUrl, fetch, now: () => world.now() })
  const scanner = await phone.open()
  await scanner.pair(await world.inviteLink(), 'Phone 1')
  scanner.choose('b-in')
  await until(() => scanner.mirror.value !== null, 'the phone has a list')
  phone.go(false)
  await phone.reopen()
  const { alone, blind, verdict } = await phone.scanner.scan('PLAIN')
  return { alone, blind, verdict: verdict.verdict, manifests: manifests.join() }
}

const TICKETS = ['PLAIN,once,,,,,,valid', 'ASKED,once,,,,,,valid']

it('says so by the mark of the manifest, which names no ticket', async () => {
  await using world = await World.open({ tickets: TICKETS })
  sayOfTicket(world.box.ledger.db, 'ASKED', { orderCode: 'SECRET-ORDER', attention: 1, personal: { note: 'Tall.' } })
  const { manifests, ...said } = await aloneAt(world)
  assert.deepEqual(said, { alone: true, blind: true, verdict: 'ADMIT' })
  assert.match(manifests, /"details":true/)
  assert.doesNotMatch(manifests, /SECRET-ORDER|Tall|attention|question/)
})

it('says nothing of it at an event whose tickets have no more than a tier, and whose manifest is as it was', async () => {
  await using world = await World.open({ tickets: TICKETS })
  const { manifests, ...said } = await aloneAt(world)
  assert.deepEqual(said, { alone: true, blind: undefined, verdict: 'ADMIT' })
  assert.doesNotMatch(manifests, /"details"/)
})
