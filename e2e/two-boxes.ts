/** Two real boxes of one event, each with its nats-server, and the cable between them. */
import { rmSync } from 'node:fs'
import type { MeshBox } from '../box/test/mesh/world.ts'
import { MeshWorld } from '../box/test/mesh/world.ts'
import { natsServer } from '../box/test/world/nats-server.ts'
import { freePorts } from '../box/test/world/ports.ts'
import { type Ports, ProcessBox } from '../box/test/world/process-box.ts'
import { EVENT, TICKETS, VENUE } from './event.ts'

/** The reason for which the tests with two boxes are skipped here; false where they run. */
export async function whyNot(): Promise<string | false> {
  const { whyNot } = await natsServer()
  return whyNot || (process.platform === 'linux' ? false : 'a cable between two boxes can only be cut on Linux')
}

/** One of the two, as browsers and the control room see it. */
export class Side {
  readonly box: MeshBox
  readonly name: string

  constructor(box: MeshBox, name: string) {
    this.box = box
    this.name = name
  }

  get origin(): string {
    return this.box.baseUrl
  }

  get plainOrigin(): string {
    return `http://127.0.0.1:${this.box.ports.http}`
  }

  get deviceOrigin(): string {
    return `https://127.0.0.1:${this.box.ports.device}`
  }

  get adminToken(): string {
    return this.box.folder.adminToken
  }

  /** The link that the organiser sends to the holder of this ticket, with this box's address. @param code as in event.ts */
  async walletLink(code: string): Promise<string> {
    const command = this.box.command('links', '--json')
    await command.exited()
    const rows = command.output.trim().split('\n')
    const found = rows.map((row) => JSON.parse(row) as { code: string; link: string }).find((row) => row.code === code)
    if (!found) throw new Error(`there is no ticket ${code}`)
    return `${this.origin}/wallet/${new URL(found.link).hash}`
  }

  async inviteLink({ supervisor = false } = {}): Promise<string> {
    const checkpoints = EVENT.checkpoints.map(({ id }) => id)
    const body = { checkpoints, supervisor, expires_in_seconds: 600 }
    const { data, error } = await this.box.admin().POST('/v1/admin/invite', { body })
    if (!data) throw new Error(error.message)
    return data.qr_payload
  }
}

export class TwoBoxes implements AsyncDisposable {
  readonly world: MeshWorld
  readonly north: Side
  readonly south: Side

  private constructor(world: MeshWorld) {
    this.world = world
    const [north, south] = world.boxes
    if (!north || !south) throw new Error('there are two')
    this.north = new Side(north, 'Box 1')
    this.south = new Side(south, 'Box 2')
  }

  /** Resolves once they hear each other. */
  static async open(): Promise<TwoBoxes> {
    await using stack = new AsyncDisposableStack()
    const environment = { GATEHOUSE_WALLET_OVER_HTTP: '1' }
    const options = { boxes: 2, event: EVENT, venue: VENUE, tickets: TICKETS, environment }
    const world = stack.use(await MeshWorld.open(options))
    const two = new TwoBoxes(world)
    await Promise.all([two.north, two.south].map((side) => two.mode(side, 'STRICT')))
    stack.move()
    return two
  }

  get origins(): string[] {
    return [this.north, this.south].flatMap(({ box }) => originsOf(box.ports))
  }

  /** Nothing comes through between the two; phones and tablets reach both. */
  cut(): void {
    this.world.cables.cut(0, 1)
    this.world.cables.cut(1, 0)
  }

  mend(): void {
    this.world.cables.mend(0, 1)
    this.world.cables.mend(1, 0)
  }

  /** Waits until this box is in this mode. */
  async mode({ box }: Side, mode: 'STRICT' | 'DEGRADED'): Promise<void> {
    for (const end = Date.now() + 90_000; Date.now() < end; await new Promise((next) => setTimeout(next, 200))) {
      const { data } = await box.admin().GET('/v1/meta')
      if (data?.mode === mode) return
    }
    throw new Error(`It is not ${mode}: ${box.output.slice(-2000)}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]()
  }
}

export function originsOf({ http, https, device }: Ports): string[] {
  return [`https://127.0.0.1:${https}`, `http://127.0.0.1:${http}`, `https://127.0.0.1:${device}`]
}

/** The invite that `gatehouse mesh invite` prints. */
export async function inviteOf(box: MeshBox): Promise<string> {
  await using command = box.command('mesh', 'invite', '--json')
  await command.exited()
  return JSON.parse(command.output).invite
}

/** A box that belongs to no event yet. */
export interface NewBox extends AsyncDisposable {
  ports: Ports
  /** Joins with this invite, and opens its gates. */
  join(invite: string, name: string): Promise<void>
}

/** @param other whose nats-server it uses as well */
export async function newBox(other: MeshBox): Promise<NewBox> {
  const [http = 0, https = 0, device = 0, route, leaf] = await freePorts(5)
  const environment = {
    GATEHOUSE_HTTP_PORT: String(http),
    GATEHOUSE_HTTPS_PORT: String(https),
    GATEHOUSE_DEVICE_PORT: String(device),
    GATEHOUSE_MESH_ROUTE_PORT: String(route),
    GATEHOUSE_MESH_LEAF_PORT: String(leaf),
    GATEHOUSE_FEED: '0',
    GATEHOUSE_NATS_SERVER: other.folder.environment.GATEHOUSE_NATS_SERVER,
  }
  const box = new ProcessBox({ environment })
  // It brings nothing along: event and tickets come with the invite.
  rmSync(box.folder.environment.GATEHOUSE_EVENT_DIR ?? '', { recursive: true })
  return {
    ports: box.ports,
    async join(invite, name) {
      await using command = box.command('mesh', 'join', invite, '--name', name)
      const { code } = await command.exited()
      if (code !== 0) throw new Error(command.output)
      await box.start()
    },
    [Symbol.asyncDispose]: () => box[Symbol.asyncDispose](),
  }
}
