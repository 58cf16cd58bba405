/**
 * Boxes that have nothing in common but their claims: each a desk with its own ledger, and a nats-server of its own in one core.
 * None hears another's journal, so what one knows of another's admissions it knows from the stream of claims.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAuthority } from '../src/ca/authority.ts'
import type { Mode } from '../src/control/mode.ts'
import type { EventFile } from '../src/event/event.ts'
import { writeValue } from '../src/ledger/identity.ts'
import { createLogger } from '../src/log.ts'
import { Claims } from '../src/mesh/claims/claims.ts'
import { type Engine, openEngine } from '../src/mesh/engine/engine.ts'
import { firstTopology, type Topology, withBox } from '../src/mesh/topology.ts'
import { Desk } from './desk.ts'
import { TEST_EVENT } from './event.ts'
import { natsServer } from './nats-server.ts'
import { until } from './until.ts'

/** Whoever comes and goes may also go on to the lounge. */
const EVENT = {
  ...TEST_EVENT,
  checkpoints: TEST_EVENT.checkpoints.map((checkpoint) =>
    checkpoint.id === 'v-in' ? { ...checkpoint, tiers: [...checkpoint.tiers, 'reentry'] } : checkpoint,
  ),
} as EventFile
const NOON = Date.parse('2026-07-04T12:00:00+01:00')

/** One box: what its claims are told, and what they say. */
export interface ClaimsBox {
  readonly id: string
  readonly desk: Desk
  readonly engine: Engine
  claims: Claims
  mode: Mode
  heard: boolean
  /** What claims and probes found out, in order. */
  readonly found: ('answered' | 'silence' | 'gave up')[]
}

export class ClaimsWorld implements AsyncDisposable {
  readonly boxes: readonly ClaimsBox[]
  readonly topology: Topology
  readonly #stack: AsyncDisposableStack

  private constructor(boxes: readonly ClaimsBox[], topology: Topology, stack: AsyncDisposableStack) {
    this.boxes = boxes
    this.topology = topology
    this.#stack = stack
  }

  /** @param rows tickets, as `Desk.import` takes them */
  static async open(count: number, rows: readonly string[]): Promise<ClaimsWorld> {
    const { file } = await natsServer()
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-claims-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    const authority = await openAuthority({
      ...{ dir: join(folder, 'ca'), eventId: TEST_EVENT.id, eventName: TEST_EVENT.name, hostname: 'test' },
      ...{ endsAt: Date.now() + 86_400_000, now: Date.now },
    })
    const topology = await topologyOf(count)
    const secrets = { ref_key: randomBytes(32), manifest_salt: randomBytes(16) }
    const boxes = await Promise.all(
      topology.boxes.map(async ({ id }): Promise<ClaimsBox> => {
        const desk = opened.use(await Desk.open({ event: EVENT, now: NOON }))
        for (const [name, value] of Object.entries(secrets)) writeValue(desk.deps.ledger.db, name, value)
        desk.restart()
        await desk.import(rows)
        const engine = opened.use(
          await openEngine(topology, {
            ...{ boxId: id, dataDir: join(folder, id), authority, eventSeed: Buffer.alloc(32, 7) },
            config: {
              host: '127.0.0.1',
              meshHost: '127.0.0.1',
              natsServer: file,
              tlsCert: undefined,
              tlsKey: undefined,
            },
            ...{ logger: createLogger('silent'), now: Date.now, monotonic: () => performance.now() },
          }),
        )
        const box: Omit<ClaimsBox, 'claims'> = { id, desk, engine, mode: 'STRICT', heard: true, found: [] }
        return Object.assign(box, { claims: claimsOf(box) })
      }),
    )
    for (const box of boxes) box.desk.deps.claim = box.claims
    const world = new ClaimsWorld(boxes, topology, opened.move())
    // Elections, and then a stream with all its copies.
    for (const box of boxes) await world.answers(box)
    return world
  }

  /** Resolves when the voters answer this box, and its claims have nothing left to tell. */
  async answers({ claims, found }: ClaimsBox): Promise<void> {
    await until(
      async () => {
        found.length = 0
        await claims.probe()
        claims.catchUp()
        await claims.settled()
        return found.at(-1) === 'answered' && claims.isFilled() && claims.queueLength() === 0
      },
      'the voters answer',
      2,
    )
    found.length = 0
  }

  /** The box's process ends and comes back: what it has on disk is there, and what it was about to do is not. */
  restart(box: ClaimsBox): void {
    box.desk.restart()
    box.claims = claimsOf(box)
    box.desk.deps.claim = box.claims
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { engine } of this.boxes) if (engine.pid !== undefined) process.kill(engine.pid, 'SIGCONT')
    for (const { claims } of this.boxes) await claims.settled()
    await this.#stack.disposeAsync()
  }
}

function claimsOf(box: Omit<ClaimsBox, 'claims'>): Claims {
  const { desk, engine, id, found } = box
  return new Claims({
    ...{ boxId: id, event: desk.event, eventTag: Buffer.from(desk.tag).toString('hex') },
    ...{ ledger: desk.deps.ledger, tickets: desk.deps.tickets, engine: () => engine },
    ...{ mode: () => box.mode, isHeard: () => box.heard, why: () => 'Gate South unheard for 3 minutes' },
    monotonic: () => performance.now(),
    hearing: {
      answered: () => void found.push('answered'),
      silence: () => void found.push('silence'),
      gaveUp: () => void found.push('gave up'),
    },
  })
}

async function topologyOf(count: number): Promise<Topology> {
  let topology: Topology | undefined
  for (let i = 0; i < count; i++) {
    const address = { host: '127.0.0.1', ports: { route: await freePort(), leaf: await freePort() } }
    const box = {
      ...{ id: `box-${i + 1}`, name: `Box ${i + 1}`, log_key: 'x', ...address },
      ...{ https: 'https://127.0.0.1:8443', device: 'https://127.0.0.1:8444' },
    }
    topology = topology ? withBox(topology, box) : firstTopology(TEST_EVENT.id, box)
  }
  if (!topology) throw new Error('boxes are needed')
  return topology
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
