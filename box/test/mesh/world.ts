/**
 * Several boxes of one event, each a process with its nats-server, for tests of the mesh.
 *
 *   const { whyNot } = await natsServer()                       // box/test/world/nats-server.ts
 *   test('...', { skip: whyNot }, async () => {
 *     await using world = await MeshWorld.open({ boxes: 3 })    // all of them started; `start: false` for none
 *     const [a, b] = world.boxes                                // MeshBox: ports, id, admin(), device(), kill(), stop(), ...
 *     const gate = await a.device()                             // paired at a; b.deviceOf(gate.paired) is the same device at b
 *     await gate.scan('ONCE-1')                               // printed codes: box/test/world/event.ts, or `tickets`
 *     world.cables.cut(0, 1)                                    // by the place in `boxes`, from 0; see box/test/mesh/forwarder.ts
 *     await a.kill(); await a.start()                           // SIGKILL for the box; its nats-server goes with it
 *   })
 *
 * Boxes are made as `gatehouse mesh join` makes them: one is opened and closed, the others begin with a copy of its ledger, and
 * all have one list of boxes (`world.topology`). Every port is free when the world opens, and each box has its own for all its
 * starts. What the boxes say to each other goes through `world.cables`; where that cannot be had (`Cables` needs Linux),
 * `world.hasCables` is false, and what needs a cut cable is left out. Everything goes away with the object.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openBox } from '../../src/boot/box.ts'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { readConfig } from '../../src/config.ts'
import { newBoxId } from '../../src/ledger/identity.ts'
import { openLedger } from '../../src/ledger/open.ts'
import { createLogger } from '../../src/log.ts'
import { boxKeyOf, encodePublicKey, openBoxKey } from '../../src/mesh/encryption/box-key.ts'
import { convertLedger } from '../../src/mesh/membership/convert/convert-ledger.ts'
import { Membership } from '../../src/mesh/membership/membership.ts'
import { firstTopology, signTopology, type Topology, type TopologyBox, withBox } from '../../src/mesh/topology.ts'
import { keysOf } from '../../src/seal/verifier-key.ts'
import type { EnvironmentOptions } from '../world/environment.ts'
import { natsServer } from '../world/nats-server.ts'
import { freePorts } from '../world/ports.ts'
import { ProcessBox } from '../world/process-box.ts'
import { until } from '../world/until.ts'
import { Cables } from './forwarder.ts'

export interface MeshWorldOptions extends EnvironmentOptions {
  boxes: number
  /** The place of one that votes and has no gates. */
  voter?: number
  /** Start them all: yes, by default. */
  start?: boolean
}

export class MeshWorld implements AsyncDisposable {
  readonly boxes: readonly MeshBox[]
  readonly cables: Cables
  readonly hasCables: boolean
  readonly topology: Topology
  readonly #stack: AsyncDisposableStack

  private constructor(
    parts: Pick<MeshWorld, 'boxes' | 'cables' | 'hasCables' | 'topology'>,
    stack: AsyncDisposableStack,
  ) {
    this.boxes = parts.boxes
    this.cables = parts.cables
    this.hasCables = parts.hasCables
    this.topology = parts.topology
    this.#stack = stack
  }

  /** @throws when there is no nats-server: check `natsServer` before, and skip the test */
  static async open({ boxes: count, voter, start = true, ...options }: MeshWorldOptions): Promise<MeshWorld> {
    const { file, whyNot } = await natsServer()
    if (file === undefined) throw new Error(String(whyNot))
    await using opened = new AsyncDisposableStack()
    const hasCables = process.platform === 'linux'
    const network = randomBytes(2)
    const places = await Promise.all(
      Array.from({ length: count }, async (_, i) => ({
        host: hasCables ? `127.${1 + ((network[0] ?? 0) % 250)}.${network[1]}.${i + 1}` : '127.0.0.1',
        ports: await freePorts(5),
      })),
    )
    const boxes = places.map(({ host, ports }) => {
      const [http, https, device, route, leaf] = ports.map(String)
      const environment = {
        GATEHOUSE_HTTP_PORT: http,
        GATEHOUSE_HTTPS_PORT: https,
        GATEHOUSE_DEVICE_PORT: device,
        GATEHOUSE_MESH_HOST: host,
        GATEHOUSE_MESH_ROUTE_PORT: route,
        GATEHOUSE_MESH_LEAF_PORT: leaf,
        GATEHOUSE_NATS_SERVER: file,
        GATEHOUSE_FEED: '0',
        ...options.environment,
      }
      return opened.use(new MeshBox({ ...options, environment }))
    })
    const cables = opened.use(new Cables({ boxes: count, pidsOf: (box) => boxes[box]?.pids() ?? [] }))
    const addresses = places.map(({ host, ports: [, https = 0, device = 0, route = 0, leaf = 0] }, i) => ({
      name: `Box ${i + 1}`,
      host,
      ports: { route, leaf },
      https: `https://127.0.0.1:${https}`,
      device: `https://127.0.0.1:${device}`,
    }))
    if (hasCables) {
      for (const [i, { host, ports }] of addresses.entries()) {
        for (const port of [ports.route, ports.leaf]) await cables.lay(i, { host, port }, { host: '127.0.0.1', port })
      }
    }
    const topology = await makeBoxes(boxes, addresses, voter)
    const world = new MeshWorld({ boxes, cables, hasCables, topology }, opened.move())
    if (start) {
      try {
        await Promise.all(boxes.map((box) => box.start()))
      } catch (error) {
        await world[Symbol.asyncDispose]()
        throw error
      }
    }
    return world
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}

/** One of the boxes, with its nats-server. */
export class MeshBox extends ProcessBox {
  id = ''

  /** Of its nats-server; undefined while there is none. */
  get natsPid(): number | undefined {
    const path = join(this.dataDir, 'nats/pid')
    return (existsSync(path) && Number(readFileSync(path, 'utf8'))) || undefined
  }

  /** Kills its nats-server alone: the box starts another. */
  killNats(): void {
    if (this.natsPid !== undefined) process.kill(this.natsPid, 'SIGKILL')
  }

  /** Stops box and nats-server where they are, as a machine that hangs. Resolves when nothing of them runs any more. */
  async pause(): Promise<void> {
    this.#signalAll('SIGSTOP')
    // On a busy machine their threads go on for some tens of milliseconds, in which they still answer the other boxes.
    await until(() => this.pids().every(isStopped), 'box and nats-server are stopped')
  }

  resume(): void {
    this.#signalAll('SIGCONT')
  }

  pids(): number[] {
    return [this.pid, this.natsPid].filter((pid) => pid !== undefined)
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.resume()
    await super[Symbol.asyncDispose]()
  }

  #signalAll(signal: NodeJS.Signals): void {
    for (const pid of this.pids()) {
      try {
        process.kill(pid, signal)
      } catch {
        // The pid of a server that has exited.
      }
    }
  }
}

/** True where no thread of a process runs, or there is none. */
function isStopped(pid: number): boolean {
  try {
    if (process.platform !== 'linux')
      return /^(T|$)/.test(
        spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
          .stdout.toString()
          .trim(),
      )
    const states = readdirSync(`/proc/${pid}/task`).map((thread) => {
      const [, state] = /\) (\w)/.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')) ?? []
      return state
    })
    return states.every((state) => state === 'T')
  } catch {
    // It has ended.
    return true
  }
}

type Address = Pick<TopologyBox, 'name' | 'host' | 'ports' | 'https' | 'device'>

/** The first is opened and closed, so that it has its tickets; the others become boxes of its event; all get one list. */
async function makeBoxes(boxes: readonly MeshBox[], addresses: readonly Address[], voter?: number): Promise<Topology> {
  const surroundings = { logger: createLogger('silent'), wallClock: Date.now, monotonic: () => performance.now() }
  const [first] = boxes
  if (!first) throw new Error('a mesh needs boxes')
  const config = readConfig(first.folder.environment)
  const box = await openBox(config, surroundings)
  const eventId = box.event.id
  await box[Symbol.asyncDispose]()

  for (const { dataDir } of boxes.slice(1)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    for (const name of ['ledger.db', 'keys.json', 'admin-token', 'ca']) {
      cpSync(join(first.dataDir, name), join(dataDir, name), { recursive: true })
    }
    convertLedger(join(dataDir, 'ledger.db'), {
      box: { boxId: newBoxId(randomBytes), logSeed: randomBytes(32) },
      action: 'joined',
      by: COMMAND_LINE,
      now: Date.now,
      random: randomBytes,
    })
    for (const name of ['ca/server.pem', 'nats']) rmSync(join(dataDir, name), { recursive: true, force: true })
  }

  const opened = boxes.map(({ dataDir }) => openLedger({ dataDir, eventId, wallClock: Date.now }))
  let topology: Topology | undefined
  let signed = ''
  const keys = await Promise.all(boxes.map(({ dataDir }) => openBoxKey(dataDir, randomBytes)))
  for (const [i, { identity }] of opened.entries()) {
    const { logVerifierKey: log_key, eventKey } = keysOf(eventId, identity)
    const address = addresses[i]
    if (!address) throw new Error('a box without an address')
    const key = keys[i]
    const hasKey = key && i !== voter
    const all = { id: identity.boxId, log_key, ...(hasKey && { encryption_key: encodePublicKey(key) }), ...address }
    topology = topology
      ? withBox(topology, { ...all, ...(i === voter && { role: 'voter' }) })
      : firstTopology(eventId, all)
    signed = signTopology(topology, eventKey)
  }
  for (const [i, { ledger, identity }] of opened.entries()) {
    const { eventKey } = keysOf(eventId, identity)
    const box = boxes[i]
    if (box) box.id = identity.boxId
    const keyHolder = { id: identity.boxId, key: keys[i] ?? boxKeyOf(randomBytes(32)), random: randomBytes }
    using membership = new Membership({ ledger, eventId, eventKey, keyHolder, now: Date.now })
    await membership.adopt(signed, 'test')
    // The first one makes the group key.
    signed = membership.signed ?? ''
    topology = membership.topology
    ledger[Symbol.dispose]()
  }
  if (!topology) throw new Error('a mesh needs boxes')
  return topology
}
