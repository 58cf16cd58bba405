/**
 * Routes of the box that has made an invite: the new box downloads the event, and is then added to the list of boxes. On HTTPS
 * only, and the client has checked that the certificate is of the event's own authority: the answer holds the keys of the event.
 */
import type { KeyObject } from 'node:crypto'
import type { Readable } from 'node:stream'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { Type } from 'typebox'
import { archiveOf, discard } from '../../backup/backup.ts'
import { stageInThread } from '../../backup/stage.ts'
import { type By, by } from '../../ca/actor.ts'
import type { InvitedRole } from '../../ca/box-invite.ts'
import { isLocalHost } from '../../ca/constraints.ts'
import type { MeshAuthority } from '../../ca/mesh-authority.ts'
import { readP256 } from '../../ca/p256.ts'
import { GatehouseError } from '../../errors.ts'
import type { App } from '../../http/app.ts'
import { failures } from '../../http/openapi.ts'
import type { TokenBuckets } from '../../http/token-bucket.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { networkOf } from '../../network.ts'
import { tlsKeyHash } from '../engine/link-keys.ts'
import { firstTopology, type Topology, type TopologyBox, withAddress, withBox } from '../topology.ts'
import { isOpenMeshInvite, useMeshInvite } from './invites.ts'
import { JoinRequest, requireBoxKey, requireProof, VoterAnswer, VoterRequest } from './join-request.ts'
import type { Membership } from './membership.ts'
import { topologyRoute } from './topology-route.ts'

export interface JoinRouteDeps {
  dataDir: string
  eventDir: string
  eventId: string
  boxId: string
  ledger: Ledger
  membership: Membership
  /** This box as the list has it. */
  self: () => Promise<Omit<TopologyBox, 'role'>>
  /** Issues the certificate of a machine that only votes. */
  meshAuthority: MeshAuthority
  /** The event's verifier key. */
  verifierKey: string
  /** The password of the voters of an epoch. */
  routeSecret: (epoch: number) => string
  /** By network, invite or member: limits how fast invites can be guessed, and lists be sent. */
  buckets: TokenBuckets
  /** By network: how many wrong signatures under the key of a member or of an invite are checked. */
  forgeries: TokenBuckets
  /** Unix ms. */
  now: () => number
}

const FAILURES = failures(
  ...(['bad_request', 'not_found', 'conflict', 'invite_used', 'rate_limited', 'ledger_unavailable'] as const),
)

const TOO_MANY_TRIES = 'Too many tries from here: wait a moment, then try again.'

export function joinRoutes(app: App, deps: JoinRouteDeps): void {
  const { membership } = deps
  bundleRoute(app, deps)

  app.post('/v1/mesh/join', {
    schema: { body: JoinRequest, response: { 200: Type.Object({ topology: Type.String() }), ...FAILURES } },
    handler: async (request) => {
      requireBoxKey(request.body)
      await admit(request, ['box', 'data-centre'], deps, by(request, 'mesh'))
      return { topology: membership.signed ?? '' }
    },
  })

  topologyRoute(app, deps)

  voterRoute(app, deps)
}

/** A machine that only votes joins here, and asks again when its certificate runs out or another epoch has begun. */
function voterRoute(app: App, deps: JoinRouteDeps): void {
  const { membership, meshAuthority } = deps
  app.post('/v1/mesh/voter', {
    schema: { body: VoterRequest, response: { 200: VoterAnswer, ...FAILURES } },
    handler: async (request) => {
      const { box } = request.body
      const publicKey = linkKeyOf(request.body)
      const isListed = membership.topology?.boxes.some(
        ({ id, log_key, role }) => id === box.id && log_key === box.log_key && role === 'voter',
      )
      if (isListed) await takeLinkKeys(request, deps, by(request, 'mesh'))
      else await admit(request, ['voter'], deps, by(request, 'mesh'))
      const { topology, signed = '' } = membership
      const listed = topology?.boxes.find(({ id }) => id === box.id)
      if (!topology || !listed) throw new GatehouseError('conflict', `${box.id} was removed at this moment.`)
      const { host } = listed
      return {
        topology: signed,
        verifier_key: deps.verifierKey,
        secret: deps.routeSecret(topology.epoch),
        certificate: await meshAuthority.issueMeshCertificate({ boxId: box.id, host, publicKey }),
        mesh_ca: meshAuthority.certificate,
      }
    },
  })
}

/** @throws GatehouseError `bad_request` for a key that is not P-256, or not the one that it wants to be listed with */
function linkKeyOf({ box: { link_keys: keys }, tls_key: encoded }: VoterRequest): KeyObject {
  if (!keys || encoded === undefined)
    throw new GatehouseError('bad_request', 'This machine has an older version of Gatehouse: update it, then start it.')
  const key = readP256(Buffer.from(encoded, 'base64'))
  if (key && tlsKeyHash(key) === keys.tls) return key
  throw new GatehouseError('bad_request', 'The key of this machine cannot be certified: remove its folder "nats".')
}

/** A listed voter has proven who it is: it may have made new keys. */
async function takeLinkKeys(request: Asking, deps: JoinRouteDeps, who: By): Promise<void> {
  requireAsker(request, deps)
  const { id, link_keys } = request.body.box
  if (!link_keys) return
  await deps.membership.change(
    (topology) => {
      const listed = topology?.boxes.find((box) => box.id === id)
      const isNew = listed && canonicalJson(listed.link_keys ?? {}) !== canonicalJson(link_keys)
      return topology && isNew ? withAddress(topology, id, { link_keys }) : undefined
    },
    { ...who, action: 'moved', box: id },
  )
}

/** Sends everything that the boxes of the event share, to one box at a time. */
function bundleRoute(app: App, deps: JoinRouteDeps): void {
  const { dataDir, eventDir, ledger, now } = deps
  let busy = false
  let sending: Readable | undefined
  // A reader may stall its download for as long as it likes, and closing the box would wait for it.
  app.addHook('preClose', (done) => {
    sending?.destroy()
    done()
  })

  app.post('/v1/mesh/bundle', {
    schema: { body: JoinRequest, response: { 200: Type.Unsafe<Readable>(Type.String()), ...FAILURES } },
    handler: async (request, reply) => {
      requireAsker(request, deps)
      requireBoxKey(request.body)
      await ledger.commit(() => useInvite(request, ['box', 'data-centre'], deps))
      // Each takes as much room as the ledger.
      if (busy) throw new GatehouseError('conflict', 'Another box is joining at this moment: try again in a minute.')
      busy = true
      try {
        const entry = { ...by(request, 'mesh'), action: 'bundle', box: request.body.box.id } as const
        await ledger.commit(() => ledger.append('mesh', entry))
        const staged = await stageInThread({ dataDir, eventDir, now: now(), shared: true })
        const archive = archiveOf(staged)
        sending = archive
        archive.once('close', () => {
          busy = false
          sending = undefined
          void discard(staged)
        })
        return reply.type('application/gzip').send(archive)
      } catch (error) {
        busy = false
        throw error
      }
    },
  })
}

interface Asking {
  ip: string
  body: JoinRequest
}

/**
 * A caller that is listed, or has a good invite, is counted by its key: strangers behind the same address cannot keep it out.
 * @throws GatehouseError for too many tries, and for whoever does not have the key that it names
 */
function requireAsker({ ip, body }: Asking, deps: JoinRouteDeps): void {
  const { eventId, buckets, forgeries, ledger, membership, now } = deps
  const { code, box } = body
  const network = networkOf(ip)
  const isExpected =
    membership.topology?.boxes.some(({ log_key }) => log_key === box.log_key) ||
    isOpenMeshInvite(code, box.log_key, { ledger, now })
  // Listed keys are public: anybody can name one.
  const tries = isExpected ? forgeries : buckets
  tries.require(network, TOO_MANY_TRIES)
  requireProof(body, eventId)
  if (!isExpected) return
  forgeries.giveBack(network, 1)
  buckets.require(box.log_key, TOO_MANY_TRIES)
}

/** Within a transaction: binds the invite to the log key of whoever asks. @throws GatehouseError for whoever may not come in on it */
function useInvite(
  { body: { code, box } }: Asking,
  allowed: readonly InvitedRole[],
  { boxId, ledger, membership, now }: JoinRouteDeps,
): InvitedRole {
  const isListed = () => membership.isListed(box)
  const { as, host } = useMeshInvite(code, box.log_key, { isListed }, { ledger, boxId, now })
  if (as === 'voter') requireKnownHost(box.host, host)
  if (allowed.includes(as)) return as
  throw new GatehouseError(
    'bad_request',
    as === 'voter'
      ? 'This invite is for a machine that only votes: run "gatehouse mesh voter" with it.'
      : 'This invite is for a box: run "gatehouse mesh join" with it.',
  )
}

/**
 * A machine that only votes is reached in the local network; at another place only where the admin has said so in the invite.
 * @throws GatehouseError `conflict`
 */
function requireKnownHost(host: string, approved: string | undefined): void {
  if (isLocalHost(host) || host.toLowerCase() === approved?.toLowerCase()) return
  throw new GatehouseError(
    'conflict',
    `${host} is a public name or address: make a new invite with it ("gatehouse mesh invite --voter --host ${host}", or the field on Boxes), or set GATEHOUSE_MESH_HOST to a local one.`,
  )
}

/**
 * Uses the invite and adds the machine to the list, both or neither. Idempotent while the machine is listed: the answer to an
 * earlier request may have been lost.
 */
async function admit(
  request: Asking,
  allowed: readonly InvitedRole[],
  deps: JoinRouteDeps,
  who: By,
): Promise<Topology> {
  requireAsker(request, deps)
  const { eventId, membership, self } = deps
  const { box } = request.body
  const inviter = await self()
  return membership.change(
    (topology) => {
      const as = useInvite(request, allowed, deps)
      if (topology && membership.isListed(box)) return undefined
      return withBox(topology ?? firstTopology(eventId, inviter), {
        ...box,
        ...(as === 'voter' && { role: 'voter' as const }),
        ...(as === 'data-centre' && { dial: 'core' as const }),
      })
    },
    { ...who, action: 'joined', box: box.id },
  )
}
