/** `POST /v1/mesh/topology`: boxes and voters exchange their lists of boxes here. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { GatehouseError } from '../../errors.ts'
import type { App } from '../../http/app.ts'
import { failures } from '../../http/openapi.ts'
import type { TokenBuckets } from '../../http/token-bucket.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { networkOf } from '../../network.ts'
import { VerifierKeys } from '../statement.ts'
import { TopologyError } from '../topology.ts'
import { MEMBER_HEADER, memberOf } from './member-header.ts'
import type { Membership } from './membership.ts'
import { replicatedCounts } from './topology-exchange.ts'

interface TopologyRouteDeps {
  eventId: string
  boxId: string
  ledger: Ledger
  membership: Membership
  /** By network, and by member. */
  buckets: TokenBuckets
  /** By network: how many headers with a wrong signature are checked. */
  forgeries: TokenBuckets
  /** Unix ms. */
  now: () => number
}

/** A list may be longer than the one here by its own length and this: thirty boxes more. */
const NEWS_BYTES = 64 * 1024

const TOO_MANY_LISTS = 'Too many lists of boxes from here: wait a moment.'

/** Anybody may send a list: only one that the event's key has signed is taken over. */
export function topologyRoute(app: App, deps: TopologyRouteDeps): void {
  const { boxId, ledger, membership } = deps
  const keys = new VerifierKeys()
  const Listed = Type.Object({ topology: Type.String({ maxLength: 700_000 }) })
  const Exchanged = Type.Object({
    box: Type.String(),
    topology: Type.String(),
    heard: Type.Record(Type.String(), Type.Integer()),
  })
  app.post('/v1/mesh/topology', {
    // A list of two hundred boxes is longer than any other request.
    bodyLimit: 1024 * 1024,
    // Before half a megabyte is read: anybody may send it.
    onRequest: (request, _reply, done) => {
      const { signed } = membership
      // Boxes have their first list from whoever invited them.
      if (signed === undefined) throw new GatehouseError('conflict', 'This box is alone: it has no list of boxes.')
      requireListRate(request, keys, deps)
      if (!(Number(request.headers['content-length']) <= 2 * signed.length + NEWS_BYTES)) {
        throw new GatehouseError(
          'too_large',
          'The list of boxes is much longer than the one here: ask for that one first.',
        )
      }
      done()
    },
    schema: {
      body: Listed,
      response: {
        200: Exchanged,
        ...failures('bad_request', 'conflict', 'too_large', 'rate_limited', 'ledger_unavailable'),
      },
    },
    handler: async (request) => {
      try {
        await membership.adopt(request.body.topology, request.ip)
      } catch (error) {
        if (!(error instanceof TopologyError)) throw error
        throw new GatehouseError('bad_request', error.message, { cause: error })
      }
      return { box: boxId, topology: membership.signed ?? '', heard: replicatedCounts(ledger, boxId) }
    },
  })
}

/** A member has a rate of its own where its network's is used up: a stranger may share its address. */
function requireListRate(
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
  keys: VerifierKeys,
  { boxId, buckets, forgeries, eventId, membership, now }: TopologyRouteDeps,
): void {
  const network = networkOf(ip)
  const retryAfterSeconds = buckets.take(`list ${network}`)
  if (retryAfterSeconds === 0) return
  forgeries.require(network, TOO_MANY_LISTS)
  const keyOf = (id: string) => keys.of(membership.topology?.boxes.find((box) => box.id === id)?.log_key)
  const member = memberOf(headers[MEMBER_HEADER], { event: eventId, to: boxId, now: now(), keyOf })
  if (member === undefined) throw new GatehouseError('rate_limited', TOO_MANY_LISTS, { retryAfterSeconds })
  forgeries.giveBack(network, 1)
  buckets.require(`list of ${member}`, TOO_MANY_LISTS)
}
