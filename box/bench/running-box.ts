/** Runs a box in its own process, with paired devices and their connections. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { pair } from '../src/device/pair.ts'
import { tlsFetch } from '../src/device/tls-fetch.ts'
import { Connection, type Credentials } from './connection.ts'
import { CHECKPOINT, type Crowd } from './crowd.ts'
import { Dashboards } from './dashboards.ts'
import { Phone } from './phone.ts'
import { type BoxOptions, Server } from './server.ts'

/** Below the limit of enrolments from one address. */
const DEVICES = 8
/** The lists of all codes are begun so long after a start (`READY_AFTER_MS` of the manifests, and a second). */
const LISTS_BEGIN_MS = 3_000
/** The search index is begun so long after a start (`START_MS` of its thread, and two seconds) if there are so many tickets. */
const INDEX_BEGINS_MS = 32_000
const INDEXED = 5_000
const LOOK_MS = 2_000
/** A box that uses less than this share of a core is at rest. */
const REST = 0.05
const MOST_WAIT_MS = 300_000

export class RunningBox implements AsyncDisposable {
  readonly crowd: Crowd
  readonly server: Server
  readonly devices: readonly Credentials[]
  readonly #connections: Connection[] = []
  readonly #opened = performance.now()

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

  /**
   * Waits until the box is at rest: after a start, until the lists of all codes and of what is used up and the search index are made; after an
   * import, until the lists are. Scans made earlier would be measured together with that work.
   * @throws where the box does not come to rest
   */
  async atRest(progress: (what: string) => void): Promise<void> {
    progress('waiting until the box is at rest')
    const used = () => this.server.processorSeconds() ?? Number.NaN
    const begins = this.crowd.size < INDEXED ? LISTS_BEGIN_MS : INDEX_BEGINS_MS
    await setTimeout(Math.max(0, this.#opened + begins - performance.now()))
    const from = performance.now()
    for (let before = used(); performance.now() - from < MOST_WAIT_MS; before = used()) {
      await setTimeout(LOOK_MS)
      if (!(used() - before >= (REST * LOOK_MS) / 1000)) return
    }
    throw new Error('the box has not come to rest within five minutes.')
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
    const opened: Connection[] = []
    for (let n = 0; n < count; n++) opened.push(await Connection.open(this.server.ports.https, this.#admin()))
    this.#connections.push(...opened)
    return opened
  }

  #admin(): Credentials {
    const [device] = this.devices
    if (!device) throw new Error('no device is paired.')
    return { ...device, token: readFileSync(join(this.crowd.folder, 'data/admin-token'), 'utf8').trim() }
  }

  /** Control rooms in a process of their own. */
  dashboards(): Promise<Dashboards> {
    return Dashboards.start({ port: this.server.ports.https, admin: this.#admin() })
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
