/**
 * A machine that only votes: runs a nats-server and keeps its list of boxes current. It has no ledger, no ticket and no key of the
 * event; whoever steals it has a vote on reservations until it is removed from the list.
 */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { MeshInvite } from '../../ca/box-invite.ts'
import { readIfThere, replaceDurably } from '../../durable-file.ts'
import { newBoxId } from '../../ledger/identity.ts'
import type { Logger } from '../../log.ts'
import { readVerifierKey } from '../../seal/note.ts'
import { originOf, signingKey, verifierKey } from '../../seal/verifier-key.ts'
import { type Engine, type EngineDeps, openEngine } from '../engine/engine.ts'
import { type OwnLinkKeys, openLinkKeys } from '../engine/link-keys.ts'
import { isNewer, openTopology, type Topology, type TopologyBox } from '../topology.ts'
import { findInviter, okResponse } from './join.ts'
import { JoinError } from './join-error.ts'
import { type Joiner, joinRequest, VoterAnswer } from './join-request.ts'
import { MEMBER_HEADER, memberHeader } from './member-header.ts'
import { pinnedClient } from './pinned-client.ts'
import { remoteIssuer } from './remote-issuer.ts'

const FILE = 'voter.json'
const EVERY_MS = 10_000
const PATIENCE_MS = 5_000

/** A voter's identity and state, kept across restarts. */
const VoterFile = Type.Object({
  event: Type.String(),
  ca: Type.String(),
  box: Type.Unsafe<Joiner>(Type.Object({ id: Type.String() })),
  /** Ed25519 seed, base64: proves that it is the machine that was invited. */
  seed: Type.String(),
  code: Type.String(),
  verifier_key: Type.String(),
  /** The password of the voters in `epoch`. Without an epoch it is of version 0.1, and good for nothing any more. */
  secret: Type.String(),
  epoch: Type.Optional(Type.Integer()),
  topology: Type.String(),
  /** PEM: the authority of its certificate. Absent until a box of version 0.2 has answered. */
  mesh_ca: Type.Optional(Type.String()),
})
type VoterFile = Static<typeof VoterFile>

export interface VoterSetup {
  dataDir: string
  box: Omit<TopologyBox, 'role' | 'id' | 'log_key' | 'encryption_key' | 'dial'>
  config: EngineDeps['config']
  logger: Logger
  random: (size: number) => Buffer
  otherAddresses: (fingerprint: string) => Promise<readonly string[]>
  /** Unix ms. */
  now: () => number
  monotonic: () => number
}

/** Reads the voter of this folder; undefined where there is none. @throws JoinError for a damaged file */
export async function readVoter({ dataDir }: Pick<VoterSetup, 'dataDir'>): Promise<VoterFile | undefined> {
  const path = join(dataDir, FILE)
  const text = await readIfThere(path)
  if (text === undefined) return undefined
  try {
    const kept: unknown = JSON.parse(text)
    if (Value.Check(VoterFile, kept)) return kept
  } catch {
    // Falls through.
  }
  throw new JoinError(`${path} is damaged: remove it, and ask for another invite.`)
}

/** @throws JoinError */
export async function enrolVoter(invite: MeshInvite, place: VoterSetup): Promise<VoterFile> {
  const { dataDir, random } = place
  if (invite.as !== 'voter') throw new JoinError('This invite is for a box: run "gatehouse mesh join" with it.')
  const { url, ca } = await findInviter(invite, place)
  const event = invite.eventId
  // Id and seed until the other box has accepted: a second attempt with the same invite is the same voter.
  const path = join(dataDir, `${FILE}.${createHash('sha256').update(invite.code).digest('hex').slice(0, 8)}`)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const before = (await readIfThere(path))?.split(' ')
  const [id = newBoxId(random), seed = random(32).toString('base64')] = before ?? []
  await replaceDurably(path, `${id} ${seed}`)
  const log_key = verifierKey(originOf(event, id), signingKey(Buffer.from(seed, 'base64')))
  const kept = { event, ca, box: { ...place.box, id, log_key }, seed, code: invite.code }
  const answer = await request(url, kept, await openLinkKeys(dataDir))
  const whole = withAnswer({ ...kept, ...answer }, answer)
  await replaceDurably(join(dataDir, FILE), JSON.stringify(whole))
  await rm(path, { force: true })
  return whole
}

/** Runs until `signal` is aborted, or until the voter is removed from the list of boxes: then it resolves to false. */
export async function runVoter(before: VoterFile, place: VoterSetup, signal: AbortSignal): Promise<boolean> {
  const { dataDir, config, logger, now, monotonic } = place
  const linkKeys = await openLinkKeys(dataDir)
  const keep = async (next: VoterFile) => {
    kept = next
    await replaceDurably(join(dataDir, FILE), JSON.stringify(next))
  }
  let kept = before
  const eventKey = publicKeyOf(kept)
  const open = () => openTopology(kept.topology, eventKey, kept.event)
  const { id } = kept.box
  const isListed = () => open().boxes.some((box) => box.id === id)
  /** From a box: the certificate, the password of this epoch, and the newest list, which has this machine's keys then. */
  const ask = async () => {
    const answer = await requestFromAny(open(), kept, linkKeys)
    await keep(withAnswer(kept, answer))
    return answer.certificate
  }
  const logKey = signingKey(Buffer.from(before.seed, 'base64'))
  const headerTo = (to: string) => memberHeader({ event: before.event, to, by: id, at: now() }, logKey)
  /** @returns false for a voter that was removed */
  const catchUp = async () => {
    const about = { ca: kept.ca, eventKey, event: kept.event, signal, headerTo }
    const newest = await newerTopology(open(), kept.topology, about)
    if (newest) await keep({ ...kept, topology: newest })
    if (!isListed()) return false
    if (!isCurrent(kept, open()) || !areListed(open(), id, linkKeys))
      await ask().catch((error) => logger.warn({ event: 'voter_not_current', err: error }))
    return true
  }
  while (!isCurrent(kept, open())) {
    if (!(await catchUp())) return false
    if (signal.aborted) return true
    if (!isCurrent(kept, open())) await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
  }
  await using engine: Engine = await openEngine(open(), {
    ...{ boxId: id, dataDir, config, logger, now, monotonic, signal, linkKeys },
    logKey,
    // Of another epoch it has none yet: the others refuse it until it has asked.
    routeSecret: () => kept.secret,
    authority: remoteIssuer(kept.mesh_ca ?? '', ask),
  })
  while (!signal.aborted) {
    if (!(await catchUp())) return false
    await engine.apply(open())
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
  }
  return true
}

/** True if it has the password of the epoch of this list, and knows the authority of the mesh. */
function isCurrent({ epoch, mesh_ca }: VoterFile, topology: Topology): boolean {
  return mesh_ca !== undefined && epoch === topology.epoch
}

/** True if the others know its keys. */
function areListed(topology: Topology, id: string, { listed }: OwnLinkKeys): boolean {
  return topology.boxes.some((box) => box.id === id && box.link_keys?.tls === listed.tls)
}

/** @throws TopologyError for an answer without a list of this event */
function withAnswer(kept: VoterFile, { topology: signed, secret, mesh_ca }: VoterAnswer): VoterFile {
  const topology = openTopology(signed, publicKeyOf(kept), kept.event)
  return { ...kept, topology: signed, secret, mesh_ca, epoch: topology.epoch }
}

/** The newest list of any box, signed, if it is newer than this one. */
async function newerTopology(
  known: Topology,
  signed: string,
  {
    ca,
    eventKey,
    event,
    signal,
    headerTo,
  }: { ca: string; eventKey: KeyObject; event: string; signal: AbortSignal; headerTo: (box: string) => string },
): Promise<string | undefined> {
  let newest: { topology: Topology; signed: string } | undefined
  await Promise.all(
    known.boxes.map(async ({ id, role, https }) => {
      if (role === 'voter') return
      try {
        await using box = pinnedClient(https, ca)
        const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
        const headers = { [MEMBER_HEADER]: headerTo(id) }
        const answer = await box.post('/v1/mesh/topology', { topology: signed }, patience, headers)
        const { topology: text } = (await answer.json()) as { topology?: unknown }
        if (!answer.ok || typeof text !== 'string') return
        const topology = openTopology(text, eventKey, event)
        if (isNewer(topology, newest?.topology ?? known)) newest = { topology, signed: text }
      } catch {
        // It is away, or its answer is invalid: the next round asks again.
      }
    }),
  )
  return newest?.signed
}

/** Asks the first box that answers. */
async function requestFromAny(
  topology: Topology,
  kept: Pick<VoterFile, 'ca' | 'box' | 'seed' | 'code'>,
  linkKeys: OwnLinkKeys,
): Promise<VoterAnswer> {
  let problem: unknown = new JoinError('No box of the event is known.')
  for (const { role, https } of topology.boxes) {
    if (role === 'voter') continue
    try {
      return await request(https, kept, linkKeys)
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

async function request(
  url: string,
  { ca, box, seed, code }: Pick<VoterFile, 'ca' | 'box' | 'seed' | 'code'>,
  { listed, tls }: OwnLinkKeys,
): Promise<VoterAnswer> {
  await using inviter = pinnedClient(url, ca)
  const asking = joinRequest(code, { ...box, link_keys: listed }, signingKey(Buffer.from(seed, 'base64')))
  const tls_key = createPublicKey(tls).export({ type: 'spki', format: 'der' }).toString('base64')
  const body = { ...asking, tls_key }
  const answer = await okResponse(inviter.post('/v1/mesh/voter', body, AbortSignal.timeout(3 * PATIENCE_MS)))
  const said: unknown = await answer.json()
  if (!Value.Check(VoterAnswer, said)) throw new JoinError('The other box says nothing of use: update it.')
  return said
}

function publicKeyOf({ verifier_key }: Pick<VoterFile, 'verifier_key'>): KeyObject {
  return readVerifierKey(verifier_key).publicKey
}
