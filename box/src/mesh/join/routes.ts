/**
 * How a box joins, at the one that invited it: it takes the event along, and is then listed among the boxes. On HTTPS alone, and
 * whoever asks has checked that the certificate is from the event's own authority: the answer holds the keys of the event.
 */
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { archiveOf, discard } from '../../backup/backup.ts'
import { stageInThread } from '../../backup/stage.ts'
import { GatehouseError } from '../../errors.ts'
import { by } from '../../http/actor.ts'
import type { App } from '../../http/app.ts'
import { failures } from '../../http/openapi.ts'
import type { TokenBuckets } from '../../http/token-bucket.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { MeshIssuer } from '../engine/certificate.ts'
import type { Membership } from '../membership.ts'
import { firstTopology, type Topology, type TopologyBox, TopologyError, withBox } from '../topology.ts'
import { heardHere } from './exchange.ts'
import type { Invited } from './invite.ts'
import { useMeshInvite } from './invites.ts'
import { type Joiner, JoinRequest, requireProof, VoterAnswer, VoterRequest } from './request.ts'

export interface JoinRouteDeps {
  dataDir: string
  eventDir: string
  eventId: string
  boxId: string
  ledger: Ledger
  membership: Membership
  /** This box, as the others are to know it. */
  self: () => Promise<Omit<TopologyBox, 'role'>>
  /** Vouches for a machine that only votes. */
  authority: MeshIssuer
  /** Of the event's key. */
  verifierKey: string
  /** What the servers of the mesh show each other. */
  secret: string
  /** By address: nobody guesses invites at more than a walking pace. */
  buckets: TokenBuckets
  /** Unix ms. */
  now: () => number
}

const FAILURES = failures(
  ...(['bad_request', 'not_found', 'conflict', 'invite_used', 'rate_limited', 'ledger_unavailable'] as const),
)

export function joinRoutes(app: App, deps: JoinRouteDeps): void {
  const { dataDir, eventDir, eventId, boxId, ledger, membership, self, buckets, now } = deps
  let busy = false
  let sending: Readable | undefined
  // A download may stand still for as long as its reader likes, and the box would wait for it.
  app.addHook('preClose', (done) => {
    sending?.destroy()
    done()
  })

  /** The invite is theirs from now on. @throws GatehouseError for whoever may not come in on it */
  const admit = (request: { ip: string; body: JoinRequest }, allowed: readonly Invited[]): Promise<Invited> => {
    buckets.require(request.ip, 'Too many tries from here: wait a minute, then try again.')
    requireProof(request.body, eventId)
    const { code, box } = request.body
    return ledger.commit(() => {
      const as = useMeshInvite(code, box.log_key, { ledger, boxId, now })
      if (!allowed.includes(as)) {
        throw new GatehouseError(
          'bad_request',
          as === 'voter'
            ? 'This invite is for a machine that only votes: run "gatehouse mesh voter" with it.'
            : 'This invite is for a box: run "gatehouse mesh join" with it.',
        )
      }
      return as
    })
  }

  app.post(
    '/v1/mesh/bundle',
    { schema: { body: JoinRequest, response: { 200: Type.Unsafe<Readable>(Type.String()), ...FAILURES } } },
    async (request, reply) => {
      await admit(request, ['box', 'data-centre'])
      // Each takes as much room as the ledger.
      if (busy) throw new GatehouseError('conflict', 'Another box is joining at this moment: try again in a minute.')
      busy = true
      try {
        await ledger.commit(() =>
          ledger.append('mesh', { ...by(request, 'mesh'), action: 'bundle', box: request.body.box.id }),
        )
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
  )

  app.post(
    '/v1/mesh/join',
    { schema: { body: JoinRequest, response: { 200: Type.Object({ topology: Type.String() }), ...FAILURES } } },
    async (request) => {
      const as = await admit(request, ['box', 'data-centre'])
      await enlist(request.body.box, as, by(request, 'mesh'))
      return { topology: membership.signed ?? '' }
    },
  )

  const Listed = Type.Object({ topology: Type.String({ maxLength: 600_000 }) })
  const Exchanged = Type.Object({
    box: Type.String(),
    topology: Type.String(),
    heard: Type.Record(Type.String(), Type.Integer()),
  })
  app.post(
    '/v1/mesh/topology',
    // A list of two hundred boxes is longer than any other request.
    { bodyLimit: 1024 * 1024, schema: { body: Listed, response: { 200: Exchanged, ...FAILURES } } },
    async (request) => {
      buckets.require(`list ${request.ip}`, 'Too many lists of boxes from here: wait a minute.')
      try {
        await membership.hear(request.body.topology, request.ip)
      } catch (error) {
        if (!(error instanceof TopologyError)) throw error
        throw new GatehouseError('bad_request', error.message, { cause: error })
      }
      return { box: boxId, topology: membership.signed ?? '', heard: heardHere(ledger, boxId) }
    },
  )

  app.post(
    '/v1/mesh/voter',
    { schema: { body: VoterRequest, response: { 200: VoterAnswer, ...FAILURES } } },
    async (request) => {
      const { box, machine } = request.body
      const isListed = membership.topology?.boxes.some(
        ({ id, log_key, role }) => id === box.id && log_key === box.log_key && role === 'voter',
      )
      if (isListed) {
        buckets.require(request.ip, 'Too many tries from here: wait a minute, then try again.')
        requireProof(request.body, eventId)
      } else {
        await admit(request, ['voter'])
        await enlist(box, 'voter', by(request, 'mesh'))
      }
      const { key, certificate, leftOut } = await deps.authority.issueMeshCertificate(box.id, machine)
      return {
        ...{ topology: membership.signed ?? '', verifier_key: deps.verifierKey, secret: deps.secret },
        ...{ key, certificate, left_out: leftOut },
      }
    },
  )

  /** Asked again, because an answer was lost, it changes nothing. */
  async function enlist(box: Joiner, as: Invited, who: ReturnType<typeof by>): Promise<Topology> {
    const inviter = await self()
    const listed = {
      ...box,
      ...(as === 'voter' && { role: 'voter' as const }),
      ...(as === 'data-centre' && { dial: 'core' as const }),
    }
    return membership.change(
      (topology = firstTopology(eventId, inviter)) =>
        topology.boxes.some(({ id, log_key }) => id === box.id && log_key === box.log_key)
          ? undefined
          : withBox(topology, listed),
      { ...who, action: 'joined', box: box.id },
    )
  }
}
