/** Runs a box in its own process, with paired devices and their connections. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { pair } from '../src/device/pair.ts'
import { tlsFetch } from '../src/device/tls-fetch.ts'
import { Connection, type Credentials } from './connection.ts'
import { CHECKPOINT, type Crowd } from './crowd.ts'
import { Phone } from './phone.ts'
import { type BoxOptions, Server } from './server.ts'

/** Below the limit of enrolments from one address. */
const DEVICES = 8

export class RunningBox implements AsyncDisposable {
  readonly crowd: Crowd
  readonly server: Server
  readonly devices: readonly Credentials[]
  readonly #connections: Connection[] = []

  private constructor(crowd: Crowd, server: Server, devices: readonly Credentials[]) {
    this.crowd = crowd
    this.server = server
    this.devices = devices
  }

  static async open(crowd: Crowd, options: BoxOptions): Promise<RunningBox> {
    const server = await Server.box(crowd.folder, options)
    try {
      return new RunningBox(crowd, server, await pairDevices(crowd.folder, server))
    } catch (error) {
      await server.stop('SIGKILL')
      throw error
    }
  }

  /** `count` connections to the device port of `server`, shared out among `devices`. */
  async connect(count: number, server = this.server, devices = this.devices): Promise<Connection[]> {
    const opened: Connection[] = []
    for (let n = 0; n < count; n++) {
      const device = devices[n % devices.length]
      if (device) opened.push(await Connection.open(server.ports.device, device))
    }
    this.#connections.push(...opened)
    return opened
  }

  /** `count` connections to the HTTPS port with the admin token. */
  async connectAdmin(count: number): Promise<Connection[]> {
    const [device] = this.devices
    const token = readFileSync(join(this.crowd.folder, 'data/admin-token'), 'utf8').trim()
    const opened: Connection[] = []
    for (let n = 0; device && n < count; n++) {
      opened.push(await Connection.open(this.server.ports.https, { ...device, token }))
    }
    this.#connections.push(...opened)
    return opened
  }

  /** A paired phone in a process of its own. */
  phone(): Promise<Phone> {
    const [device] = this.devices
    if (!device) throw new Error('no device is paired.')
    return Phone.start({ port: this.server.ports.device, device })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) connection.close()
    await this.server.stop('SIGTERM')
  }
}

async function pairDevices(folder: string, { ports }: Server): Promise<Credentials[]> {
  const baseUrl = `https://127.0.0.1:${ports.https}`
  await using fetch = tlsFetch({ ca: readFileSync(join(folder, 'data/ca/authority.pem'), 'utf8') })
  const token = readFileSync(join(folder, 'data/admin-token'), 'utf8').trim()
  const admin = gatehouseClient({ baseUrl, token, fetch })
  const devices: Credentials[] = []
  for (let n = 1; n <= DEVICES; n++) {
    const { data, error } = await admin.POST('/v1/admin/invite', {
      body: { checkpoints: [CHECKPOINT], expires_in_seconds: 600 },
    })
    if (!data) throw new Error(error.message)
    devices.push(await pair(data.qr_payload, `bench ${n}`))
  }
  return devices
}
