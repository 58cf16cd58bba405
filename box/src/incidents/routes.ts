/** Incidents: gates report and follow them (device tier), the control room acts on them (admin tier). */
import {
  AddedNote,
  INCIDENT_STATES,
  Incident,
  IncidentActionRequest,
  IncidentReport,
  Incidents,
} from '@gatehouse/proto/wire/incidents.ts'
import { Id } from '@gatehouse/proto/wire/terms.ts'
import { Type } from 'typebox'
import { addressOf, by } from '../ca/actor.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import type { SignOns } from '../staff/sign-ons.ts'
import { addNote, withdraw } from './added.ts'
import { board, incidentsOf } from './board.ts'
import { act, checkpointOf, type IncidentDeps, report } from './incidents.ts'

type ReportDeps = IncidentDeps & { buckets: TokenBuckets; signOns: Pick<SignOns, 'known'> }

const IncidentParams = Type.Object({ id: Type.String({ maxLength: 128 }) })
const TOO_OFTEN = 'This scanner reports more than a person can: call on the radio.'

export function incidentRoutes(app: App, deps: ReportDeps): void {
  ownReportRoutes(app, deps)
  app.post('/v1/incidents', {
    schema: {
      operationId: 'reportIncident',
      summary: 'Call the control room. The box attaches gate, zone, queue and occupancy.',
      description: '201 for a new incident, 200 when the same report comes again: the incident as it stands by then.',
      body: IncidentReport,
      response: {
        200: Incident,
        201: Incident,
        ...failures('bad_request', 'not_allowed', 'not_found', 'conflict', 'rate_limited', 'ledger_unavailable'),
      },
    },
    handler: async (request, reply) => {
      deps.buckets.require(request.device.id, TOO_OFTEN)
      const { incident, isNew } = await report(request.body, deps.signOns.known(request.device), deps)
      return reply.code(isNew ? 201 : 200).send(incident)
    },
  })

  app.get('/v1/incidents', {
    schema: {
      operationId: 'incidents',
      summary: "This gate's incidents, and every emergency anywhere that is not over.",
      querystring: Type.Object(
        {
          checkpoint: Type.Optional(
            Type.Unsafe<string>({
              ...Id,
              description:
                "Where the device scans now: its gate's alone. When absent, those of every gate of the device",
            }),
          ),
        },
        { additionalProperties: false },
      ),
      response: { 200: Incidents, ...failures('bad_request', 'not_allowed', 'not_found') },
    },
    handler: async ({ query, device }) => {
      const here = query.checkpoint === undefined ? undefined : checkpointOf(query.checkpoint, device, deps.event)
      return { incidents: incidentsOf(here ? [here.gate] : gatesOf(device.checkpoints), deps) }
    },
  })

  function gatesOf(checkpoints: ReadonlySet<string>): string[] {
    return [...new Set([...checkpoints].flatMap((id) => deps.event.checkpointById.get(id)?.gate ?? []))]
  }
}

/** A report, by the scanner that has made it. */
function ownReportRoutes(app: App, deps: ReportDeps): void {
  app.post('/v1/incidents/:id/notes', {
    schema: {
      operationId: 'addIncidentNote',
      summary: "Add a note to this scanner's own report.",
      description: 'The same note again adds nothing.',
      params: IncidentParams,
      body: AddedNote,
      response: {
        200: Incident,
        ...failures('bad_request', 'not_allowed', 'not_found', 'conflict', 'rate_limited', 'ledger_unavailable'),
      },
    },
    handler: async (request) => {
      deps.buckets.require(request.device.id, TOO_OFTEN)
      return addNote(request.params.id, request.body, deps.signOns.known(request.device), deps)
    },
  })

  app.post('/v1/incidents/:id/withdraw', {
    schema: {
      operationId: 'withdrawIncident',
      summary: "Close this scanner's own report as a false alarm.",
      description: 'One that is over stays as it is: the answer has its state.',
      params: IncidentParams,
      response: {
        200: Incident,
        ...failures('bad_request', 'not_allowed', 'not_found', 'conflict', 'rate_limited', 'ledger_unavailable'),
      },
    },
    handler: async (request) => {
      deps.buckets.require(request.device.id, TOO_OFTEN)
      return withdraw(request.params.id, deps.signOns.known(request.device), addressOf(request.ip), deps)
    },
  })
}

const State = Type.Enum([...INCIDENT_STATES])

export function incidentAdminRoutes(app: App, deps: IncidentDeps): void {
  app.get('/v1/admin/incidents', {
    schema: {
      operationId: 'incidentBoard',
      summary: 'Unacknowledged incidents first, emergencies before the rest, then the latest: a thousand at most.',
      querystring: Type.Object(
        {
          state: Type.Optional(
            Type.Array(State, { maxItems: INCIDENT_STATES.length, description: 'Only these; may be repeated' }),
          ),
        },
        { additionalProperties: false },
      ),
      response: { 200: Incidents, ...failures('bad_request') },
    },
    handler: async (request) => ({ incidents: board(deps, request.query.state) }),
  })

  app.post('/v1/admin/incidents/:id', {
    schema: {
      operationId: 'actOnIncident',
      summary: 'Acknowledge, assign, resolve or cancel. Steps may be skipped, not gone back.',
      params: IncidentParams,
      body: IncidentActionRequest,
      response: { 200: Incident, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => act(request.params.id, { ...request.body, ...by(request, request.body.actor) }, deps),
  })
}
