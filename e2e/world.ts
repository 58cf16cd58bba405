/** A real box in a process of its own and a temporary folder, for apps in a real browser; it can go away and come back. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import type { Environment } from '../box/src/config.ts'
import { type PairedDevice, pair } from '../box/src/device/pair.ts'
import type { EventFile } from '../box/src/event/event.ts'
import { type BoxFolder, type Ports, ProcessBox } from '../box/test/world/process-box.ts'
import { EVENT, TICKETS, VENUE } from './event.ts'

/** A name that is not this machine's own: over plain HTTP, a browser takes such a page for one that is not secure. */
export const PLAIN_HOST = 'gate.test'

export interface InviteOptions {
  checkpoints?: readonly string[]
  supervisor?: boolean
  name?: string
}

export class World implements AsyncDisposable {
  readonly #box: ProcessBox
  #links: Promise<ReadonlyMap<string, string>> | undefined

  private constructor(box: ProcessBox) {
    this.#box = box
  }

  /**
   * @param tickets rows of the gatehouse CSV in place of those of event.ts
   * @param settings of the box, besides those that every test has
   */
  static async open(
    tickets: readonly string[] = TICKETS,
    event: EventFile = EVENT,
    settings: Environment = {},
  ): Promise<World> {
    await using opening = new AsyncDisposableStack()
    const environment = { GATEHOUSE_WALLET_OVER_HTTP: '1', ...settings }
    const box = opening.use(new ProcessBox({ event, venue: VENUE, tickets, environment }))
    await box.start()
    opening.move()
    return new World(box)
  }

  get folder(): BoxFolder {
    return this.#box.folder
  }

  get ports(): Ports {
    return this.#box.ports
  }

  get adminToken(): string {
    return this.folder.adminToken
  }

  get admin(): GatehouseClient {
    return this.#box.admin()
  }

  /** Address of the apps. */
  get origin(): string {
    return this.#box.baseUrl
  }

  get origins(): string[] {
    return [this.origin, this.plainOrigin, this.deviceOrigin, `http://127.0.0.1:${this.ports.http}`]
  }

  /** Second address of the wallet, for browsers that map `PLAIN_HOST` to this machine. */
  get plainOrigin(): string {
    return `http://${PLAIN_HOST}:${this.ports.http}`
  }

  get deviceOrigin(): string {
    return `https://127.0.0.1:${this.ports.device}`
  }

  /** The box dies, as when somebody pulls its plug. */
  async stop(): Promise<void> {
    await this.#box.kill()
  }

  /** It comes back where it was. */
  async start(): Promise<void> {
    await this.#box.start()
  }

  /** Runs `gatehouse` beside the box. @returns its exit status and what it printed */
  async command(...args: string[]): Promise<{ code: number | null; output: string }> {
    await using command = this.#box.command(...args)
    const { code } = await command.exited()
    return { code, output: command.output }
  }

  /** Leaves a file beside the box's own. @returns its path */
  write(name: string, bytes: Uint8Array): string {
    const path = join(this.folder.path, name)
    writeFileSync(path, bytes)
    return path
  }

  /** The content of a new invite's QR code. */
  async inviteLink({ checkpoints, supervisor = false, name }: InviteOptions = {}): Promise<string> {
    const all = EVENT.checkpoints.map((checkpoint) => checkpoint.id)
    const body = { checkpoints: [...(checkpoints ?? all)], supervisor, expires_in_seconds: 600, ...(name && { name }) }
    const { data, error } = await this.admin.POST('/v1/admin/invite', { body })
    if (!data) throw new Error(error.message)
    return data.qr_payload
  }

  /** Pairs a scanner that is not a browser. */
  async pairMachine(options: InviteOptions = {}): Promise<PairedDevice> {
    return pair(await this.inviteLink(options), options.name ?? 'turnstile')
  }

  /** The link that the organiser sends to the holder of this ticket. @param code as in tickets.csv */
  async walletLink(code: string): Promise<string> {
    this.#links ??= this.command('links', '--json').then(({ output }) => {
      const rows = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { code: string; link: string })
      return new Map(rows.map(({ code, link }) => [code, link]))
    })
    const link = (await this.#links).get(code)
    if (link === undefined) throw new Error(`there is no ticket ${code}`)
    return link
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#box[Symbol.asyncDispose]()
  }
}
