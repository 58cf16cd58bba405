/** The ways in that this box has, and signing in with the organiser's provider. */
import { BegunAtProvider, ProviderAnswer, WaysIn } from '@gatehouse/proto/wire/sign-in.ts'
import { NewSession } from '@gatehouse/proto/wire/staff.ts'
import { GatehouseError } from '../../errors.ts'
import type { App } from '../../http/app.ts'
import { failures } from '../../http/openapi.ts'
import { openFor } from '../new-session.ts'
import type { Sessions } from '../sessions.ts'
import type { ProviderSignIn } from './sign-in.ts'

export interface WaysInDeps {
  sessions: Sessions
  /** Undefined where the organiser has none. */
  providerSignIn: ProviderSignIn | undefined
  /** Base URL by which phones reach this box. */
  baseUrl: () => string
  /** The public name, while its certificate holds. */
  publicName: () => string | undefined
}

export function waysInRoutes(app: App, { sessions, providerSignIn, baseUrl, publicName }: WaysInDeps): void {
  /** The port is left out where it is the usual one, as the provider compares the address letter by letter. */
  const address = () => new URL('/dashboard/', baseUrl()).href
  const required = () => {
    if (providerSignIn) return providerSignIn
    throw new GatehouseError('not_found', 'This box has no sign-in of an organiser: use name and PIN.')
  }

  app.get('/v1/admin/session/ways', {
    schema: {
      operationId: 'waysIn',
      summary: 'Ways in besides name and PIN.',
      response: { 200: WaysIn },
    },
    handler: async () => ({
      address: address(),
      provider: providerSignIn?.host ?? null,
      passkeys: publicName() ?? null,
    }),
  })

  app.post('/v1/admin/session/provider', {
    schema: {
      operationId: 'beginAtProvider',
      summary: "Begin to sign in with the organiser's OpenID provider: its page, with state, nonce and PKCE.",
      response: { 201: BegunAtProvider, ...failures('not_found', 'provider_unavailable') },
    },
    handler: async (request, reply) => reply.code(201).send(await required().begin(address(), request.ip)),
  })

  app.post('/v1/admin/session/provider/finish', {
    schema: {
      operationId: 'finishAtProvider',
      summary: "Sign in with the answer of the organiser's OpenID provider, once; a bearer token comes out.",
      body: ProviderAnswer,
      response: { 201: NewSession, ...failures('not_found', 'conflict', 'provider_unavailable', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { person, issuer, isFresh } = await required().finish(request.body, request.ip)
      const opened = await openFor(sessions, person, request.ip, { issuer, isConfirmed: isFresh })
      return reply.code(201).send(opened)
    },
  })
}
