/** The attendee tier: open routes whose only credential is the ticket id in the path, and once claimed the phone's key. */
import { format, type HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import {
  AnnouncementEvent,
  Announcements,
  Claimed,
  ClaimRequest,
  TicketParams,
  TicketView,
} from '@gatehouse/proto/wire/attendee.ts'
import { Nearby } from '@gatehouse/proto/wire/venue.ts'
import { type Static, Type } from 'typebox'
import type { AnnouncementBytes } from '../announcements/announcement-bytes.ts'
import type { AnnouncementDeps } from '../announcements/announcements.ts'
import type { WalletStreams } from '../announcements/wallet-streams.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import { inSteadyTime } from '../http/steady-time.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import { claimTicket } from '../tickets/claim.ts'
import type { TicketDeps } from '../tickets/tickets.ts'
import type { Venue } from '../venue/venue.ts'
import { type AccessDeps, TicketAccess } from './access.ts'
import { mapFor, nearby } from './nearby.ts'
import { viewOf } from './view.ts'

/** A key and a proof are 200 bytes. */
const CLAIM_LIMIT = 1024

export interface AttendeeDeps extends TicketDeps, AnnouncementDeps, AccessDeps {
  clock: HybridLogicalClock
  venue: Venue
  eventTag: Uint8Array
  /** By ticket: a phone claims its ticket once. */
  claimBuckets: TokenBuckets
  inForce: AnnouncementBytes
  walletStreams: WalletStreams
}

export function attendeeRoutes(app: App, deps: AttendeeDeps): void {
  const access = new TicketAccess(deps)
  ticketRoute(app, access, deps)
  claimRoute(app, access, deps)
  nearbyRoute(app, access, deps)
  announcementsRoute(app, deps)
  announcementStream(app, deps)
}

function ticketRoute(app: App, access: TicketAccess, { event, eventTag, tickets, clock }: AttendeeDeps): void {
  app.get('/v1/ticket/:id', {
    schema: {
      operationId: 'ticket',
      summary: 'The ticket as its holder sees it; once claimed, only for requests signed by the claiming key.',
      params: TicketParams,
      response: { 200: TicketView, ...failures('not_allowed', 'not_found', 'rate_limited') },
    },
    handler: (request, reply) =>
      inSteadyTime(async () => {
        const ticket = await access.open(request)
        reply.header('cache-control', 'no-store')
        return viewOf(ticket, tickets.movementsOf(ticket.id), { event, eventTag, hlc: format(clock.now()) })
      }),
  })
}

function claimRoute(app: App, access: TicketAccess, deps: AttendeeDeps): void {
  app.post('/v1/ticket/:id/claim', {
    bodyLimit: CLAIM_LIMIT,
    // Before the body is read and its signature checked.
    onRequest: (request, _reply, done) => {
      deps.claimBuckets.require(request.params.id, 'This ticket was claimed too often: wait a minute, then try again.')
      done()
    },
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
    handler: (request) =>
      inSteadyTime(async () => {
        access.find(request)
        const claimedAt = await claimTicket(request.params.id, request.body, deps)
        return { claimed: true as const, claimed_at: new Date(claimedAt).toISOString() }
      }),
  })
}

function nearbyRoute(app: App, access: TicketAccess, deps: AttendeeDeps): void {
  const { event, tickets } = deps
  app.get('/v1/ticket/:id/nearby', {
    schema: {
      operationId: 'nearby',
      summary: 'Amenities by walking time, over ways and in zones that the ticket may use.',
      params: TicketParams,
      querystring: Type.Object(
        {
          step_free: Type.Optional(Type.Boolean()),
          from: Type.Optional(Type.String({ maxLength: 64, description: 'A checkpoint; where last seen when absent' })),
          category: Type.Optional(Type.String({ maxLength: 64, description: 'IMDF amenity category' })),
        },
        { additionalProperties: false },
      ),
      response: { 200: Nearby, ...failures('bad_request', 'not_allowed', 'not_found', 'rate_limited') },
    },
    handler: (request) =>
      inSteadyTime(async () => {
        const { step_free = false, from, category } = request.query
        const query = { from, category, stepFree: step_free }
        const routes = mapFor(query, deps)
        const ticket = await access.open(request)
        return { amenities: nearby(ticket.tier, tickets.movementsOf(ticket.id), query, { event, routes }) }
      }),
  })
}

function announcementsRoute(app: App, { inForce }: AttendeeDeps): void {
  app.get('/v1/announcements', {
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
    handler: async (request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .send(inForce.of(request.query.zone) as unknown as Static<typeof Announcements>),
  })
}

function announcementStream(app: App, { walletStreams }: AttendeeDeps): void {
  app.get('/v1/announcements/stream', {
    // An answer to HEAD would never end.
    exposeHeadRoute: false,
    config: { isStream: true },
    schema: {
      operationId: 'announcementStream',
      summary: 'The announcements in force, each time that one is made, corrected or withdrawn, as server-sent events.',
      description:
        'Begins with the list. There are places for so many readers; without one, ask for the list now and then.',
      produces: ['text/event-stream'],
      response: { 200: AnnouncementEvent, ...failures('rate_limited') },
    },
    handler: (request, reply) => {
      walletStreams.open(request, reply)
    },
  })
}
