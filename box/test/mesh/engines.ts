/** The nats-servers of several boxes, without their boxes. */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Msg } from '@nats-io/transport-node'
import { type Authority, openAuthority } from '../../src/ca/authority.ts'
import { type MeshAuthority, openMeshAuthority } from '../../src/ca/mesh-authority.ts'
import { createLogger } from '../../src/log.ts'
import { type Engine, type EngineDeps, openEngine } from '../../src/mesh/engine/engine.ts'
import { type OwnLinkKeys, openLinkKeys, tlsKeyHash } from '../../src/mesh/engine/link-keys.ts'
import { routeSecret } from '../../src/mesh/engine/route-secret.ts'
import { type Joiner, joinRequest, type VoterRequest } from '../../src/mesh/membership/join-request.ts'
import { firstTopology, type Topology, type TopologyBox, withAddress, withBox } from '../../src/mesh/topology.ts'
import { originOf, signingKey, verifierKey } from '../../src/seal/verifier-key.ts'
import { natsServer } from '../world/nats-server.ts'
import { freePorts } from '../world/ports.ts'

export const EVENT = 'test-fair'

export class MeshEngines implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-engines-'))
  readonly #engines = new Map<string, Engine>()
  /** Of the event's key. */
  readonly seed = randomBytes(32)
  readonly #linkKeys = new Map<string, OwnLinkKeys>()
  #event: Authority | undefined
  #authority: MeshAuthority | undefined
  #server = ''
  topology: Topology

  private constructor(topology: Topology) {
    this.topology = topology
  }

  /** @param changes by the box's place: fields that differ */
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
    for (const { id } of engines.topology.boxes) {
      const keys = await openLinkKeys(join(engines.folder, id))
      engines.#linkKeys.set(id, keys)
      engines.topology = withAddress(engines.topology, id, { link_keys: keys.listed })
    }
    engines.#server = file
    engines.#event = await authorityIn(join(engines.folder, 'ca'))
    engines.#authority = await meshAuthorityOf(engines.#event, engines.seed)
    return engines
  }

  /** The mesh's. */
  get authority(): MeshAuthority {
    return this.#authority as MeshAuthority
  }

  /** The event's. */
  get event(): Authority {
    return this.#event as Authority
  }

  linkKeys(i: number): OwnLinkKeys {
    return this.#linkKeys.get(this.id(i)) as OwnLinkKeys
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
      boxId: this.id(i),
      dataDir: this.dataDir(i),
      authority: this.authority,
      linkKeys: this.linkKeys(i),
      logKey: logKeyOf(this.id(i)),
      routeSecret: (epoch) => routeSecret(this.seed, EVENT, epoch),
      config: {
        host: '127.0.0.1',
        natsServer: this.#server,
        tlsCert: undefined,
        tlsKey: undefined,
      },
      logger: createLogger(process.env.NATS_LOG ?? 'silent'),
      now: Date.now,
      monotonic: () => performance.now(),
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

export function meshAuthorityOf(event: Authority, seed: Uint8Array): Promise<MeshAuthority> {
  return openMeshAuthority(event, { seed, eventId: EVENT, now: Date.now })
}

/** @param dir another one is another event's authority */
export function authorityIn(dir: string): Promise<Authority> {
  const endsAt = Date.now() + 86_400_000
  return openAuthority({ dir, eventId: EVENT, eventName: 'Test Fair', endsAt, hostname: 'test', now: Date.now })
}

export async function newBox(i: number): Promise<Omit<TopologyBox, 'role'>> {
  const [route = 0, leaf = 0] = await freePorts(2)
  const id = `box-${i}${randomBytes(3).toString('hex')}`
  return {
    id,
    name: `Box ${i}`,
    log_key: verifierKey(originOf(EVENT, id), logKeyOf(id)),
    host: '127.0.0.1',
    ports: { route, leaf },
    https: 'https://127.0.0.1:1',
    device: 'https://127.0.0.1:2',
  }
}

/** The request of a machine that only votes, with new keys. */
export function voterRequest(code: string, box: Joiner, logKey: KeyObject, keys = newKeys()): VoterRequest {
  const { listed, tls } = keys
  const tls_key = createPublicKey(tls).export({ type: 'spki', format: 'der' }).toString('base64')
  return { ...joinRequest(code, { ...box, link_keys: listed }, logKey), tls_key }
}

export function newKeys() {
  const raw = () => randomBytes(32).toString('base64')
  const { privateKey: tls } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { listed: { bulk: raw(), urgent: raw(), tls: tlsKeyHash(tls) }, tls }
}

/** Ed25519, private: the key of a box's log. */
export function logKeyOf(id: string): KeyObject {
  return signingKey(createHash('sha256').update(id).digest())
}

/** Everything that comes on a subject, as text. */
export function listen(connection: Engine['bulk'], subject: string): string[] {
  const heard: string[] = []
  connection.subscribe(subject, { callback: (_: Error | null, message: Msg) => void heard.push(message.string()) })
  return heard
}
