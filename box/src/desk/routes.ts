/** The ticket desk (admin tier), and looking up at a supervisor's scanner (device tier). */
import {
  DeskActionRequest,
  DeskForgetRequest,
  DeskHolderRequest,
  DeskLink,
  DeskLinkRequest,
  DeskNoteRequest,
  DeskTicket,
  DeskTicketRequest,
  LookUpAnswer,
  LookUpRequest,
  Reissued,
} from '@gatehouse/proto/wire/desk.ts'
import { type Static, type TSchema, Type } from 'typebox'
import { type By, by, signedOn } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import type { Ticket } from '../ledger/schema.ts'
import type { SignOns } from '../staff/sign-ons.ts'
import { releaseClaim } from '../tickets/claim.ts'
import { printedCodeOf, ticketIdOf } from '../tickets/current.ts'
import { forgetAtDesk } from '../tickets/forget-holder.ts'
import { ticketLink } from '../tickets/link.ts'
import { reinstateTicket, revokeTicket } from '../tickets/revoke.ts'
import { noSuchTicket, type TicketAction, type TicketDeps } from '../tickets/tickets.ts'
import { unchangedSince } from './changed-since.ts'
import { ticketShown } from './find.ts'
import { lookUp, recordLookUp } from './look-up.ts'
import { type PageDeps, pageOf } from './page.ts'
import { reissueTicket } from './reissue.ts'
import { writeOnTicket } from './write.ts'

/** Places where tickets are looked up by what people type: none, the desk, or the desk and supervisors' scanners. */
export const LOOK_UPS = ['off', 'desk', 'supervisors'] as const
export type LookUps = (typeof LOOK_UPS)[number]

export interface DeskDeps extends PageDeps, TicketDeps {
  lookUps: LookUps
  /** By address: a desk's tablets are few. */
  deskBuckets: TokenBuckets
  /** Start of every ticket link. */
  walletUrl: () => string
  verifierKey: string
}

const TOO_OFTEN = 'Look-ups are slowed down, so that nobody copies the list of names: wait a moment, then try again.'
const CHANGES = failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable')
const Params = Type.Object({ ref: Type.String({ pattern: '^[0-9a-f]{32}$' }) })

export interface LookUpDeps extends PageDeps {
  lookUps: LookUps
  deviceBuckets: TokenBuckets
  signOns: Pick<SignOns, 'required'>
}

/** For supervisors' scanners. @param deps.deviceBuckets by device */
export function lookUpRoute(app: App, deps: LookUpDeps): void {
  app.post('/v1/look-up', {
    bodyLimit: 4096,
    schema: {
      operationId: 'lookUp',
      summary: "Look tickets up by name, order or seat; for supervisors' devices.",
      description:
        'Three letters or digits at least, twenty results at most. The journal says who asked, and not what for.',
      body: LookUpRequest,
      response: { 200: LookUpAnswer, ...failures('bad_request', 'not_allowed', 'rate_limited', 'ledger_unavailable') },
    },
    handler: async ({ device, body, ...request }) => {
      requireAllowed(deps.lookUps === 'supervisors', 'at scanners')
      if (deps.event.scanners_see === 'none') {
        const message = 'Scanners show no names at this event ("scanners_see" in its event file): look up at the desk.'
        throw new GatehouseError('not_allowed', message, { reason: 'names_hidden' })
      }
      deps.deviceBuckets.require(device.id, TOO_OFTEN)
      const held = deps.signOns.required(device)
      const asker = { ...by(request, held.by?.name ?? body.actor), ...signedOn(held) }
      return lookUp(body, { ...asker, device: device.id }, deps)
    },
  })
}

export function deskRoutes(app: App, deps: DeskDeps): void {
  lookUpAtDesk(app, deps)
  openTicket(app, deps)
  linkRoute(app, deps)
  reissueRoute(app, deps)
  actionRoutes(app, deps)
  writeRoutes(app, deps)
}

function lookUpAtDesk(app: App, deps: DeskDeps): void {
  app.post('/v1/admin/desk/look-up', {
    bodyLimit: 4096,
    schema: {
      operationId: 'deskLookUp',
      summary: 'Look tickets up by name, order or seat.',
      description:
        'Three letters or digits at least, twenty results at most. The journal says who asked, and not what for.',
      body: LookUpRequest,
      response: { 200: LookUpAnswer, ...failures('bad_request', 'not_allowed', 'rate_limited', 'ledger_unavailable') },
    },
    handler: async (request) => {
      requireAllowed(deps.lookUps !== 'off', 'at this box')
      deps.deskBuckets.require(request.ip, TOO_OFTEN)
      return lookUp(request.body, { ...by(request, request.body.actor), device: null }, deps)
    },
  })
}

function openTicket(app: App, deps: DeskDeps): void {
  app.post('/v1/admin/desk/ticket', {
    bodyLimit: 4096,
    schema: {
      operationId: 'deskTicket',
      summary:
        'A ticket with everything that happened to it, by its reference, code or link. The journal says who opened it.',
      body: DeskTicketRequest,
      response: { 200: DeskTicket, ...failures('bad_request', 'not_found', 'rate_limited', 'ledger_unavailable') },
    },
    handler: async (request) => {
      deps.deskBuckets.require(request.ip, TOO_OFTEN)
      const { ref } = ticketShown(request.body.ticket, deps)
      const asker = { ...by(request, request.body.actor), device: null }
      await recordLookUp({ what: 'ticket', found_by: [], ticket: ref }, asker, deps)
      return pageOf({ ref }, deps)
    },
  })
}

function linkRoute(app: App, deps: DeskDeps): void {
  app.post('/v1/admin/desk/tickets/:ref/link', {
    schema: {
      operationId: 'deskLink',
      summary: "The ticket's link, to be shown to the holder's phone as a QR code.",
      params: Params,
      body: DeskLinkRequest,
      response: { 200: DeskLink, ...failures('bad_request', 'not_found', 'rate_limited', 'ledger_unavailable') },
    },
    handler: async (request) => {
      deps.deskBuckets.require(request.ip, TOO_OFTEN)
      const ticket = deps.tickets.byRef(request.params.ref)
      if (!ticket) throw noSuchTicket()
      const asker = { ...by(request, request.body.actor), device: null }
      await recordLookUp({ what: 'link', found_by: [], ticket: ticket.ref }, asker, deps)
      return linkOf(ticket, deps)
    },
  })
}

function reissueRoute(app: App, deps: DeskDeps): void {
  app.post('/v1/admin/desk/tickets/:ref/reissue', {
    schema: {
      operationId: 'reissueTicket',
      summary:
        'Give a ticket a new code, link and key; the old ones open nothing any more, at every box that is reached.',
      params: Params,
      body: DeskActionRequest,
      response: { 200: Reissued, ...CHANGES },
    },
    handler: async (request) => {
      const { actor, reason, version } = request.body
      const expect = unchangedSince(version, deps.ledger)
      const ticket = await reissueTicket(request.params.ref, { ...by(request, actor), reason, expect }, deps)
      const code = printedCodeOf(ticket)
      return { ...linkOf(ticket, deps), code, ticket: await pageOf(ticket, deps) }
    },
  })
}

/** Fields that every change of a ticket at the desk has. */
type ChangeBody = Pick<Static<typeof DeskForgetRequest>, 'actor' | 'version'>

interface Change<Body extends TSchema> {
  operationId: string
  summary: string
  body: Body
  /** @param who the person at the desk, and the check that nobody else has changed the ticket since it was opened */
  act: (ref: string, body: Static<Body>, who: By & Pick<TicketAction, 'expect'>) => Promise<unknown>
}

/** Changes one ticket, and answers with its page. The second of two people who change it is told what the first has done. */
function changeRoute<Body extends TSchema>(app: App, deps: DeskDeps, name: string, change: Change<Body>): void {
  const { act, ...texts } = change
  app.post(`/v1/admin/desk/tickets/:ref/${name}`, {
    schema: { ...texts, params: Params, response: { 200: DeskTicket, ...CHANGES } },
    handler: async (request) => {
      const { ref } = request.params
      const body = request.body as Static<Body> & ChangeBody
      const expect = unchangedSince(body.version, deps.ledger)
      await act(ref, body, { ...by(request, body.actor), expect })
      return pageOf({ ref }, deps)
    },
  })
}

/** Actions of the control room, at the desk. */
function actionRoutes(app: App, deps: DeskDeps): void {
  const actions = {
    revoke: { operationId: 'deskRevoke', summary: 'Revoke a ticket.', act: revokeTicket },
    reinstate: { operationId: 'deskReinstate', summary: 'Take the revocation of a ticket back.', act: reinstateTicket },
    release: {
      operationId: 'deskRelease',
      summary: "Take a phone's claim back: the link works again.",
      act: releaseClaim,
    },
  }
  for (const [name, { act, ...texts }] of Object.entries(actions)) {
    const body = DeskActionRequest
    changeRoute(app, deps, name, { ...texts, body, act: (ref, { reason }, who) => act(ref, { ...who, reason }, deps) })
  }
}

function writeRoutes(app: App, deps: DeskDeps): void {
  changeRoute(app, deps, 'forget', {
    operationId: 'forgetHolder',
    summary: 'Erase what names the holder of a ticket, at every box and for good. The ticket stays valid.',
    body: DeskForgetRequest,
    act: (ref, _body, who) => forgetAtDesk(ref, who, deps),
  })
  changeRoute(app, deps, 'holder', {
    operationId: 'changeHolder',
    summary: "Write another holder's name on a ticket. Codes and links stay as they are.",
    body: DeskHolderRequest,
    act: (ref, { reason, holder }, who) =>
      writeOnTicket(ref, { what: 'holder', text: holder?.trim() || null }, { ...who, reason }, deps),
  })
  changeRoute(app, deps, 'note', {
    operationId: 'noteTicket',
    summary: 'Write a note for the staff on a ticket.',
    body: DeskNoteRequest,
    act: (ref, { note }, who) =>
      writeOnTicket(ref, { what: 'note', text: note?.trim() || null }, { ...who, reason: 'for the staff' }, deps),
  })
}

function requireAllowed(isAllowed: boolean, where: string): void {
  if (isAllowed) return
  const message = `Look-up by name is switched off ${where}: scan the ticket, or ask whoever set the box up.`
  throw new GatehouseError('not_allowed', message, { reason: 'look_up_off' })
}

function linkOf(ticket: Ticket, { walletUrl, verifierKey }: DeskDeps): DeskLink {
  return { link: ticketLink({ walletUrl: walletUrl(), ticketId: ticketIdOf(ticket), verifierKey }) }
}
