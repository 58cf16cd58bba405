/** Signing on and off at a scanner (device tier): the same names, PINs and waits as in the control room. */
import { ScannerSignOn, SignOnRequest } from '@gatehouse/proto/wire/staff.ts'
import { Type } from 'typebox'
import { addressOf } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { People } from './people.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import { type SignOns, wireSignOn } from './sign-ons.ts'

export interface SignOnDeps {
  people: People
  sessions: Sessions
  signIn: Pick<SignIn, 'byPassword'>
  signOns: SignOns
}

/** A name and a secret. */
const SIGN_ON_LIMIT = 2048

export function signOnRoutes(app: App, { people, sessions, signIn, signOns }: SignOnDeps): void {
  app.post('/v1/sign-on', {
    bodyLimit: SIGN_ON_LIMIT,
    schema: {
      operationId: 'signOn',
      summary: 'Sign on at this scanner with name and PIN or password: what it does from now on is in this name.',
      description: 'Whoever was signed on there before is signed off.',
      body: SignOnRequest,
      response: {
        201: ScannerSignOn,
        ...failures('bad_request', 'not_allowed', 'conflict', 'too_large', 'rate_limited', 'ledger_unavailable'),
      },
    },
    handler: async ({ body, device, ip }, reply) => {
      if (!signOns.ruleFor(device))
        throw new GatehouseError('conflict', 'This event has nobody sign on at this scanner: scan as you are.', {
          reason: 'no_sign_on',
        })
      const found = await signIn.byPassword(body.name, body.secret, ip)
      const person = people.find(found?.person ?? '')
      // Not `bad_token`: the scanner itself is known.
      if (!person)
        throw new GatehouseError('not_allowed', 'Name or PIN is wrong: try again.', { reason: 'wrong_name_or_pin' })
      await sessions.open(person, addressOf(ip), { scanner: device })
      // Revoked, or removed, while the PIN was computed or the entry was written.
      const opened = signOns.at(device.id)
      if (opened?.person.id !== person.id)
        throw new GatehouseError('not_allowed', 'Name or PIN is wrong: try again.', { reason: 'wrong_name_or_pin' })
      return reply.code(201).send(wireSignOn(opened))
    },
  })

  app.post('/v1/sign-on/end', {
    schema: {
      operationId: 'signOff',
      summary: 'Sign off whoever is signed on at this scanner.',
      response: { 204: Type.Null(), ...failures('ledger_unavailable') },
    },
    handler: async ({ device, ip }, reply) => {
      const at = signOns.at(device.id)
      if (at) {
        const { session, person } = at
        await sessions.end(session.id, {
          actor: person.name,
          address: addressOf(ip),
          person: person.id,
          via: session.id,
        })
      }
      return reply.code(204).send(null)
    },
  })
}
