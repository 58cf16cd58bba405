/**
 * Joins an event: fetches everything that its boxes have in common, makes this box's own ledger of it, is listed among the
 * boxes, and only then puts it in place. Whatever fails before leaves nothing behind but this box's own key, by which the same
 * invite can be used again.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { BackupError, type BackupManifest, DATA } from '../../backup/manifest.ts'
import { putInPlace, unpackBackup } from '../../backup/restore.ts'
import { settleLedger } from '../../db.ts'
import { fetchAuthority, PairingError } from '../../device/pair.ts'
import { readIfThere, replaceDurably } from '../../durable-file.ts'
import { readEvent } from '../../event/event.ts'
import type { By } from '../../http/actor.ts'
import { newBoxId } from '../../ledger/identity.ts'
import { openLedger } from '../../ledger/open.ts'
import { keysOf, originOf, signingKey, verifierKey } from '../../seal/verifier-key.ts'
import { Membership } from '../membership.ts'
import type { TopologyBox } from '../topology.ts'
import { becomeNewBox, type NewBox } from './become.ts'
import type { MeshInvite } from './invite.ts'
import { JoinError } from './join-error.ts'
import { type Pinned, pinned } from './pinned.ts'
import { type Joiner, joinRequest } from './request.ts'

export interface JoinPlace {
  dataDir: string
  /** Where the event's folder goes; one that is there already has to be of the same event. */
  eventDir: string
  /** How the others are to know this box. */
  box: Omit<TopologyBox, 'role' | 'id' | 'log_key' | 'dial'>
  by: By
  /** Unix ms. */
  now: () => number
  random: (size: number) => Buffer
  /**
   * Other addresses, `https://host:port`, at which a box of this authority may be, where the invite's own does not answer.
   * They need not be true.
   */
  elsewhere: (fingerprint: string) => Promise<readonly string[]>
  /** Ends it. */
  signal?: AbortSignal
}

export interface Joined {
  boxId: string
  eventId: string
  /** Who invited it, and how many entries of theirs came along. */
  from: string
  entries: number
  /** An event folder was there already, and is as it was. */
  keptEvent: boolean
}

/** This box's own name and key, until they are in its ledger. */
const PENDING = 'joining.json'

/** @throws JoinError, BackupError for a bundle that is none; nothing is in place then */
export async function joinMesh(invite: MeshInvite, place: JoinPlace): Promise<Joined> {
  const { dataDir, eventDir, now } = place
  if (invite.as === 'voter')
    throw new JoinError('This invite is for a machine that only votes: run "gatehouse mesh voter" with it.')
  if (existsSync(join(dataDir, 'ledger.db')))
    throw new JoinError(`${dataDir} has a ledger already: a box joins with an empty data folder. Name another one.`)
  if (invite.expiresAt <= now()) throw new JoinError('This invite has expired: make a new one at the other box.')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await removeForgotten(dataDir)

  const { eventId } = invite
  await requireRoomFor(eventId, eventDir)
  const { url, ca } = await findInviter(invite, place)
  await using inviter = pinned(url, ca)
  const box = await pendingBox(invite.code, place)
  const logKey = signingKey(box.logSeed)
  const joiner: Joiner = { ...place.box, id: box.boxId, log_key: verifierKey(originOf(eventId, box.boxId), logKey) }
  const request = joinRequest(invite.code, joiner, logKey)

  const staging = await mkdtemp(join(dataDir, 'join-'))
  try {
    const manifest = await fetchBundle(inviter, request, { staging, eventId, ...place })
    const ledger = join(staging, DATA, 'ledger.db')
    const became = becomeNewBox(ledger, { ...place, box, action: 'joined' })
    const topology = await enlist(inviter, request, place.signal)
    await takeOver(topology, join(staging, DATA), { eventId, boxId: box.boxId, from: became.from, ...place })
    const { keptEvent } = await putInPlace(staging, { dataDir, eventDir, now: now() })
    await rm(join(dataDir, PENDING), { force: true })
    return { boxId: box.boxId, eventId: manifest.event_id, ...became, keptEvent }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Whoever answers at an address may be anybody: the fingerprint of the invite decides. */
export async function findInviter(
  invite: MeshInvite,
  place: Pick<JoinPlace, 'elsewhere'>,
): Promise<{ url: string; ca: string }> {
  const first = await fetchAuthority(invite.url, invite.fingerprint).catch((error) => asJoinError(error, invite.url))
  if (typeof first === 'string') return { url: invite.url, ca: first }
  for (const url of await place.elsewhere(invite.fingerprint)) {
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

/** Before anything is fetched: the ledger of one event with the folder of another would not open. */
async function requireRoomFor(eventId: string, eventDir: string): Promise<void> {
  if (!existsSync(eventDir)) return
  const { id } = await readEvent(eventDir)
  if (id !== eventId) {
    throw new JoinError(
      `${eventDir} describes the event "${id}", and the invite is for "${eventId}": name a folder that is not there yet with GATEHOUSE_EVENT_DIR.`,
    )
  }
}

const Pending = Type.Object({ invite: Type.String(), box_id: Type.String(), log_seed: Type.String() })

/** Who this box will be: the same again where the same invite is tried again, because it is promised to that key. */
async function pendingBox(code: string, { dataDir, random }: JoinPlace): Promise<NewBox> {
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
  inviter: Pinned,
  request: unknown,
  { staging, eventId, signal }: { staging: string; eventId: string; signal?: AbortSignal },
): Promise<BackupManifest> {
  const answer = await asked(inviter.post('/v1/mesh/bundle', request, signal))
  if (!answer.body) throw new JoinError('The other box sent nothing: try again.')
  const manifest = await unpackBackup(Readable.fromWeb(answer.body as never), 'What the other box sent', staging).catch(
    (cause) => {
      if (!(cause instanceof BackupError)) throw cause
      throw new JoinError('The event did not arrive whole: run the same join again.', { cause })
    },
  )
  if (manifest.event_id !== eventId) throw new JoinError('The other box sent another event: make a new invite there.')
  return manifest
}

async function enlist(inviter: Pinned, request: unknown, signal: AbortSignal | undefined): Promise<string> {
  const answer = await asked(inviter.post('/v1/mesh/join', request, signal))
  const { topology } = (await answer.json()) as { topology?: unknown }
  if (typeof topology !== 'string') throw new JoinError('The other box does not say which boxes there are: try again.')
  return topology
}

/** The list of boxes, into the ledger that is not in place yet: this box must not think for a moment that it is alone. */
async function takeOver(
  topology: string,
  dataDir: string,
  { eventId, boxId, from, now }: { eventId: string; boxId: string; from: string; now: () => number },
): Promise<void> {
  const { ledger, identity } = openLedger({ dataDir, eventId, wallClock: now })
  try {
    const { eventKey } = keysOf(eventId, identity)
    using membership = new Membership({ ledger, eventId, eventKey, now })
    await membership.hear(topology, from)
    if (!membership.topology?.boxes.some(({ id }) => id === boxId))
      throw new JoinError('The other box does not list this one: make a new invite there.')
  } finally {
    ledger[Symbol.dispose]()
  }
  settleLedger(join(dataDir, 'ledger.db'))
}

/** The answer, if it is one; the other box's own words if it says no. */
export async function asked(asking: Promise<Response>): Promise<Response> {
  const answer = await asking.catch((cause) => {
    throw new JoinError('The other box does not answer any more: run the same join again.', { cause })
  })
  if (answer.ok) return answer
  const { message } = ((await answer.json().catch(() => ({}))) ?? {}) as { message?: unknown }
  throw new JoinError(typeof message === 'string' ? message : `The other box says ${answer.status}: try again.`)
}

/** A power cut in the middle of it leaves its folder behind, with the event's keys in it. */
async function removeForgotten(dataDir: string): Promise<void> {
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
