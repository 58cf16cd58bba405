/**
 * A machine that only votes: a nats-server, and what keeps its list of boxes current. It has no ledger, no ticket and none of
 * the event's keys; whoever takes it away has a vote on claims until somebody removes it from the list.
 */
import { createHash, type KeyObject } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Machine } from '../../ca/constraints.ts'
import { readIfThere, replaceDurably } from '../../durable-file.ts'
import { thisMachine } from '../../http/machine.ts'
import { newBoxId } from '../../ledger/identity.ts'
import type { Logger } from '../../log.ts'
import { readVerifierKey } from '../../seal/note.ts'
import { originOf, signingKey, verifierKey } from '../../seal/verifier-key.ts'
import { type Engine, type EngineDeps, openEngine } from '../engine/engine.ts'
import { isNewer, openTopology, type Topology, type TopologyBox } from '../topology.ts'
import type { MeshInvite } from './invite.ts'
import { issuerThrough } from './issuer.ts'
import { asked, findInviter } from './join.ts'
import { JoinError } from './join-error.ts'
import { pinned } from './pinned.ts'
import { type Joiner, joinRequest, VoterAnswer } from './request.ts'

const FILE = 'voter.json'
const EVERY_MS = 10_000
const PATIENCE_MS = 5_000

/** What a voter is, over its lives. */
const Kept = Type.Object({
  event: Type.String(),
  ca: Type.String(),
  box: Type.Unsafe<Joiner>(Type.Object({ id: Type.String() })),
  /** Ed25519 seed, base64: by which it proves that it is the one that was invited. */
  seed: Type.String(),
  code: Type.String(),
  verifier_key: Type.String(),
  secret: Type.String(),
  topology: Type.String(),
})
type Kept = Static<typeof Kept>

export interface VoterPlace {
  dataDir: string
  box: Omit<TopologyBox, 'role' | 'id' | 'log_key' | 'dial'>
  config: EngineDeps['config']
  logger: Logger
  random: (size: number) => Buffer
  elsewhere: (fingerprint: string) => Promise<readonly string[]>
  /** Unix ms. */
  now: () => number
  monotonic: () => number
}

/** A voter that was here before; undefined where there was none. @throws JoinError for a damaged file */
export async function knownVoter({ dataDir }: Pick<VoterPlace, 'dataDir'>): Promise<Kept | undefined> {
  const path = join(dataDir, FILE)
  const text = await readIfThere(path)
  if (text === undefined) return undefined
  try {
    const kept: unknown = JSON.parse(text)
    if (Value.Check(Kept, kept)) return kept
  } catch {
    // Falls through.
  }
  throw new JoinError(`${path} is damaged: remove it, and ask for another invite.`)
}

/** @throws JoinError */
export async function becomeVoter(invite: MeshInvite, place: VoterPlace): Promise<Kept> {
  const { dataDir, random } = place
  if (invite.as !== 'voter') throw new JoinError('This invite is for a box: run "gatehouse mesh join" with it.')
  const { url, ca } = await findInviter(invite, place)
  const event = invite.eventId
  // Who this is, until the other box has said yes: a second try on the same invite is the same voter.
  const path = join(dataDir, `${FILE}.${createHash('sha256').update(invite.code).digest('hex').slice(0, 8)}`)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const before = (await readIfThere(path))?.split(' ')
  const [id = newBoxId(random), seed = random(32).toString('base64')] = before ?? []
  await replaceDurably(path, `${id} ${seed}`)
  const log_key = verifierKey(originOf(event, id), signingKey(Buffer.from(seed, 'base64')))
  const kept = { event, ca, box: { ...place.box, id, log_key }, seed, code: invite.code }
  const { topology, verifier_key, secret } = await vouched(url, kept, thisMachine(place.box.host))
  const whole = { ...kept, topology, verifier_key, secret }
  openTopology(topology, publicKeyOf(whole), event)
  await replaceDurably(join(dataDir, FILE), JSON.stringify(whole))
  await rm(path, { force: true })
  return whole
}

/** Runs until `signal` says so, or until the list of boxes has no such voter any more: then it resolves to false. */
export async function runVoter(kept: Kept, place: VoterPlace, signal: AbortSignal): Promise<boolean> {
  const { dataDir, config, logger, now, monotonic } = place
  const eventKey = publicKeyOf(kept)
  let signed = kept.topology
  let topology = openTopology(signed, eventKey, kept.event)
  await using engine: Engine = await openEngine(topology, {
    ...{ boxId: kept.box.id, dataDir, config, logger, now, monotonic, signal },
    eventSeed: { meshSecret: kept.secret },
    authority: issuerThrough(kept.ca, (machine) => askAny(topology, kept, machine)),
  })
  while (!signal.aborted) {
    const newest = await newestOf(topology, signed, { ca: kept.ca, eventKey, event: kept.event, signal })
    if (newest) {
      ;({ topology, signed } = newest)
      await replaceDurably(join(dataDir, FILE), JSON.stringify({ ...kept, topology: signed }))
      if (!topology.boxes.some(({ id }) => id === kept.box.id)) return false
      await engine.apply(topology)
    }
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
  }
  return true
}

/** The newest list that any box has, if it is newer than this one. */
async function newestOf(
  known: Topology,
  signed: string,
  { ca, eventKey, event, signal }: { ca: string; eventKey: KeyObject; event: string; signal: AbortSignal },
): Promise<{ topology: Topology; signed: string } | undefined> {
  let newest: { topology: Topology; signed: string } | undefined
  await Promise.all(
    known.boxes.map(async ({ role, https }) => {
      if (role === 'voter') return
      try {
        await using box = pinned(https, ca)
        const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
        const answer = await box.post('/v1/mesh/topology', { topology: signed }, patience)
        const { topology: text } = (await answer.json()) as { topology?: unknown }
        if (!answer.ok || typeof text !== 'string') return
        const topology = openTopology(text, eventKey, event)
        if (isNewer(topology, newest?.topology ?? known)) newest = { topology, signed: text }
      } catch {
        // It is away, or says nothing that counts: the next look asks again.
      }
    }),
  )
  return newest
}

/** A new certificate, from whichever box answers. */
async function askAny(topology: Topology, kept: Pick<Kept, 'ca' | 'box' | 'seed' | 'code'>, machine: Machine) {
  let problem: unknown = new JoinError('No box of the event is known.')
  for (const { role, https } of topology.boxes) {
    if (role === 'voter') continue
    try {
      const { key, certificate, left_out: leftOut } = await vouched(https, kept, machine)
      return { key, certificate, leftOut }
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

async function vouched(
  url: string,
  { ca, box, seed, code }: Pick<Kept, 'ca' | 'box' | 'seed' | 'code'>,
  machine: Machine,
): Promise<VoterAnswer> {
  await using inviter = pinned(url, ca)
  const body = { ...joinRequest(code, box, signingKey(Buffer.from(seed, 'base64'))), machine }
  const answer = await asked(inviter.post('/v1/mesh/voter', body, AbortSignal.timeout(3 * PATIENCE_MS)))
  const said: unknown = await answer.json()
  if (!Value.Check(VoterAnswer, said)) throw new JoinError('The other box says nothing of use: update it.')
  return said
}

function publicKeyOf({ verifier_key }: Pick<Kept, 'verifier_key'>): KeyObject {
  return readVerifierKey(verifier_key).publicKey
}
