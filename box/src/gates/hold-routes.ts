/** Holding a gate, and letting people in again (admin tier). */
import { randomUUID } from 'node:crypto'
import {
  HoldReleased,
  HoldReleaseRequest,
  HoldRequest,
  PlacedHold,
  PlacedHolds,
} from '@gatehouse/proto/wire/incidents.ts'
import { Type } from 'typebox'
import { by } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { HoldRow } from '../ledger/schema.ts'
import { type Holds, holdOf } from './holds.ts'

export interface HoldRouteDeps {
  event: Event
  holds: Holds
  /** Unix ms. */
  now: () => number
}

const GateParams = Type.Object({ id: Type.String({ maxLength: 128 }) })

export function holdAdminRoutes(app: App, deps: HoldRouteDeps): void {
  holdRoute(app, deps)
  releaseRoute(app, deps)
  app.get('/v1/admin/holds', {
    schema: {
      operationId: 'holds',
      summary: 'Gates through which nobody enters now.',
      response: { 200: PlacedHolds },
    },
    handler: async () => ({ holds: deps.holds.current().map((hold) => wireOf(hold, deps)) }),
  })
}

function holdRoute(app: App, deps: HoldRouteDeps): void {
  app.post('/v1/admin/gates/:id/hold', {
    schema: {
      operationId: 'holdGate',
      summary: 'Let nobody in through this gate until it is released or the hold expires. Exits stay open.',
      description: 'The new reason and expiry replace those of a hold that the gate has already.',
      params: GateParams,
      body: HoldRequest,
      response: { 201: PlacedHold, ...failures('bad_request', 'not_found', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { actor, reason } = request.body
      const gate = gateOf(request.params.id, deps.event)
      const expiresAt = expiryOf(request.body, deps.now())
      const hold = await deps.holds.place({ id: randomUUID(), gate, reason, expiresAt }, by(request, actor))
      return reply.code(201).send(wireOf(hold, deps))
    },
  })
}

function releaseRoute(app: App, { event, holds, now }: HoldRouteDeps): void {
  app.post('/v1/admin/gates/:id/release', {
    schema: {
      operationId: 'releaseGate',
      summary: 'Let people in through this gate again.',
      params: GateParams,
      body: HoldReleaseRequest,
      response: { 200: HoldReleased, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { actor, reason = null } = request.body
      const { gate, releasedAt } = await holds.release(gateOf(request.params.id, event), by(request, actor), reason)
      return { gate, released_at: new Date(releasedAt ?? now()).toISOString() }
    },
  })
}

function gateOf(id: string, { gateById }: Event): string {
  if (gateById.has(id)) return id
  const known = [...gateById.keys()].join(', ')
  throw new GatehouseError('not_found', `This event has no such gate: choose from ${known}.`, {
    reason: 'gate_unknown',
  })
}

function wireOf(hold: HoldRow, { event }: HoldRouteDeps): PlacedHold {
  const { id, gate, actor, placedAt } = hold
  const gate_name = event.gateById.get(gate)?.name ?? gate
  return { ...holdOf(hold), id, gate_name, actor, placed_at: new Date(placedAt).toISOString() }
}

/** Unix ms; null for a hold that stays until it is released. @throws GatehouseError `bad_request` */
function expiryOf({ expires_at, expires_in_seconds }: HoldRequest, now: number): number | null {
  if (expires_at !== undefined && expires_in_seconds !== undefined) {
    throw new GatehouseError('bad_request', 'Send "expires_at" or "expires_in_seconds", not both.')
  }
  if (expires_in_seconds !== undefined) return now + expires_in_seconds * 1000
  if (expires_at === undefined) return null
  const expiresAt = Date.parse(expires_at)
  if (expiresAt > now) return expiresAt
  throw new GatehouseError('bad_request', 'The field "expires_at" is in the past: the gate would not be held at all.')
}
