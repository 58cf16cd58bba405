/** A stranger behind the address of members uses up every rate of that address: members and newcomers go on. Over real HTTPS. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { boxKeyOf, encodePublicKey } from '../../src/mesh/encryption/box-key.ts'
import { mintMeshInvite } from '../../src/mesh/membership/invites.ts'
import { joinRequest } from '../../src/mesh/membership/join-request.ts'
import { MEMBER_HEADER, memberHeader } from '../../src/mesh/membership/member-header.ts'
import { type PinnedClient, pinnedClient } from '../../src/mesh/membership/pinned-client.ts'
import { signedTopology } from '../../src/mesh/topology.ts'
import { originOf, signingKey, verifierKey } from '../../src/seal/verifier-key.ts'
import { World } from '../world/world.ts'

const EVENT = 'test-fair'

describe('behind the address of a stranger', () => {
  let world: World
  let client: PinnedClient
  beforeEach(async () => {
    world = await World.open({ environment: { GATEHOUSE_NATS_SERVER: '/nonexistent/nats-server' } })
    world.holdRates()
    client = pinnedClient(world.box.baseUrl, await world.ca)
  })
  afterEach(async () => {
    await client[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  function machine(id: string) {
    const seed = randomBytes(32)
    const key = signingKey(seed)
    const box = {
      ...{ id, name: id, log_key: verifierKey(originOf(EVENT, id), key), host: '127.0.0.1' },
      ...{ ports: { route: 6222, leaf: 7422 }, https: 'https://127.0.0.1:1', device: 'https://127.0.0.1:2' },
      encryption_key: encodePublicKey(boxKeyOf(seed)),
    }
    const joins = async (code: string) => (await client.post('/v1/mesh/join', joinRequest(code, box, key))).status
    return { id, key, joins }
  }

  async function invite(): Promise<string> {
    const { ledger, boxId } = world.box
    const wanted = { as: 'box', by: COMMAND_LINE, reason: 'a test' } as const
    return (await mintMeshInvite(wanted, { ledger, boxId, now: () => world.now(), random: randomBytes })).code
  }

  /** Asks until the address may ask no more. */
  async function useUp(ask: () => Promise<number>): Promise<void> {
    for (let n = 0; n < 100; n++) if ((await ask()) === 429) return
    assert.fail('nothing bounds this')
  }

  it('a box exchanges its list, and a box that pretends to be it does not', async () => {
    const north = machine('box-north')
    assert.equal(await north.joins(await invite()), 200)
    const topology = signedTopology(world.box.ledger.db) ?? assert.fail()
    const exchange = async (headers?: Record<string, string>) =>
      (await client.post('/v1/mesh/topology', { topology }, undefined, headers)).status
    const asking = (key = north.key) => {
      const about = { event: EVENT, to: world.box.boxId, by: north.id, at: world.now() }
      return { [MEMBER_HEADER]: memberHeader(about, key) }
    }
    await useUp(() => exchange())
    assert.equal(await exchange(asking()), 200)
    assert.equal(await exchange(asking(machine('box-north').key)), 429)
    assert.equal(await exchange(asking()), 200)
    // A member has a rate, too.
    await useUp(() => exchange(asking()))
  })

  it('a box comes in with its invite', async () => {
    const stranger = machine('box-stranger')
    await useUp(() => stranger.joins(randomBytes(16).toString('base64url')))
    assert.equal(await machine('box-south').joins(await invite()), 200)
  })
})
