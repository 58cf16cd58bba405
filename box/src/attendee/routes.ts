/** The attendee tier: open routes whose only credential is the ticket id in the path, and once claimed the phone's key. */
import { createHash } from 'node:crypto'
import { format, type HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import { replayCache, requestedUrl, verifyRequest } from '@gatehouse/proto/signature.ts'
import { Announcements, Claimed, ClaimRequest, TicketParams, TicketView } from '@gatehouse/proto/wire/attendee.ts'
import { Nearby } from '@gatehouse/proto/wire/venue.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type AnnouncementDeps, currentAnnouncements } from '../announcements/announcements.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import { inSteadyTime } from '../http/steady-time.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import type { Ticket } from '../ledger/schema.ts'
import { type ClaimDeps, claimTicket } from '../tickets/claim.ts'
import { verifyEd25519 } from '../tickets/codes.ts'
import { noSuchTicket } from '../tickets/tickets.ts'
import type { Venue } from '../venue/venue.ts'
import { mapFor, nearby } from './nearby.ts'
import { viewOf } from './view.ts'

export interface AttendeeDeps extends ClaimDeps, AnnouncementDeps {
  clock: HybridLogicalClock
  venue: Venue
  eventTag: Uint8Array
  /** By address, for ids that are none: whoever guesses is slowed down, and everybody behind one address is not. */
  missBuckets: TokenBuckets
}

export function attendeeRoutes(app: App, deps: AttendeeDeps): void {
  const { event, tickets, now } = deps
  const seen = replayCache()

  app.get(
    '/v1/ticket/:id',
    {
      schema: {
        operationId: 'ticket',
        summary: 'The ticket as its holder sees it; once claimed, only for requests signed by the claiming key.',
        params: TicketParams,
        response: { 200: TicketView, ...failures('not_allowed', 'not_found', 'rate_limited') },
      },
    },
    (request, reply) =>
      inSteadyTime(async () => {
        const ticket = await openTicket(request)
        reply.header('cache-control', 'no-store')
        const { clock, eventTag } = deps
        return viewOf(ticket, tickets.movementsOf(ticket.id), { event, eventTag, hlc: format(clock.now()) })
      }),
  )

  app.post(
    '/v1/ticket/:id/claim',
    {
      schema: {
        operationId: 'claim',
        summary: "Make the ticket this phone's own: forwarded links stop working.",
        params: TicketParams,
        body: ClaimRequest,
        response: {
          200: Claimed,
          ...failures('bad_request', 'not_found', 'conflict', 'rate_limited', 'ledger_unavailable'),
        },
      },
    },
    (request) =>
      inSteadyTime(async () => {
        limitMisses(request)
        const claimedAt = await claimTicket(request.params.id, request.body, deps)
        return { claimed: true as const, claimed_at: new Date(claimedAt).toISOString() }
      }),
  )

  app.get(
    '/v1/ticket/:id/nearby',
    {
      schema: {
        operationId: 'nearby',
        summary: 'Amenities by walking time, over ways and in zones that the ticket may use.',
        params: TicketParams,
        querystring: Type.Object(
          {
            step_free: Type.Optional(Type.Boolean()),
            from: Type.Optional(
              Type.String({ maxLength: 64, description: 'A checkpoint; where last seen when absent' }),
            ),
            category: Type.Optional(Type.String({ maxLength: 64, description: 'IMDF amenity category' })),
          },
          { additionalProperties: false },
        ),
        response: { 200: Nearby, ...failures('bad_request', 'not_allowed', 'not_found', 'rate_limited') },
      },
    },
    (request) =>
      inSteadyTime(async () => {
        const { step_free = false, from, category } = request.query
        const query = { from, category, stepFree: step_free }
        const routes = mapFor(query, deps)
        const ticket = await openTicket(request)
        return { amenities: nearby(ticket.tier, tickets.movementsOf(ticket.id), query, { event, routes }) }
      }),
  )

  app.get(
    '/v1/announcements',
    {
      schema: {
        operationId: 'announcements',
        summary:
          "The organiser's messages in force, emergencies first, then newest first, each signed by the box's verifier key.",
        querystring: Type.Object(
          { zone: Type.Optional(Type.String({ maxLength: 64, description: 'Only what concerns this zone' })) },
          { additionalProperties: false },
        ),
        response: { 200: Announcements, ...failures('bad_request') },
      },
    },
    async (request) => ({ announcements: currentAnnouncements(deps, request.query.zone) }),
  )

  /** The ticket of the path, for whoever may see it. @throws GatehouseError */
  async function openTicket(request: FastifyRequest<{ Params: { id: string } }>): Promise<Ticket> {
    const ticket = limitMisses(request)
    if (!ticket) throw noSuchTicket()
    if (ticket.claimedAt === null || (await signedBy(ticket.publicKey, request))) return ticket
    throw new GatehouseError('not_allowed', 'This ticket was claimed on another phone: open it there.')
  }

  /** Ids that are tickets pass at any rate: a limit on them would shut out everybody who shares an address. */
  function limitMisses(request: FastifyRequest<{ Params: { id: string } }>): Ticket | undefined {
    const ticket = tickets.byRef(tickets.refOf(request.params.id))
    if (!ticket) deps.missBuckets.require(request.ip, 'Too many wrong links from here: wait a minute, then open yours.')
    return ticket
  }

  async function signedBy(publicKey: Buffer, request: FastifyRequest): Promise<boolean> {
    const url = requestedUrl(request.protocol, request.headers.host, request.url)
    if (url === undefined) return false
    const { ok } = await verifyRequest(
      { method: request.method, url, headers: request.headers },
      {
        now: now(),
        keyFor: (keyId) =>
          keyId === publicKey.toString('base64url')
            ? { alg: 'ed25519', verify: (base, signature) => verifyEd25519(publicKey, base, signature) }
            : undefined,
        seen,
        sha256: (bytes) => createHash('sha256').update(bytes).digest(),
      },
    )
    return ok
  }
}
