/** Signing in, and one's own session. The list of people and the tokens of programs are in `list-routes.ts`. */
import { ConfirmRequest, NewSession, OwnSecretRequest, OwnSession } from '@gatehouse/proto/wire/staff.ts'
import { Type } from 'typebox'
import { by } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import { type ListDeps, staffListRoutes } from './list-routes.ts'
import { openFor } from './new-session.ts'
import { type WaysInDeps, waysInRoutes } from './oidc/routes.ts'
import { isPerson, ownSession } from './own-session.ts'
import { type PasskeyDeps, passkeyRoutes } from './passkeys/routes.ts'
import type { SignIn } from './sign-in.ts'
import { type TabletDeps, tabletRoutes } from './tablet-routes.ts'

export interface StaffRouteDeps extends ListDeps, TabletDeps, WaysInDeps, PasskeyDeps {
  signIn: SignIn
}

export function staffRoutes(app: App, deps: StaffRouteDeps): void {
  signInRoute(app, deps)
  ownSessionRoutes(app, deps)
  ownSecretRoutes(app, deps)
  staffListRoutes(app, deps)
  tabletRoutes(app, deps)
  waysInRoutes(app, deps)
  passkeyRoutes(app, deps)
}

function signInRoute(app: App, { people, sessions }: StaffRouteDeps): void {
  app.post('/v1/admin/session', {
    schema: {
      operationId: 'signIn',
      summary: 'Sign in: name and PIN or password as HTTP Basic (RFC 7617, UTF-8); a bearer token comes out.',
      response: { 201: NewSession, ...failures('bad_token', 'rate_limited', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const person = people.find(request.staff?.person ?? '')
      if (!person)
        throw new GatehouseError('bad_token', 'Name or PIN is wrong: try again.', { reason: 'wrong_name_or_pin' })
      return reply.code(201).send(await openFor(sessions, person, request.ip))
    },
  })
}

function ownSessionRoutes(app: App, { people, sessions }: StaffRouteDeps): void {
  app.get('/v1/admin/session', {
    schema: {
      operationId: 'ownSession',
      summary: 'The sender of this request, as the box knows them.',
      response: { 200: OwnSession },
    },
    handler: async ({ staff }) => ({
      way: staff?.way ?? 'admin_token',
      role: staff?.role ?? 'viewer',
      name: staff?.name ?? null,
      person: staff?.person ?? null,
      session: isPerson(staff) ? (staff?.via ?? null) : null,
      people: people.list().length > 0,
    }),
  })

  app.post('/v1/admin/session/end', {
    schema: {
      operationId: 'signOut',
      summary: 'End the session that sends this.',
      response: { 204: Type.Null(), ...failures('conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      await sessions.end(ownSession(request), by(request))
      return reply.code(204).send(null)
    },
  })
}

function ownSecretRoutes(app: App, { people, sessions, signIn }: StaffRouteDeps): void {
  app.post('/v1/admin/session/confirm', {
    schema: {
      operationId: 'confirmSession',
      summary: 'Give PIN or password again: for two minutes the session may do what cannot be undone.',
      body: ConfirmRequest,
      response: { 204: Type.Null(), ...failures('not_allowed', 'conflict', 'rate_limited') },
    },
    handler: async (request, reply) => {
      const session = ownSession(request)
      await signIn.requireOwn(request.staff?.person ?? '', request.body.secret, request.ip)
      sessions.confirm(session)
      return reply.code(204).send(null)
    },
  })

  app.post('/v1/admin/session/secret', {
    schema: {
      operationId: 'changeOwnSecret',
      summary: "Change one's own PIN or password: every session of the person ends.",
      body: OwnSecretRequest,
      response: { 204: Type.Null(), ...failures('not_allowed', 'conflict', 'rate_limited', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      ownSession(request)
      const { current, secret } = request.body
      const person = request.staff?.person ?? ''
      await signIn.requireOwn(person, current, request.ip)
      await people.change(person, { secret }, by(request))
      return reply.code(204).send(null)
    },
  })
}
