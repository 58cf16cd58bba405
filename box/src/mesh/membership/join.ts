/**
 * Joins an event: downloads what its boxes share, converts it into this box's own ledger, has the box added to the list, and only
 * then puts everything in place. A failure before that leaves nothing behind but this box's own key, with which the same invite
 * can be used again.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { TooLargeError } from '../../backup/bounds.ts'
import { BackupError, type BackupManifest, DATA } from '../../backup/manifest.ts'
import { putInPlace } from '../../backup/put-in-place.ts'
import { unpackBackup } from '../../backup/unpack.ts'
import type { By } from '../../ca/actor.ts'
import type { MeshInvite } from '../../ca/box-invite.ts'
import { fetchAuthority, PairingError } from '../../device/pair.ts'
import { readIfThere, replaceDurably } from '../../durable-file.ts'
import { readEvent } from '../../event/event.ts'
import { settleLedger } from '../../ledger/db.ts'
import { newBoxId } from '../../ledger/identity.ts'
import { openLedger } from '../../ledger/open.ts'
import { keysOf, originOf, signingKey, verifierKey } from '../../seal/verifier-key.ts'
import { encodePublicKey, openBoxKey } from '../encryption/box-key.ts'
import type { TopologyBox } from '../topology.ts'
import { convertLedger } from './convert/convert-ledger.ts'
import type { NewBox } from './convert/identity.ts'
import { JoinError } from './join-error.ts'
import { type Joiner, joinRequest } from './join-request.ts'
import { Membership, type MembershipDeps } from './membership.ts'
import { type PinnedClient, pinnedClient } from './pinned-client.ts'

export interface JoinOptions {
  dataDir: string
  /** Folder for the event; an existing one has to be of the same event. */
  eventDir: string
  /** This box as the list is to have it. */
  box: Omit<TopologyBox, 'role' | 'id' | 'log_key' | 'encryption_key' | 'dial'>
  by: By
  /** Unix ms. */
  now: () => number
  random: (size: number) => Buffer
  /**
   * Finds further addresses, `https://host:port`, at which a box of this authority may be, for when the invite's own address does
   * not answer. They may be wrong.
   */
  otherAddresses: (fingerprint: string) => Promise<readonly string[]>
  /** Aborts it. */
  signal?: AbortSignal
}

export interface Joined {
  boxId: string
  eventId: string
  /** The box that invited it, and how many entries its journal has. */
  from: string
  entries: number
  /** There was an event folder already, which is unchanged. */
  keptEvent: boolean
}

/** The file with this box's id and key, until they are in its ledger. */
const PENDING = 'joining.json'

/** @throws JoinError, BackupError for an invalid bundle; nothing is in place then */
export async function joinMesh(invite: MeshInvite, place: JoinOptions): Promise<Joined> {
  const { dataDir, eventDir, now } = place
  if (invite.as === 'voter')
    throw new JoinError('This invite is for a machine that only votes: run "gatehouse mesh voter" with it.')
  if (existsSync(join(dataDir, 'ledger.db')))
    throw new JoinError(`${dataDir} has a ledger already: a box joins with an empty data folder. Name another one.`)
  if (invite.expiresAt <= now()) throw new JoinError('This invite has expired: make a new one at the other box.')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await removeStaleStaging(dataDir)

  const { eventId } = invite
  await requireSameEvent(eventId, eventDir)
  const { url, ca } = await findInviter(invite, place)
  await using inviter = pinnedClient(url, ca)
  const box = await pendingBox(invite.code, place)
  const logKey = signingKey(box.logSeed)
  const key = await openBoxKey(dataDir, place.random)
  const log_key = verifierKey(originOf(eventId, box.boxId), logKey)
  const joiner: Joiner = { ...place.box, id: box.boxId, log_key, encryption_key: encodePublicKey(key) }
  const request = joinRequest(invite.code, joiner, logKey)

  const staging = await mkdtemp(join(dataDir, 'join-'))
  try {
    const manifest = await fetchBundle(inviter, request, { staging, eventId, ...place })
    const ledger = join(staging, DATA, 'ledger.db')
    const became = convertLedger(ledger, { ...place, box, action: 'joined' })
    const topology = await enlist(inviter, request, place.signal)
    const keyHolder = { id: box.boxId, key, random: place.random }
    await storeTopologyIn(topology, join(staging, DATA), { eventId, keyHolder, from: became.from, now })
    const { keptEvent } = await putInPlace(staging, { dataDir, eventDir, now: now() })
    await rm(join(dataDir, PENDING), { force: true })
    return { boxId: box.boxId, eventId: manifest.event_id, ...became, keptEvent }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Finds the inviting box. Anybody may answer at an address: the invite's fingerprint decides. */
export async function findInviter(
  invite: MeshInvite,
  place: Pick<JoinOptions, 'otherAddresses'>,
): Promise<{ url: string; ca: string }> {
  const first = await fetchAuthority(invite.url, invite.fingerprint).catch((error) => asJoinError(error, invite.url))
  if (typeof first === 'string') return { url: invite.url, ca: first }
  for (const url of await place.otherAddresses(invite.fingerprint)) {
    const ca = await fetchAuthority(url, invite.fingerprint).catch(() => undefined)
    if (ca !== undefined) return { url, ca }
  }
  throw first
}

function asJoinError(error: unknown, url: string): JoinError {
  if (!(error instanceof PairingError)) throw error
  const message = error.refused
    ? 'The box at that address is not of the event that this invite is for: check the network, and try again there.'
    : `The box at ${url} does not answer: check the network between the two machines, then try again.`
  return new JoinError(message, { cause: error })
}

/** Checked before anything is downloaded: the ledger of one event does not open with the folder of another. */
async function requireSameEvent(eventId: string, eventDir: string): Promise<void> {
  if (!existsSync(eventDir)) return
  const { id } = await readEvent(eventDir)
  if (id !== eventId) {
    throw new JoinError(
      `${eventDir} describes the event "${id}", and the invite is for "${eventId}": name a folder that is not there yet with GATEHOUSE_EVENT_DIR.`,
    )
  }
}

const Pending = Type.Object({ invite: Type.String(), box_id: Type.String(), log_seed: Type.String() })

/** This box's future id and key: the same for every attempt with one invite, because the invite is bound to that key. */
async function pendingBox(code: string, { dataDir, random }: JoinOptions): Promise<NewBox> {
  const path = join(dataDir, PENDING)
  const invite = createHash('sha256').update(code).digest('hex')
  const kept = parsed((await readIfThere(path)) ?? '')
  if (Value.Check(Pending, kept) && kept.invite === invite)
    return { boxId: kept.box_id, logSeed: Buffer.from(kept.log_seed, 'base64') }
  const box = { boxId: newBoxId(random), logSeed: random(32) }
  const text = JSON.stringify({ invite, box_id: box.boxId, log_seed: box.logSeed.toString('base64') })
  await replaceDurably(path, text)
  return box
}

async function fetchBundle(
  inviter: PinnedClient,
  request: unknown,
  { staging, eventId, signal }: { staging: string; eventId: string; signal?: AbortSignal },
): Promise<BackupManifest> {
  const answer = await okResponse(inviter.post('/v1/mesh/bundle', request, signal))
  if (!answer.body) throw new JoinError('The other box sent nothing: try again.')
  const manifest = await unpackBackup(Readable.fromWeb(answer.body as never), 'What the other box sent', staging).catch(
    (cause) => {
      if (!(cause instanceof BackupError)) throw cause
      if (cause instanceof TooLargeError) throw new JoinError(cause.message, { cause })
      throw new JoinError('The event did not arrive whole: run the same join again.', { cause })
    },
  )
  if (manifest.event_id !== eventId) throw new JoinError('The other box sent another event: make a new invite there.')
  return manifest
}

async function enlist(inviter: PinnedClient, request: unknown, signal: AbortSignal | undefined): Promise<string> {
  const answer = await okResponse(inviter.post('/v1/mesh/join', request, signal))
  const { topology } = (await answer.json()) as { topology?: unknown }
  if (typeof topology !== 'string') throw new JoinError('The other box does not say which boxes there are: try again.')
  return topology
}

/** Stores the list of boxes before the ledger is put in place: this box must never start as if it were alone. */
async function storeTopologyIn(
  topology: string,
  dataDir: string,
  { eventId, keyHolder, from, now }: Pick<MembershipDeps, 'eventId' | 'keyHolder' | 'now'> & { from: string },
): Promise<void> {
  const { ledger, identity } = openLedger({ dataDir, eventId, wallClock: now })
  try {
    const { eventKey } = keysOf(eventId, identity)
    using membership = new Membership({ ledger, eventId, eventKey, keyHolder, now })
    await membership.adopt(topology, from)
    if (!membership.topology?.boxes.some(({ id }) => id === keyHolder.id))
      throw new JoinError('The other box does not list this one: make a new invite there.')
  } finally {
    ledger[Symbol.dispose]()
  }
  settleLedger(join(dataDir, 'ledger.db'))
}

/** @returns a successful answer. @throws JoinError, with the other box's message for a refusal */
export async function okResponse(asking: Promise<Response>): Promise<Response> {
  const answer = await asking.catch((cause) => {
    throw new JoinError('The other box does not answer any more: run the same join again.', { cause })
  })
  if (answer.ok) return answer
  const { message } = ((await answer.json().catch(() => ({}))) ?? {}) as { message?: unknown }
  throw new JoinError(typeof message === 'string' ? message : `The other box says ${answer.status}: try again.`)
}

/** A power cut while joining leaves the staging folder behind, with the event's keys in it. */
async function removeStaleStaging(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('join-')) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
