/**
 * Several boxes of one event, each a process with its nats-server, for tests of the mesh.
 *
 *   const { whyNot } = await natsServer()                       // box/test/nats-server.ts
 *   test('...', { skip: whyNot }, async () => {
 *     await using world = await MeshWorld.open({ boxes: 3 })    // all of them started; `start: false` for none
 *     const [a, b] = world.boxes                                // MeshBox: ports, id, client(), device(), kill(), stop(), ...
 *     const gate = await a.device()                             // paired at a; gate.at(b) is the same device at b
 *     await gate.scan('ONCE-1')                               // printed codes: box/test/event.ts, or `tickets`
 *     world.cables.cut(0, 1)                                    // by the place in `boxes`, from 0; see box/test/mesh-forwarder.ts
 *     await a.kill(); await a.start()                           // SIGKILL for the box; its nats-server goes with it
 *   })
 *
 * Boxes are made as `gatehouse mesh join` makes them: one is opened and closed, the others begin with a copy of its ledger, and
 * all have one list of boxes (`world.topology`). Every port is free when the world opens, and each box has its own for all its
 * lives. What the boxes say to each other goes through `world.cables`; where that cannot be had (`Cables` needs Linux),
 * `world.hasCables` is false, and what needs a cut cable is left out. Everything goes away with the object.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { openBox } from '../src/box.ts'
import { readConfig } from '../src/config.ts'
import type { PairedDevice } from '../src/device/pair.ts'
import { type TlsFetch, tlsFetch } from '../src/device/tls-fetch.ts'
import { COMMAND_LINE } from '../src/http/actor.ts'
import { newBoxId } from '../src/ledger/identity.ts'
import { openLedger } from '../src/ledger/open.ts'
import { createLogger } from '../src/log.ts'
import { becomeNewBox } from '../src/mesh/join/become.ts'
import { Membership } from '../src/mesh/membership.ts'
import { firstTopology, signTopology, type Topology, type TopologyBox, withBox } from '../src/mesh/topology.ts'
import { keysOf } from '../src/seal/verifier-key.ts'
import type { EnvironmentOptions } from './environment.ts'
import { Cables } from './mesh-forwarder.ts'
import { natsServer } from './nats-server.ts'
import { BoxFolder, type BoxProcess, type Ports } from './process-box.ts'
import { scanOf } from './scan-of.ts'

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

  /** @throws where there is no nats-server: ask `natsServer` before, and leave the test out */
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
        ...{ GATEHOUSE_HTTP_PORT: http, GATEHOUSE_HTTPS_PORT: https, GATEHOUSE_DEVICE_PORT: device },
        ...{ GATEHOUSE_MESH_HOST: host, GATEHOUSE_MESH_ROUTE_PORT: route, GATEHOUSE_MESH_LEAF_PORT: leaf },
        ...{ GATEHOUSE_NATS_SERVER: file, GATEHOUSE_FEED: '0', ...options.environment },
      }
      const folder = opened.use(new BoxFolder({ ...options, environment }))
      return opened.use(new MeshBox(folder, { http: Number(http), https: Number(https), device: Number(device) }))
    })
    const cables = opened.use(new Cables({ boxes: count, pidsOf: (box) => boxes[box]?.pids() ?? [] }))
    const addresses = places.map(({ host, ports: [, https = 0, device = 0, route = 0, leaf = 0] }, i) => ({
      ...{ name: `Box ${i + 1}`, host, ports: { route, leaf } },
      ...{ https: `https://127.0.0.1:${https}`, device: `https://127.0.0.1:${device}` },
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

/** One box over all its lives. */
export class MeshBox implements AsyncDisposable {
  readonly folder: BoxFolder
  readonly ports: Ports
  id = ''
  readonly #stack = new AsyncDisposableStack()
  #process: BoxProcess | undefined
  #fetch: TlsFetch | undefined

  constructor(folder: BoxFolder, ports: Ports) {
    this.folder = folder
    this.ports = ports
  }

  get dataDir(): string {
    return this.folder.dataDir
  }

  /** What its present life has said, or its last. */
  get output(): string {
    return this.#process?.output ?? ''
  }

  /** Resolves when its gates are open: the other boxes may not be heard yet. */
  async start(): Promise<void> {
    this.#process = this.folder.start()
    await this.#process.opened()
  }

  /** Ends it as an operator does. */
  async stop(): Promise<void> {
    this.#process?.signal('SIGTERM')
    await this.#process?.exited()
    this.#process = undefined
  }

  /** SIGKILL: its nats-server goes with it. */
  async kill(): Promise<void> {
    await this.#process?.kill()
    this.#process = undefined
  }

  /** Of its nats-server; undefined while there is none. */
  get natsPid(): number | undefined {
    const path = join(this.dataDir, 'nats/pid')
    return (existsSync(path) && Number(readFileSync(path, 'utf8'))) || undefined
  }

  /** Its nats-server alone: the box starts another. */
  killNats(): void {
    if (this.natsPid !== undefined) process.kill(this.natsPid, 'SIGKILL')
  }

  /** Holds box and nats-server where they are, as a machine that hangs. */
  pause(): void {
    this.#signalAll('SIGSTOP')
  }

  resume(): void {
    this.#signalAll('SIGCONT')
  }

  /** Runs `gatehouse` with these arguments beside it. */
  command(...args: string[]): BoxProcess {
    return this.folder.command(...args)
  }

  pids(): number[] {
    return [this.#process?.pid, this.natsPid].filter((pid) => pid !== undefined)
  }

  get ca(): string {
    return readFileSync(join(this.dataDir, 'nats/ca.pem'), 'utf8')
  }

  /** A client with the admin's token. */
  client(): GatehouseClient {
    const token = readFileSync(join(this.dataDir, 'admin-token'), 'utf8').trim()
    this.#fetch ??= this.#stack.use(tlsFetch({ ca: readAuthority(this.dataDir) }))
    return gatehouseClient({ baseUrl: `https://127.0.0.1:${this.ports.https}`, token, fetch: this.#fetch })
  }

  /** A device, newly paired here. */
  async device(name = 'test device'): Promise<MeshDevice> {
    return this.#stack.use(new MeshDevice(await this.folder.pair(this.ports, name), this))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.resume()
    await this.kill()
    await this.#stack.disposeAsync()
  }

  #signalAll(signal: NodeJS.Signals): void {
    for (const pid of this.pids()) {
      try {
        process.kill(pid, signal)
      } catch {
        // The number of a server that is gone.
      }
    }
  }
}

/** A device at one of the boxes. */
export class MeshDevice implements AsyncDisposable {
  readonly paired: PairedDevice
  readonly client: GatehouseClient
  readonly #fetch: TlsFetch
  readonly #elsewhere: MeshDevice[] = []

  constructor(paired: PairedDevice, box: MeshBox) {
    const { ca, certificate: cert, key, token } = paired
    this.paired = paired
    this.#fetch = tlsFetch({ ca, cert, key })
    const baseUrl = `https://127.0.0.1:${box.ports.device}`
    this.client = gatehouseClient({ baseUrl, token, fetch: this.#fetch })
  }

  /** The same device, asking another box. */
  at(box: MeshBox): MeshDevice {
    const there = new MeshDevice(this.paired, box)
    this.#elsewhere.push(there)
    return there
  }

  /** Scans at gate A, and expects a verdict. @throws with the error's code and words when there is none */
  async scan(payload: string, more?: Partial<ScanRequest>): Promise<Verdict> {
    const { data, error } = await this.client.POST('/v1/scan', { body: scanOf(payload, Date.now(), more) })
    if (!data) throw new Error(`${error.code}: ${error.message}`)
    return data
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const there of this.#elsewhere) await there[Symbol.asyncDispose]()
    await this.#fetch[Symbol.asyncDispose]()
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
    for (const name of ['ledger.db', 'admin-token', 'ca']) {
      cpSync(join(first.dataDir, name), join(dataDir, name), { recursive: true })
    }
    becomeNewBox(join(dataDir, 'ledger.db'), {
      box: { boxId: newBoxId(randomBytes), logSeed: randomBytes(32) },
      ...{ action: 'joined', by: COMMAND_LINE, now: Date.now, random: randomBytes },
    })
    for (const name of ['ca/server.pem', 'nats']) rmSync(join(dataDir, name), { recursive: true, force: true })
  }

  const opened = boxes.map(({ dataDir }) => openLedger({ dataDir, eventId, wallClock: Date.now }))
  let topology: Topology | undefined
  let signed = ''
  for (const [i, { identity }] of opened.entries()) {
    const { logVerifierKey: log_key, eventKey } = keysOf(eventId, identity)
    const address = addresses[i]
    if (!address) throw new Error('a box without an address')
    const all = { id: identity.boxId, log_key, ...address }
    topology = topology
      ? withBox(topology, { ...all, ...(i === voter && { role: 'voter' }) })
      : firstTopology(eventId, all)
    signed = signTopology(topology, eventKey)
  }
  for (const [i, { ledger, identity }] of opened.entries()) {
    const { eventKey } = keysOf(eventId, identity)
    const box = boxes[i]
    if (box) box.id = identity.boxId
    using membership = new Membership({ ledger, eventId, eventKey, now: Date.now })
    await membership.hear(signed, 'test')
    ledger[Symbol.dispose]()
  }
  if (!topology) throw new Error('a mesh needs boxes')
  return topology
}

/** PEM. */
function readAuthority(dataDir: string): string {
  const pem = readFileSync(join(dataDir, 'ca/authority.pem'), 'utf8')
  return pem.slice(0, pem.indexOf('-----BEGIN PRIVATE KEY'))
}

/** Below those that the system gives to whoever dials: a box that is down for a moment keeps its own. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = 11_000 + (randomBytes(2).readUInt16BE() % 21_000)
    if (!ports.includes(port) && (await isFree(port))) ports.push(port)
  }
  return ports
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port)
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
