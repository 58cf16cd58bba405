/** Pairing a tablet or a phone with a person: an admin makes the link, and the device that opens it brings its public key. */
import { NewSession, PairTabletRequest, TabletInvite, TabletInviteRequest } from '@gatehouse/proto/wire/staff.ts'
import { Type } from 'typebox'
import { by } from '../ca/actor.ts'
import { trustPage } from '../ca/invites.ts'
import { readP256 } from '../ca/p256.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { Attempts } from './attempts.ts'
import { openFor } from './new-session.ts'
import type { People } from './people.ts'
import type { Sessions } from './sessions.ts'
import type { TabletInvites } from './tablet-invites.ts'

export interface TabletDeps {
  people: People
  sessions: Sessions
  attempts: Pick<Attempts, 'wrongCode'>
  tabletInvites: TabletInvites
  /** Base URL of the HTTPS port. */
  baseUrl: () => string
  /** Base URL of plain HTTP; undefined where every device trusts the certificate. */
  untrustedPlainUrl: () => string | undefined
}

/** A code and a key of 91 bytes. */
const PAIR_LIMIT = 1024

export function tabletRoutes(app: App, deps: TabletDeps): void {
  inviteRoute(app, deps)
  pairRoute(app, deps)
}

function inviteRoute(app: App, { tabletInvites, baseUrl, untrustedPlainUrl }: TabletDeps): void {
  app.post('/v1/admin/staff/:id/invite', {
    schema: {
      operationId: 'inviteTablet',
      summary: 'Make a link that pairs a tablet or a phone with somebody: shown once, good once, for ten minutes.',
      params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
      body: TabletInviteRequest,
      response: { 201: TabletInvite, ...failures('not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { device, actor } = request.body
      const { invite, code } = await tabletInvites.make(request.params.id, device, by(request, actor))
      const { tablet, expiresAt } = invite
      // A browser sends nothing after the #.
      const link = `${baseUrl()}/dashboard/#pair=${code}`
      const plainUrl = untrustedPlainUrl()
      // The link itself opens the control room as this person: it never goes by plain HTTP.
      const trust_page = plainUrl === undefined ? null : trustPage('dashboard', plainUrl)
      return reply.code(201).send({ tablet, link, expires_at: iso(expiresAt), trust_page })
    },
  })
}

function pairRoute(app: App, { people, sessions, attempts, tabletInvites }: TabletDeps): void {
  app.post('/v1/admin/session/pair', {
    bodyLimit: PAIR_LIMIT,
    schema: {
      operationId: 'pairTablet',
      summary:
        'Open the session of a tablet with the code of its link: from then on each request is signed with its key.',
      body: PairTabletRequest,
      response: {
        201: NewSession,
        ...failures('not_found', 'invite_used', 'invite_expired', 'too_large', 'rate_limited', 'ledger_unavailable'),
      },
    },
    handler: async (request, reply) => {
      const { code, public_key } = request.body
      const publicKey = Buffer.from(public_key, 'base64url')
      if (!readP256(publicKey)) throw new GatehouseError('bad_request', 'This is no key on P-256: update the app.')
      const { invite, giveBack } = tabletInvites.take(code, () => attempts.wrongCode(request.ip))
      const person = people.find(invite.person)
      if (!person)
        throw new GatehouseError('invite_expired', 'This link has expired: ask an admin for a new one.', {
          reason: 'tablet_link_expired',
        })
      const tablet = { id: invite.tablet, name: invite.name, publicKey, expiresAt: invite.sessionUntil }
      const opened = await openFor(sessions, person, request.ip, { tablet }).catch((error) => {
        giveBack()
        throw error
      })
      return reply.code(201).send(opened)
    },
  })
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
