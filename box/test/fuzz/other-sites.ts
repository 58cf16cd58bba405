/** Sites that the fuzzer asks besides the box: a box that has others beside it, the feed's control plane, HQ's health checks. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { inviteText, readInviteText } from '../../src/ca/box-invite.ts'
import { openHealth } from '../../src/hq/health.ts'
import { PUBLISHED } from '../../src/ledger/published.ts'
import { mintMeshInvite } from '../../src/mesh/membership/invites.ts'
import { joinMesh } from '../../src/mesh/membership/join.ts'
import { FeedFolder } from '../feed/daemon-world.ts'
import { World } from '../world/world.ts'
import type { Known } from './configuration.ts'

/** As many as a box keeps open, and one was used. */
const INVITES = 40

export interface MeshSite extends AsyncDisposable {
  readonly world: World
  /** PEM. */
  readonly ca: string
  readonly known: Known
}

/** A box whose list has another one on it, and which has invited many. No nats-server runs: this is about its HTTPS routes. */
export async function openMeshSite(): Promise<MeshSite> {
  const world = await World.open({ environment: { GATEHOUSE_NATS_SERVER: '/nonexistent/nats-server' } })
  const { ledger, boxId, baseUrl, caFingerprint, event } = world.box
  // Limits of rate would answer for most of it.
  const hurry = setInterval(() => {
    world.elapsedMs += 1_000
  }, 15)
  const now = () => world.now()
  const mint = (as: 'box' | 'voter') =>
    mintMeshInvite(
      { as, seconds: 86_400, by: COMMAND_LINE, reason: 'the fuzz' },
      { ledger, boxId, now, random: randomBytes },
    )
  const first = await mint('box')
  const text = inviteText({ url: baseUrl, fingerprint: caFingerprint, as: 'box', eventId: event.id, ...first })
  const invite = readInviteText(text)
  if (!invite) throw new Error('no invite')
  const topology = await joinMesh(invite, {
    dataDir: join(world.folder, 'second/data'),
    eventDir: join(world.folder, 'second/event'),
    box: {
      name: 'second',
      host: '127.0.0.1',
      ports: { route: 1, leaf: 2 },
      https: 'https://127.0.0.1:3',
      device: 'https://127.0.0.1:4',
    },
    by: COMMAND_LINE,
    ...{ now, random: randomBytes, otherAddresses: async () => [] },
  })
  const codes: string[] = []
  for (let i = 0; i < INVITES; i++) codes.push((await mint(i % 2 === 0 ? 'box' : 'voter')).code)
  return {
    world,
    ca: (await world.device()).paired.ca,
    known: { meshInvites: codes, boxes: [boxId, topology.boxId] },
    async [Symbol.asyncDispose]() {
      clearInterval(hurry)
      await world[Symbol.asyncDispose]()
    },
  }
}

export interface FeedSite extends AsyncDisposable {
  readonly url: string
  readonly token: string
}

/** The change feed, in a process of its own, over the ledger of a box that runs. */
export async function openFeedSite(ledger: string): Promise<FeedSite> {
  const token = randomBytes(32).toString('base64url')
  const folder = new FeedFolder({
    server: { listen: '127.0.0.1:0', authToken: token },
    source: { kind: 'sqlite', path: ledger, create: true, onSlotLost: 'recreate', tables: PUBLISHED },
    sinks: [{ id: 'events', kind: 'event-stream' }],
  })
  const feed = folder.start()
  return {
    url: `http://127.0.0.1:${await feed.port()}`,
    token,
    async [Symbol.asyncDispose]() {
      await feed[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

export async function openHqSite(): Promise<{ url: string } & AsyncDisposable> {
  const since = performance.now()
  const health = await openHealth({
    ...{ host: '127.0.0.1', port: 0, isReady: async () => true, uptime: () => performance.now() - since },
  })
  return { url: `http://127.0.0.1:${health.port}`, [Symbol.asyncDispose]: () => health[Symbol.asyncDispose]() }
}
