/** The boxes of the event: who there are, and who comes, goes and votes (admin tier). */
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
import { iso } from '../../clock/iso.ts'
import { GatehouseError } from '../../errors.ts'
import { by } from '../../http/actor.ts'
import type { App } from '../../http/app.ts'
import { failures } from '../../http/openapi.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Membership } from '../membership.ts'
import { promoted, type Topology, withoutBox } from '../topology.ts'
import type { Exchange } from './exchange.ts'
import { inviteText } from './invite.ts'
import { mintMeshInvite } from './invites.ts'

export interface MeshAdminDeps {
  eventId: string
  boxId: string
  ledger: Ledger
  membership: Membership
  /** Asked when it is needed: it begins when the listeners are open. */
  exchange: () => Exchange
  standing: () => MeshStanding | undefined
  caFingerprint: string
  /** Where another box reaches the HTTPS port. */
  baseUrl: () => string
  /** Unix ms. */
  now: () => number
}

/** How long a box that leaves waits for the others to have all of its journal. */
const HANDOVER_TRIES = 20
const HANDOVER_PAUSE_MS = 500

export function meshAdminRoutes(app: App, deps: MeshAdminDeps): void {
  const { boxId, ledger, membership, exchange, now } = deps

  app.get(
    '/v1/admin/mesh',
    {
      schema: {
        operationId: 'mesh',
        summary: 'The boxes of the event, and what this one hears of them: neither, for a box alone.',
        response: { 200: MeshView },
      },
    },
    async () => {
      const standing = deps.standing()
      return {
        ...(membership.topology && { listed: listOf(membership.topology, boxId) }),
        ...(standing && { standing }),
      }
    },
  )

  app.post(
    '/v1/admin/mesh/invite',
    {
      schema: {
        operationId: 'inviteBox',
        summary: 'Mint an invite for another box, single use. Whoever uses it gets the keys of the event.',
        body: MeshInviteRequest,
        response: { 201: NewMeshInvite, ...failures('bad_request', 'conflict', 'ledger_unavailable') },
      },
    },
    async (request, reply) => {
      const { as = 'box', expires_in_seconds: seconds, actor, reason } = request.body
      const minted = await mintMeshInvite(
        { as, by: by(request, actor), reason, ...(seconds !== undefined && { seconds }) },
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
  )

  app.post(
    '/v1/admin/mesh/remove',
    {
      schema: {
        operationId: 'removeBox',
        summary: 'Take a box off the list: a dead one, or, when its journal is with another, this one itself.',
        body: MeshRemoveRequest,
        response: { 200: MeshBoxes, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
      },
    },
    async (request) => {
      const { box_id: box, actor, reason, is_off = false, anyway = false } = request.body
      requireListed(box)
      if (box === boxId) {
        if (!anyway) await requireHandedOver()
      } else if (!is_off) throw stillOn(box)
      const act = { ...by(request, actor), action: box === boxId ? 'left' : 'removed', box, reason } as const
      const topology = await membership.change((topology) => topology && withoutBox(topology, box), act)
      await exchange().withAll()
      return listOf(topology, boxId)
    },
  )

  app.post(
    '/v1/admin/mesh/promote',
    {
      schema: {
        operationId: 'promoteBox',
        summary: 'Give a box a vote on claims, in the place of one that is gone. A new epoch begins.',
        body: MeshPromoteRequest,
        response: { 200: MeshBoxes, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
      },
    },
    async (request) => {
      const { box_id: box, instead, actor, reason, is_off } = request.body
      requireListed(box)
      if (!is_off) throw stillOn(instead ?? 'the box that gives up its vote')
      const act = { ...by(request, actor), action: 'promoted', box, reason } as const
      const topology = await membership.change((topology) => topology && promoted(topology, box, instead), act)
      await exchange().withAll()
      return listOf(topology, boxId)
    },
  )

  function requireListed(box: string): void {
    if (!membership.topology) throw new GatehouseError('conflict', 'This box is alone: there is no other one.')
    if (membership.topology.boxes.some(({ id }) => id === box)) return
    const known = membership.topology.boxes.map(({ id }) => id).join(', ')
    throw new GatehouseError('not_found', `The event has no such box: choose from ${known}.`)
  }

  /** @throws GatehouseError `conflict` that says what is missing, and where */
  async function requireHandedOver(): Promise<void> {
    const { size } = ledger
    for (let left = HANDOVER_TRIES; ; left--) {
      const answers = [...(await exchange().withAll())]
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
}

function stillOn(box: string): GatehouseError {
  return new GatehouseError(
    'conflict',
    `Look first that ${box} is off: were it still admitting people, a ticket could go in at both. Then say so.`,
  )
}

/** The list, as a person reads it. */
export function listOf({ epoch, version, boxes }: Topology, boxId: string): MeshBoxes {
  return {
    ...{ epoch, version },
    boxes: boxes.map(({ id, name, role, https, dial }) => ({
      ...{ box_id: id, name, self: id === boxId, role, url: https, data_centre: dial !== undefined },
    })),
  }
}
