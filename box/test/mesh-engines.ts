/** The nats-servers of several boxes without their boxes: what the engine does, and what goes wrong between servers. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Msg } from '@nats-io/transport-node'
import { type Authority, openAuthority } from '../src/ca/authority.ts'
import { createLogger } from '../src/log.ts'
import { type Engine, type EngineDeps, openEngine } from '../src/mesh/engine/engine.ts'
import { firstTopology, type Topology, type TopologyBox, withBox } from '../src/mesh/topology.ts'
import { freePorts } from './mesh-world.ts'
import { natsServer } from './nats-server.ts'

export const EVENT = 'test-fair'

export class MeshEngines implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-engines-'))
  readonly #engines = new Map<string, Engine>()
  readonly #seed = randomBytes(32)
  #authority: Authority | undefined
  #server = ''
  topology: Topology

  private constructor(topology: Topology) {
    this.topology = topology
  }

  /** @param changes what is to be otherwise of the box at that place */
  static async open(
    count: number,
    changes: (i: number) => Partial<Omit<TopologyBox, 'role'>> & { role?: 'voter' } = () => ({}),
  ): Promise<MeshEngines> {
    const { file = '' } = await natsServer()
    let topology: Topology | undefined
    for (let i = 0; i < count; i++) {
      const box = { ...(await newBox(i)), ...changes(i) }
      topology = topology ? withBox(topology, box) : firstTopology(EVENT, box)
    }
    const engines = new MeshEngines(topology as Topology)
    engines.#server = file
    engines.#authority = await authorityIn(join(engines.folder, 'ca'))
    return engines
  }

  get authority(): Authority {
    return this.#authority as Authority
  }

  /** By its place in the topology. */
  at(i: number): Engine {
    return this.#engines.get(this.id(i)) as Engine
  }

  id(i: number): string {
    return this.topology.boxes[i]?.id ?? ''
  }

  dataDir(i: number): string {
    return join(this.folder, this.id(i))
  }

  async startAll(): Promise<void> {
    await Promise.all(this.topology.boxes.map((_, i) => this.start(i)))
  }

  async start(i: number, changes: Partial<EngineDeps> = {}, topology = this.topology): Promise<Engine> {
    const engine = await openEngine(topology, {
      ...{ boxId: this.id(i), dataDir: this.dataDir(i), authority: this.authority, eventSeed: this.#seed },
      config: {
        host: '127.0.0.1',
        meshHost: undefined,
        natsServer: this.#server,
        tlsCert: undefined,
        tlsKey: undefined,
      },
      ...{ logger: createLogger(process.env.NATS_LOG ?? 'silent'), now: Date.now, monotonic: () => performance.now() },
      ...changes,
    })
    this.#engines.set(this.id(i), engine)
    return engine
  }

  async stop(i: number): Promise<void> {
    await this.#engines.get(this.id(i))?.[Symbol.asyncDispose]()
    this.#engines.delete(this.id(i))
  }

  /** SIGKILL, as when power goes; its box starts another. */
  kill(i: number): void {
    const pid = this.at(i)?.pid
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#engines.values()].map((engine) => engine[Symbol.asyncDispose]()))
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** @param dir another one is another event's authority */
export function authorityIn(dir: string): Promise<Authority> {
  const endsAt = Date.now() + 86_400_000
  return openAuthority({ dir, eventId: EVENT, eventName: 'Test Fair', endsAt, hostname: 'test', now: Date.now })
}

export async function newBox(i: number): Promise<Omit<TopologyBox, 'role'>> {
  const [route = 0, leaf = 0] = await freePorts(2)
  return {
    ...{ id: `box-${i}${randomBytes(3).toString('hex')}`, name: `Box ${i}`, log_key: 'a+00000000+AA==' },
    ...{ host: '127.0.0.1', ports: { route, leaf } },
    ...{ https: 'https://127.0.0.1:1', device: 'https://127.0.0.1:2' },
  }
}

/** Everything that comes on a subject, as text. */
export function listen(connection: Engine['bulk'], subject: string): string[] {
  const heard: string[] = []
  connection.subscribe(subject, { callback: (_: Error | null, message: Msg) => void heard.push(message.string()) })
  return heard
}
