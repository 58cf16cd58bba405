/** `GET /v1/guidance` and `POST /v1/queue` (device tier): where a ticket should go next, and how long the queue is here. */
import { isServed, servingCheckpoints } from '@gatehouse/proto/serving.ts'
import { Count, Id, Shape } from '@gatehouse/proto/wire/terms.ts'
import { Guidance } from '@gatehouse/proto/wire/venue.ts'
import { Type } from 'typebox'
import { GatehouseError } from '../errors.ts'
import type { Checkpoint, Event } from '../event/event.ts'
import type { Holds } from '../gates/holds.ts'
import type { Lanes } from '../gates/lanes.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { TicketDeps } from '../tickets/tickets.ts'
import { guide, type Lane } from '../venue/guidance.ts'
import { type Venue, walkingSeconds } from '../venue/venue.ts'

export interface GuidanceDeps extends Omit<TicketDeps, 'ledger'> {
  event: Event
  venue: Venue
  lanes: Lanes
  holds: Holds
}

const QueueReport = Shape('QueueReport', { checkpoint: Id, people: Type.Integer({ minimum: 0, maximum: 100_000 }) })
const QueueState = Shape('QueueState', { checkpoint: Type.String(), people: Count })

export function guidanceRoutes(app: App, deps: GuidanceDeps): void {
  guidanceRoute(app, deps)
  queueRoute(app, deps)
}

function guidanceRoute(app: App, deps: GuidanceDeps): void {
  const { event, tickets, codes } = deps
  app.get('/v1/guidance', {
    schema: {
      operationId: 'guidance',
      summary: 'The gate that a ticket should go to from here: the shortest walk and wait together.',
      querystring: Type.Object(
        {
          payload: Type.String({ minLength: 1, maxLength: 1024, description: 'The code as read' }),
          from: Type.Optional(
            Type.String({ maxLength: 64, description: "Where; the device's first checkpoint when absent" }),
          ),
        },
        { additionalProperties: false },
      ),
      response: { 200: Guidance, ...failures('bad_request', 'not_found', 'conflict') },
    },
    handler: async (request) => {
      const { payload, from } = request.query
      const ticket = tickets.openedBy(codes.read(payload))
      if (!ticket)
        throw new GatehouseError('not_found', 'No ticket for this event has this code: try the code again.', {
          reason: 'not_a_ticket',
        })
      const here = event.checkpointById.get(from ?? [...request.device.checkpoints][0] ?? '')
      if (!here)
        throw new GatehouseError('not_found', 'This box knows no such checkpoint: choose one of this device.', {
          reason: 'checkpoint_unknown',
        })
      const isHeld = (gate: string) => deps.holds.on(gate) !== undefined
      const serving = servingCheckpoints(event.checkpoints, ticket.tier, here, { at: deps.now(), isHeld })
      if (serving.length === 0 && isServed(event.checkpoints, ticket.tier)) {
        throw new GatehouseError('conflict', 'Every gate for this ticket is on hold: let the person wait here.', {
          reason: 'gates_on_hold',
        })
      }
      // Somebody who has not passed the gate here cannot be sent to a checkpoint behind it.
      const fromHere = serving.filter((to) => to.from === here.from)
      const answer = guide((fromHere.length > 0 ? fromHere : serving).map((to) => laneTo(here, to, deps)))
      if (!answer)
        throw new GatehouseError('not_found', 'No gate serves this ticket type: send to the ticket desk.', {
          reason: 'no_gate_serves',
        })
      return answer
    },
  })
}

function laneTo(here: Checkpoint, to: Checkpoint, { venue, lanes }: GuidanceDeps): Lane {
  return {
    checkpoint: to.id,
    checkpoint_name: to.name,
    walking_seconds: walkingSeconds(venue, here, to.id),
    queue: lanes.queue(to.id),
    per_minute: lanes.perMinute(to.id),
  }
}

function queueRoute(app: App, { lanes }: GuidanceDeps): void {
  app.post('/v1/queue', {
    schema: {
      operationId: 'reportQueue',
      summary: 'Reports the number of people who wait at a checkpoint; good for ten minutes.',
      body: QueueReport,
      response: { 200: QueueState, ...failures('bad_request', 'not_allowed') },
    },
    handler: async (request) => {
      const { checkpoint, people } = request.body
      if (!request.device.checkpoints.has(checkpoint)) {
        throw new GatehouseError(
          'not_allowed',
          'This scanner was not invited to that checkpoint: report on your own.',
          { reason: 'checkpoint_of_other' },
        )
      }
      lanes.report(checkpoint, people)
      return { checkpoint, people }
    },
  })
}
