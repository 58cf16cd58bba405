/** Routes of the admin tier for the list of boxes: shows it, makes invites, removes boxes and moves votes. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  MeshBoxes,
  MeshInviteRequest,
  MeshPromoteRequest,
  MeshRemoveRequest,
  type MeshStanding,
  MeshView,
  NewMeshInvite,
} from '@gatehouse/proto/wire/mesh.ts'
import QRCode from 'qrcode'
import { by } from '../../ca/actor.ts'
import { inviteText } from '../../ca/box-invite.ts'
import { iso } from '../../clock/iso.ts'
import { GatehouseError } from '../../errors.ts'
import type { App } from '../../http/app.ts'
import { failures } from '../../http/openapi.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { promoted, type Topology, withoutBox } from '../topology.ts'
import { mintMeshInvite } from './invites.ts'
import type { Membership, MembershipChange } from './membership.ts'
import type { TopologyExchange } from './topology-exchange.ts'

export interface MeshAdminDeps {
  eventId: string
  boxId: string
  ledger: Ledger
  membership: Membership
  exchange: TopologyExchange
  standing: () => MeshStanding | undefined
  caFingerprint: string
  /** URL at which another box reaches the HTTPS port. */
  baseUrl: () => string
  /** Unix ms. */
  now: () => number
}

/** A box that leaves waits at most this long until another one has all of its journal. */
const HANDOVER_TRIES = 20
const HANDOVER_PAUSE_MS = 500

export function meshAdminRoutes(app: App, deps: MeshAdminDeps): void {
  const { boxId, ledger, membership, now } = deps

  app.get('/v1/admin/mesh', {
    schema: {
      operationId: 'mesh',
      summary: 'The boxes of the event, and what this one hears of them: neither, for a box alone.',
      response: { 200: MeshView },
    },
    handler: async () => {
      const standing = deps.standing()
      return {
        ...(membership.topology && { listed: meshBoxes(membership.topology, boxId) }),
        ...(standing && { standing }),
      }
    },
  })

  app.post('/v1/admin/mesh/invite', {
    schema: {
      operationId: 'inviteBox',
      summary: 'Mint an invite for another box, single use. Whoever uses it gets the keys of the event.',
      body: MeshInviteRequest,
      response: { 201: NewMeshInvite, ...failures('bad_request', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { as = 'box', host, expires_in_seconds: seconds, actor, reason } = request.body
      if (host !== undefined && as !== 'voter')
        throw new GatehouseError('bad_request', 'Only a machine that votes is invited under a name: leave out host.')
      const minted = await mintMeshInvite(
        {
          as,
          by: by(request, actor),
          reason,
          ...(seconds !== undefined && { seconds }),
          ...(host !== undefined && { host }),
        },
        { ledger, boxId, now, random: randomBytes },
      )
      const invite = inviteText({
        url: deps.baseUrl(),
        fingerprint: deps.caFingerprint,
        as,
        eventId: deps.eventId,
        ...minted,
      })
      return reply.code(201).send({
        invite,
        expires_at: iso(minted.expiresAt),
        qr_svg: await QRCode.toString(invite, { type: 'svg', errorCorrectionLevel: 'M' }),
      })
    },
  })

  changeRoutes(app, deps)
}

/** Routes that change which boxes there are, and which of them vote. */
function changeRoutes(app: App, deps: MeshAdminDeps): void {
  const { boxId, membership, exchange } = deps

  const change = async (make: (topology: Topology) => Topology, act: MembershipChange): Promise<MeshBoxes> => {
    const topology = await membership.change((known) => known && make(known), act)
    await exchange.exchangeWithAll()
    return meshBoxes(topology, boxId)
  }

  app.post('/v1/admin/mesh/remove', {
    schema: {
      operationId: 'removeBox',
      summary: 'Take a box off the list: a dead one, or, when its journal is with another, this one itself.',
      body: MeshRemoveRequest,
      response: { 200: MeshBoxes, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { box_id: box, actor, reason, is_off = false, anyway = false } = request.body
      requireListed(box, membership)
      if (box === boxId) {
        if (!anyway) await requireHandedOver(deps)
      } else if (!is_off) throw stillOn(box)
      const act = { ...by(request, actor), action: box === boxId ? 'left' : 'removed', box, reason } as const
      return change((topology) => withoutBox(topology, box), act)
    },
  })

  app.post('/v1/admin/mesh/promote', {
    schema: {
      operationId: 'promoteBox',
      summary: 'Give a box a vote on claims, in the place of one that is gone. A new epoch begins.',
      body: MeshPromoteRequest,
      response: { 200: MeshBoxes, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { box_id: box, instead, actor, reason, is_off } = request.body
      requireListed(box, membership)
      if (!is_off) throw stillOn(instead ?? 'the box that gives up its vote')
      const act = { ...by(request, actor), action: 'promoted', box, reason } as const
      return change((topology) => promoted(topology, box, instead), act)
    },
  })
}

function requireListed(box: string, { topology }: Pick<Membership, 'topology'>): void {
  if (!topology)
    throw new GatehouseError('conflict', 'This box is alone: there is no other one.', { reason: 'box_alone' })
  if (topology.boxes.some(({ id }) => id === box)) return
  const known = topology.boxes.map(({ id }) => id).join(', ')
  throw new GatehouseError('not_found', `The event has no such box: choose from ${known}.`, {
    reason: 'box_unlisted',
    values: { name: box },
  })
}

/** @throws GatehouseError `conflict` that says what is missing, and where */
async function requireHandedOver({ boxId, ledger, exchange }: MeshAdminDeps): Promise<void> {
  const { size } = ledger
  for (let left = HANDOVER_TRIES; ; left--) {
    const answers = [...(await exchange.exchangeWithAll())]
    const missing = answers.map(([id, answer]) => ({ id, entries: answer && size - (answer.heard[boxId] ?? 0) }))
    if (missing.some(({ entries }) => entries !== undefined && entries <= 0)) return
    if (left > 1) {
      await sleep(HANDOVER_PAUSE_MS)
      continue
    }
    const said = missing.map(({ id, entries }) =>
      entries === undefined ? `${id} does not answer` : `${id} lacks ${entries} of ${size} entries`,
    )
    throw new GatehouseError(
      'conflict',
      `No other box has all of this one's journal yet (${said.join(', ')}): wait, or leave anyway and keep this ledger.`,
    )
  }
}

function stillOn(box: string): GatehouseError {
  return new GatehouseError(
    'conflict',
    `Look first that ${box} is off: were it still admitting people, a ticket could go in at both. Then say so.`,
  )
}

/** The list as the API shows it. */
export function meshBoxes({ epoch, version, boxes }: Topology, boxId: string): MeshBoxes {
  return {
    epoch,
    version,
    boxes: boxes.map(({ id, name, role, https, dial }) => ({
      box_id: id,
      name,
      self: id === boxId,
      role,
      url: https,
      data_centre: dial !== undefined,
    })),
  }
}
