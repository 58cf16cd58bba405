import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { GatehouseError } from '../../errors.ts'
import { createApp } from '../../http/app.ts'
import { TokenBuckets } from '../../http/token-bucket.ts'
import { createLogger } from '../../log.ts'
import { originOf, signingKey, verifierKey } from '../../seal/verifier-key.ts'
import { boxKeyOf, encodePublicKey } from '../encryption/box-key.ts'
import { TopologyError } from '../topology.ts'
import { joinRequest } from './join-request.ts'
import { type JoinRouteDeps, joinRoutes } from './join-routes.ts'
import { MEMBER_HEADER, memberHeader } from './member-header.ts'

const NOW = 1_800_000_000_000
const WRONG = 5

/** The routes of a box that lists `box-north`. A join that passes the check of its proof is a conflict: nothing follows here. */
function listing() {
  const clock = { ms: 0 }
  const buckets = (burst: number) => new TokenBuckets({ perSecond: 1, burst, now: () => clock.ms })
  const key = signingKey(randomBytes(32))
  const box = {
    ...{ id: 'box-north', name: 'North', log_key: verifierKey(originOf('fair', 'box-north'), key), host: '127.0.0.1' },
    ...{ ports: { route: 6222, leaf: 7422 }, https: 'https://127.0.0.1:1', device: 'https://127.0.0.1:2' },
    encryption_key: encodePublicKey(boxKeyOf(randomBytes(32))),
  }
  const adopt = () => Promise.reject(new TopologyError('This is no list of boxes.'))
  const app = createApp({ logger: createLogger('silent') })
  joinRoutes(app, {
    ...{ eventId: 'fair', boxId: 'box-south', now: () => NOW, buckets: buckets(40), forgeries: buckets(WRONG) },
    membership: { topology: { boxes: [box] }, signed: '{}', isListed: () => true, adopt },
    self: () => Promise.reject(new GatehouseError('conflict', 'The proof was good.')),
  } as unknown as JoinRouteDeps)
  const ask = async (url: string, payload: object, headers = {}) =>
    (await app.inject({ method: 'POST', url, payload, headers })).statusCode
  const joins = (by = key) => ask('/v1/mesh/join', joinRequest('code', box, by))
  const exchanges = (by?: typeof key) => {
    const about = { event: 'fair', to: 'box-south', by: box.id, at: NOW }
    return ask('/v1/mesh/topology', { topology: 'no list' }, by && { [MEMBER_HEADER]: memberHeader(about, by) })
  }
  return { clock, key, joins, exchanges }
}

describe('wrong signatures under the key of a member', () => {
  it('of proofs are checked at a rate; good ones do not count', async () => {
    const { clock, joins } = listing()
    for (let n = 0; n < 2 * WRONG; n++) assert.equal(await joins(), 409)
    const thief = signingKey(randomBytes(32))
    for (let n = 0; n < WRONG; n++) assert.equal(await joins(thief), 400)
    assert.equal(await joins(thief), 429)
    clock.ms += 1_000
    assert.equal(await joins(), 409)
  })

  it('of headers are checked at the same rate', async () => {
    const { clock, key, joins, exchanges } = listing()
    for (let n = 0; n < 40; n++) assert.equal(await exchanges(), 400)
    const thief = signingKey(randomBytes(32))
    for (let n = 0; n < 2 * WRONG; n++) assert.equal(await exchanges(key), 400)
    for (let n = 0; n < WRONG; n++) assert.equal(await exchanges(thief), 429)
    // None is checked any more, so a good one is not found either.
    assert.equal(await exchanges(key), 429)
    assert.equal(await joins(), 429)
    clock.ms += 1_000
    assert.equal(await joins(), 409)
  })
})
