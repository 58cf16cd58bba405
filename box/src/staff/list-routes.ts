/** The list of people with their sessions, the tokens of other programs, and a new admin token: all of it an admin's. */
import {
  AddPersonRequest,
  type ApiToken,
  ApiTokens as ApiTokenList,
  ApiTokenRequest,
  ApiToken as ApiTokenShape,
  ByRequest,
  ChangePersonRequest,
  NewAdminToken,
  NewApiToken,
  StaffList,
  StaffPerson,
} from '@gatehouse/proto/wire/staff.ts'
import { Type } from 'typebox'
import { by } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ApiTokenRow, PersonRow } from '../ledger/staff-schema.ts'
import { acknowledgeUses, rotateAdminToken } from './admin-token.ts'
import type { ApiTokens } from './api-tokens.ts'
import type { People } from './people.ts'
import type { Sessions } from './sessions.ts'

export interface ListDeps {
  people: People
  sessions: Sessions
  apiTokens: ApiTokens
  ledger: Ledger
  dataDir: string
}

const OneId = Type.Object({ id: Type.String({ maxLength: 64 }) })

export function staffListRoutes(app: App, deps: ListDeps): void {
  peopleRoutes(app, deps)
  sessionRoutes(app, deps)
  tokenRoutes(app, deps)
  adminTokenRoute(app, deps)
}

function peopleRoutes(app: App, { people }: ListDeps): void {
  app.post('/v1/admin/staff', {
    schema: {
      operationId: 'addPerson',
      summary: 'Add somebody who may sign in.',
      body: AddPersonRequest,
      response: { 201: StaffPerson, ...failures('conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { actor, ...person } = request.body
      return reply.code(201).send(wirePerson(await people.add(person, by(request, actor))))
    },
  })

  app.post('/v1/admin/staff/:id', {
    schema: {
      operationId: 'changePerson',
      summary: 'Change name, role or PIN of somebody: their sessions end where role or PIN changes.',
      params: OneId,
      body: ChangePersonRequest,
      response: { 200: StaffPerson, ...failures('not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { actor, ...change } = request.body
      return wirePerson(await people.change(request.params.id, change, by(request, actor)))
    },
  })

  app.post('/v1/admin/staff/:id/remove', {
    schema: {
      operationId: 'removePerson',
      summary: 'Remove somebody: their sessions end, and their next request is refused.',
      params: OneId,
      body: ByRequest,
      response: { 204: Type.Null(), ...failures('not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      await people.remove(request.params.id, by(request, request.body.actor))
      return reply.code(204).send(null)
    },
  })
}

function sessionRoutes(app: App, { people, sessions }: ListDeps): void {
  app.get('/v1/admin/staff', {
    schema: {
      operationId: 'staff',
      summary: 'People who may sign in, and their sessions.',
      response: { 200: StaffList },
    },
    handler: async () => ({
      people: people.list().map(wirePerson),
      sessions: sessions.list().map((one) => ({
        session: one.id,
        person: one.person,
        name: people.find(one.person)?.name ?? '',
        device: one.deviceName,
        address: one.address,
        opened_at: iso(one.openedAt),
        used_at: iso(one.usedAt),
        expires_at: iso(one.expiresAt),
      })),
    }),
  })

  app.post('/v1/admin/sessions/:id/end', {
    schema: {
      operationId: 'endSession',
      summary: "End somebody's session: its streams close, its next request is refused.",
      params: OneId,
      body: ByRequest,
      response: { 204: Type.Null(), ...failures('not_found', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      await sessions.end(request.params.id, by(request, request.body.actor))
      return reply.code(204).send(null)
    },
  })
}

function tokenRoutes(app: App, { apiTokens }: ListDeps): void {
  app.get('/v1/admin/tokens', {
    schema: {
      operationId: 'apiTokens',
      summary: 'Tokens of other programs, with their last use here.',
      response: { 200: ApiTokenList },
    },
    handler: async () => ({ tokens: apiTokens.list().map(wireToken) }),
  })

  app.post('/v1/admin/tokens', {
    schema: {
      operationId: 'makeApiToken',
      summary: 'Make a token for another program. It is shown once.',
      body: ApiTokenRequest,
      response: { 201: NewApiToken, ...failures('conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { actor, days, ...wanted } = request.body
      const { row, token } = await apiTokens.make({ ...wanted, seconds: days * 86_400 }, by(request, actor))
      return reply.code(201).send({ token, api_token: wireToken(row) })
    },
  })

  app.post('/v1/admin/tokens/:id/revoke', {
    schema: {
      operationId: 'revokeApiToken',
      summary: 'Revoke the token of a program: its streams close, its next request is refused.',
      params: OneId,
      body: ByRequest,
      response: { 200: ApiTokenShape, ...failures('not_found', 'ledger_unavailable') },
    },
    handler: async (request) => wireToken(await apiTokens.revoke(request.params.id, by(request, request.body.actor))),
  })
}

function adminTokenRoute(app: App, { ledger, dataDir }: ListDeps): void {
  app.post('/v1/admin/token/rotate', {
    schema: {
      operationId: 'rotateAdminToken',
      summary: 'Replace the admin token: the one before opens nothing any more, at any box. The new one is shown once.',
      body: ByRequest,
      response: { 201: NewAdminToken, ...failures('ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const token = await rotateAdminToken(dataDir, ledger, by(request, request.body.actor))
      return reply.code(201).send({ token })
    },
  })

  app.post('/v1/admin/token/seen', {
    schema: {
      operationId: 'acknowledgeAdminToken',
      summary:
        'Say that one has seen that the admin token was used: its warning goes, at every box. For people who have signed in.',
      body: ByRequest,
      response: { 204: Type.Null(), ...failures('not_allowed', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      // A thief of the token would take its warning away.
      if (request.staff?.person === undefined)
        throw new GatehouseError(
          'not_allowed',
          'Sign in with your own name: the token cannot take its own warning away.',
          { reason: 'own_name_needed' },
        )
      await acknowledgeUses(ledger, by(request))
      return reply.code(204).send(null)
    },
  })
}

function wirePerson({ id, name, role, secret, addedAt }: PersonRow) {
  return { id, name, role, has_secret: secret !== null, added_at: iso(addedAt) }
}

function wireToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    operations: row.operations,
    made_at: iso(row.madeAt),
    expires_at: iso(row.expiresAt),
    revoked_at: row.revokedAt === null ? null : iso(row.revokedAt),
    last_used_at: row.lastUsedAt === null ? null : iso(row.lastUsedAt),
    last_address: row.lastAddress,
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
