/** A member that was removed stays out, whatever it still has: its invite, its id, its key. Over real HTTPS, at a real box. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import type { InvitedRole } from '../../src/ca/box-invite.ts'
import { boxKeyOf, encodePublicKey } from '../../src/mesh/encryption/box-key.ts'
import { mintMeshInvite } from '../../src/mesh/membership/invites.ts'
import { joinRequest } from '../../src/mesh/membership/join-request.ts'
import { type PinnedClient, pinnedClient } from '../../src/mesh/membership/pinned-client.ts'
import {
  openTopology,
  rolesFor,
  signedTopology,
  signTopology,
  type Topology,
  withAddress,
} from '../../src/mesh/topology.ts'
import { originOf, signingKey, verifierKey } from '../../src/seal/verifier-key.ts'
import { World } from '../world/world.ts'
import { voterRequest } from './engines.ts'

// Several boxes need a nats-server; what is shown here does not.
const ALONE = { GATEHOUSE_NATS_SERVER: '/nonexistent/nats-server' }
const EVENT = 'test-fair'

describe('a removed member', () => {
  let world: World
  let inviter: PinnedClient
  beforeEach(async () => {
    world = await World.open({ environment: ALONE })
    inviter = pinnedClient(world.box.baseUrl, await world.ca)
  })
  afterEach(async () => {
    await inviter[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const code = async (as: InvitedRole) => {
    const { ledger, boxId } = world.box
    const wanted = { as, by: COMMAND_LINE, reason: 'a test' }
    return (await mintMeshInvite(wanted, { ledger, boxId, now: () => world.now(), random: randomBytes })).code
  }

  /** A machine that comes with an invite, as the programs of box and voter do it. */
  function machine(id: string, seed = randomBytes(32)) {
    const key = signingKey(seed)
    const encryption_key = encodePublicKey(boxKeyOf(seed))
    const box = {
      ...{ id, name: id, log_key: verifierKey(originOf(EVENT, id), key), host: '127.0.0.1' },
      ...{ ports: { route: 6222, leaf: 7422 }, https: 'https://127.0.0.1:1', device: 'https://127.0.0.1:2' },
    }
    const asks = async (path: string, invite: string) => {
      const answer = await inviter.post(
        path,
        joinRequest(invite, path === '/v1/mesh/voter' ? box : { ...box, encryption_key }, key),
      )
      return said(answer)
    }
    const said = async (answer: Response) => {
      const text = await answer.text()
      return { status: answer.status, code: answer.ok ? undefined : (JSON.parse(text) as { code: string }).code }
    }
    return {
      id,
      seed,
      votes: async (invite: string) => said(await inviter.post('/v1/mesh/voter', voterRequest(invite, box, key))),
      downloads: (invite: string) => asks('/v1/mesh/bundle', invite),
      joins: (invite: string) => asks('/v1/mesh/join', invite),
    }
  }

  const list = async () => {
    const listed = (await (await world.admin()).GET('/v1/admin/mesh')).data?.listed
    assert.ok(listed)
    return { epoch: listed.epoch, version: listed.version, ids: listed.boxes.map(({ box_id }) => box_id) }
  }
  const remove = async (box_id: string) => {
    const body = { box_id, actor: 'Ada', reason: 'It was stolen.', is_off: true }
    const { response } = await (await world.admin()).POST('/v1/admin/mesh/remove', { body })
    assert.equal(response.status, 200)
  }
  const added = async (id: string, as: InvitedRole = 'box') => {
    const [one, invite] = [machine(id), await code(as)]
    if (as === 'voter') assert.equal((await one.votes(invite)).status, 200)
    else for (const asking of [one.downloads, one.joins]) assert.equal((await asking(invite)).status, 200)
    return { ...one, invite }
  }

  it('does not take a vote again with the invite that it had used', async () => {
    await added('box-other')
    const voter = await added('box-voter', 'voter')
    assert.equal((await voter.votes(voter.invite)).status, 200, 'it may ask again while it is a member')
    const before = await list()
    await remove(voter.id)
    const removed = await list()
    assert.equal(removed.epoch, before.epoch + 1, 'it had a vote')
    const again = await voter.votes(voter.invite)
    assert.deepEqual([again.status, again.code], [409, 'conflict'])
    assert.deepEqual(await list(), removed, 'nobody votes who did not before, and no epoch begins')
  })

  it('gets neither the event nor a place with the invite that it had used', async () => {
    const box = await added('box-stolen')
    await remove(box.id)
    const removed = await list()
    const size = world.box.ledger.size
    for (const asking of [box.downloads, box.joins]) assert.equal((await asking(box.invite)).code, 'conflict')
    assert.deepEqual(await list(), removed)
    assert.equal(world.box.ledger.size, size, 'nothing was made for it')
  })

  it('is not helped by a further invite: its id and its key have ended', async () => {
    const box = await added('box-gone')
    await remove(box.id)
    const removed = await list()
    const same = machine(box.id, box.seed)
    assert.equal((await same.joins(await code('box'))).code, 'conflict', 'id and key')
    assert.equal((await machine(box.id).joins(await code('box'))).code, 'conflict', 'its id with another key')
    assert.equal((await machine('box-new', box.seed).joins(await code('box'))).code, 'conflict', 'its key, another id')
    assert.equal((await machine(box.id).votes(await code('voter'))).code, 'conflict')
    assert.deepEqual(await list(), removed)
  })

  it('does not let a newcomer take its id, or one that an invite has promised to another', async () => {
    const [promised, invite] = [machine('box-promised'), await code('box')]
    assert.equal((await promised.downloads(invite)).status, 200)
    const thief = machine(promised.id)
    assert.equal((await thief.joins(await code('box'))).code, 'conflict')
    assert.equal((await promised.joins(invite)).status, 200)
    assert.equal((await thief.joins(await code('box'))).code, 'conflict', 'nor when it is listed')
  })

  it('stays out where a box of the version before had removed it, whose list does not say so', async () => {
    const [box, voter] = [await added('box-before'), await added('voter-before', 'voter')]
    const { event, epoch, version, boxes } = known()
    const own = boxes.flatMap(({ link_keys: _, encryption_key: __, key_signature: ___, ...each }) =>
      each.id === world.box.boxId ? each : [],
    )
    await receives({ v: 1, event, epoch, version: version + 1, boxes: rolesFor(own) })
    const removed = await list()
    assert.deepEqual(removed.ids, [world.box.boxId])
    for (const asking of [box.downloads, box.joins]) assert.equal((await asking(box.invite)).code, 'conflict')
    assert.equal((await voter.votes(voter.invite)).code, 'invite_used')
    assert.deepEqual(await list(), removed)
  })

  it('is not brought back by a part of the event that had not heard of it', async () => {
    const box = await added('box-cut')
    // Meanwhile another box, which does not hear this one, writes down new addresses until its list is the newer one.
    let theirs = known()
    for (let port = 9000; port < 9010; port++)
      theirs = withAddress(theirs, box.id, { https: `https://127.0.0.1:${port}` })
    await remove(box.id)
    const answered = await receives(theirs)
    assert.deepEqual([answered.v, answered.boxes.map(({ id }) => id)], [4, [world.box.boxId]])
    assert.ok(answered.version > theirs.version, 'and that box hears of it')
    assert.equal((await box.joins(box.invite)).code, 'conflict')
  })

  const eventKey = () => signingKey(world.box.ledger.db.secrets.get('signing_seed') ?? Buffer.alloc(0))
  const known = () => openTopology(signedTopology(world.box.ledger.db) ?? '', eventKey(), EVENT)
  /** @returns the list that the box has after it was sent `topology` */
  async function receives(topology: Topology): Promise<Topology> {
    const answer = await inviter.post('/v1/mesh/topology', { topology: signTopology(topology, eventKey()) })
    const { topology: text } = (await answer.json()) as { topology: string }
    return openTopology(text, eventKey(), EVENT)
  }
})
