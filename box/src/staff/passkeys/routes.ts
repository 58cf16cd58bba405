/** Passkeys: signing in with one, one's own, and everybody's for an admin. */
import {
  NewPasskeyRequest,
  Passkey,
  PasskeyAnswer,
  PasskeyCreation,
  Passkeys as PasskeyList,
  PasskeyQuestion,
} from '@gatehouse/proto/wire/passkeys.ts'
import { ByRequest, NewSession } from '@gatehouse/proto/wire/staff.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { by } from '../../ca/actor.ts'
import { GatehouseError } from '../../errors.ts'
import type { App } from '../../http/app.ts'
import { failures } from '../../http/openapi.ts'
import type { PasskeyRow } from '../../ledger/staff-schema.ts'
import { openFor } from '../new-session.ts'
import { ownSession } from '../own-session.ts'
import type { People } from '../people.ts'
import type { Sessions } from '../sessions.ts'
import { type Adding, type Ceremonies, refused } from './ceremonies.ts'
import type { Passkeys } from './passkeys.ts'
import type { Site } from './webauthn.ts'

export interface PasskeyDeps {
  people: People
  sessions: Sessions
  passkeys: Passkeys
  ceremonies: Ceremonies
  /** The public name, while its certificate holds: a browser takes passkeys for no address and for no name with a warning. */
  publicName: () => string | undefined
  /** Base URL by which phones reach this box. */
  baseUrl: () => string
}

/** A credential id, an attestation without certificates, and the browser's JSON. */
const BODY_LIMIT = 10 * 1024
const OneId = Type.Object({ id: Type.String({ maxLength: 64 }) })

export function passkeyRoutes(app: App, deps: PasskeyDeps): void {
  enteringRoutes(app, deps)
  addingRoutes(app, deps)
  ownRoutes(app, deps)
  listRoutes(app, deps)
}

function enteringRoutes(app: App, deps: PasskeyDeps): void {
  const { ceremonies, sessions, passkeys } = deps

  app.post('/v1/admin/session/passkey', {
    schema: {
      operationId: 'beginWithPasskey',
      summary: 'Begin to sign in with a passkey: a challenge that is good once, for five minutes.',
      response: { 201: PasskeyQuestion, ...failures('not_found') },
    },
    handler: async (request, reply) =>
      reply.code(201).send(await ceremonies.beginEntering(requireSite(deps), request.ip)),
  })

  app.post('/v1/admin/session/passkey/finish', {
    bodyLimit: BODY_LIMIT,
    schema: {
      operationId: 'finishWithPasskey',
      summary: 'Sign in with what a passkey has signed, once; a bearer token comes out.',
      body: PasskeyAnswer,
      response: { 201: NewSession, ...failures('not_found', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { person, passkey } = await ceremonies.finishEntering(request.body, requireSite(deps), request.ip)
      const opened = await openFor(sessions, person, request.ip, { passkey })
      // Removed while the session was written: it was not there yet to be ended.
      if (!passkeys.isOpen(passkey)) {
        sessions.endOfPasskey(passkey)
        throw refused()
      }
      return reply.code(201).send(opened)
    },
  })
}

function addingRoutes(app: App, deps: PasskeyDeps): void {
  const { ceremonies } = deps

  app.post('/v1/admin/session/passkeys/begin', {
    schema: {
      operationId: 'beginPasskey',
      summary: 'Begin to add a passkey of whoever is signed in: what the browser makes it with.',
      response: { 201: PasskeyCreation, ...failures('not_found', 'conflict') },
    },
    handler: async (request, reply) =>
      reply.code(201).send(await ceremonies.beginAdding(ownOf(request), requireSite(deps), request.ip)),
  })

  app.post('/v1/admin/session/passkeys', {
    bodyLimit: BODY_LIMIT,
    schema: {
      operationId: 'addPasskey',
      summary: 'Add the passkey that the browser has made, to the session that began it.',
      body: NewPasskeyRequest,
      response: { 201: Passkey, ...failures('not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const own = ownOf(request)
      const row = await ceremonies.finishAdding(own, request.body, requireSite(deps), by(request))
      return reply.code(201).send(wirePasskey(row, deps))
    },
  })
}

function ownRoutes(app: App, deps: PasskeyDeps): void {
  const { passkeys } = deps

  app.get('/v1/admin/session/passkeys', {
    schema: {
      operationId: 'ownPasskeys',
      summary: 'Passkeys of whoever is signed in; none with the admin token.',
      response: { 200: PasskeyList },
    },
    handler: async ({ staff }) => ({
      passkeys: staff?.person === undefined ? [] : passkeys.list(staff.person).map((row) => wirePasskey(row, deps)),
    }),
  })

  app.post('/v1/admin/session/passkeys/:id/remove', {
    schema: {
      operationId: 'removeOwnPasskey',
      summary: "Remove one of one's own passkeys: sessions that it has opened end.",
      params: OneId,
      response: { 204: Type.Null(), ...failures('not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      await passkeys.remove(request.params.id, by(request), ownOf(request).person)
      return reply.code(204).send(null)
    },
  })
}

function listRoutes(app: App, deps: PasskeyDeps): void {
  const { people, passkeys } = deps

  app.get('/v1/admin/passkeys', {
    schema: {
      operationId: 'passkeys',
      summary: 'Passkeys of everybody who may sign in, with their last use here.',
      response: { 200: PasskeyList },
    },
    handler: async () => ({
      passkeys: passkeys
        .list()
        .filter(({ person }) => people.find(person))
        .map((row) => wirePasskey(row, deps)),
    }),
  })

  app.post('/v1/admin/passkeys/:id/remove', {
    schema: {
      operationId: 'removePasskey',
      summary: "Remove somebody's passkey: sessions that it has opened end, and their streams close.",
      params: OneId,
      body: ByRequest,
      response: { 204: Type.Null(), ...failures('not_found', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      await passkeys.remove(request.params.id, by(request, request.body.actor))
      return reply.code(204).send(null)
    },
  })
}

/** @throws GatehouseError `not_found` where the box has no public name that holds now */
function requireSite({ publicName, baseUrl }: PasskeyDeps): Site {
  const name = publicName()
  if (name !== undefined) return { name, origin: new URL(baseUrl()).origin }
  throw new GatehouseError('not_found', 'This box has no public name, and so no passkeys: use name and PIN.', {
    reason: 'no_passkeys',
  })
}

/** @throws GatehouseError `conflict` where nobody is signed in with a name */
function ownOf(request: FastifyRequest): Adding {
  return { session: ownSession(request), person: request.staff?.person ?? '' }
}

function wirePasskey(row: PasskeyRow, { people }: Pick<PasskeyDeps, 'people'>): Passkey {
  const { id, person, name, site, addedAt, lastUsedAt, lastAddress } = row
  return {
    ...{ id, person, owner: people.find(person)?.name ?? '', name, site },
    added_at: new Date(addedAt).toISOString(),
    last_used_at: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
    last_address: lastAddress,
  }
}
