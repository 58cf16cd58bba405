/** A box in a process of its own that was connected to a real pretix as an operator does it, and a scanner at its entrance. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { ShopPretix } from '@gatehouse/proto/wire/shop.ts'
import { pair } from '../../src/device/pair.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { gatehouse } from '../world/command.ts'
import type { TestDevice } from '../world/device.ts'
import { ProcessBox } from '../world/process-box.ts'
import { until } from '../world/until.ts'
import type { RealPretix } from './real.ts'

export class Gate implements AsyncDisposable {
  readonly box: ProcessBox
  scanner!: TestDevice

  private constructor(box: ProcessBox) {
    this.box = box
  }

  /** `gatehouse shop connect`, then the box. @param token of a team or a device. @param options of the command */
  static async open(pretix: Pick<RealPretix, 'url'>, token: string, ...options: string[]): Promise<Gate> {
    await using opening = new AsyncDisposableStack()
    const box = opening.use(new ProcessBox())
    const gate = new Gate(box)
    // The command proposes one.
    rmSync(join(box.folder.environment.GATEHOUSE_EVENT_DIR ?? '', 'event.json'))
    const connected = await gate.command('connect', pretix.url, token, ...options)
    if (connected.code !== 0) throw new Error(`${connected.out}\n${connected.err}`)
    await box.start()
    gate.scanner = box.deviceOf(await gate.#pair())
    opening.move()
    return gate
  }

  /** Ids of the event's checkpoints. */
  get checkpoints(): string[] {
    const path = join(this.box.folder.environment.GATEHOUSE_EVENT_DIR ?? '', 'event.json')
    const event = JSON.parse(readFileSync(path, 'utf8')) as { checkpoints: { id: string }[] }
    return event.checkpoints.map(({ id }) => id)
  }

  /** `gatehouse shop ...`. */
  command(...args: string[]) {
    const { NODE_COMPILE_CACHE: cache } = process.env
    const environment = { ...this.box.folder.environment, ...(cache && { NODE_COMPILE_CACHE: cache }) }
    return gatehouse(['shop', ...args], { environment: environment as Record<string, string> })
  }

  /** The data of the screen Shop; a command is a process each time. */
  async shown(): Promise<ShopPretix | null> {
    const { data } = await this.box.admin().GET('/v1/admin/shop')
    return data?.pretix ?? null
  }

  /** As the button of the screen does: pretix is asked at once, and not after the pause that its absence has made. */
  async tryAgain(): Promise<void> {
    const { error } = await this.box.admin().POST('/v1/admin/shop/retry')
    if (error) throw new Error(error.message)
  }

  /** Another device, whose person may admit and undo. */
  async supervisor(): Promise<TestDevice> {
    return this.box.deviceOf(await this.#pair(true))
  }

  /** @returns the verdict at the entrance */
  async scan(code: string, checkpoint = 'entrance-in'): Promise<Verdict['verdict']> {
    return (await this.scanner.scan(code, { checkpoint })).verdict
  }

  /** Scans until the verdict is this one. @returns the ms that it took */
  async knows(code: string, wanted: Verdict['verdict'], checkpoint?: string): Promise<number> {
    const began = performance.now()
    let last: Verdict['verdict'] | undefined
    const isWanted = async () => {
      last = await this.scan(code, checkpoint)
      return last === wanted
    }
    await until(isWanted, `${wanted} at the gate`).catch((cause) => {
      throw new Error(`${code} is ${last} at the gate, not ${wanted}`, { cause })
    })
    return Math.round(performance.now() - began)
  }

  /** Once every order was read. @param minutes as many as that may take */
  async ready(minutes = 1): Promise<void> {
    await until(async () => ((await this.shown())?.down.compared_at ?? null) !== null, 'every order was read', minutes)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.box[Symbol.asyncDispose]()
  }

  async #pair(supervisor = false) {
    const { folder, baseUrl } = this.box
    await using secure = tlsFetch({ ca: folder.ca })
    const admin = gatehouseClient({ baseUrl, token: folder.adminToken, fetch: secure })
    const body = { checkpoints: this.checkpoints, expires_in_seconds: 600, supervisor }
    const { data, error } = await admin.POST('/v1/admin/invite', { body })
    if (!data) throw new Error(error.message)
    return pair(data.qr_payload, 'scanner')
  }
}
