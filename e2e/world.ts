/** A real box in a process of its own and a temporary folder, for apps in a real browser; it can go away and come back. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import { type PairedDevice, pair } from '../box/src/device/pair.ts'
import { tlsFetch } from '../box/src/device/tls-fetch.ts'
import type { EventFile } from '../box/src/event/event.ts'
import { BoxFolder, BoxProcess, type Ports } from '../box/test/process-box.ts'
import { EVENT, TICKETS, VENUE } from './event.ts'

const CLI = join(import.meta.dirname, '../box/src/cli.ts')

/** A name that is not this machine's own: over plain HTTP, a browser takes such a page for one that is not secure. */
export const PLAIN_HOST = 'gate.test'

export interface InviteOptions {
  checkpoints?: readonly string[]
  supervisor?: boolean
  name?: string
}

export class World implements AsyncDisposable {
  readonly folder: BoxFolder
  readonly ports: Ports
  readonly adminToken: string
  readonly admin: GatehouseClient
  readonly #stack: AsyncDisposableStack
  #process: BoxProcess
  #links: Promise<ReadonlyMap<string, string>> | undefined

  private constructor(folder: BoxFolder, process: BoxProcess, ports: Ports, ca: string, stack: AsyncDisposableStack) {
    this.folder = folder
    this.ports = ports
    this.#process = process
    this.#stack = stack
    this.adminToken = readFileSync(join(folder.dataDir, 'admin-token'), 'utf8').trim()
    const fetch = stack.use(tlsFetch({ ca }))
    this.admin = gatehouseClient({ baseUrl: this.origin, token: this.adminToken, fetch })
  }

  /** @param tickets rows of the gatehouse CSV in place of those of event.ts */
  static async open(tickets: readonly string[] = TICKETS, event: EventFile = EVENT): Promise<World> {
    await using stack = new AsyncDisposableStack()
    const environment = { GATEHOUSE_WALLET_OVER_HTTP: '1' }
    const folder = stack.use(new BoxFolder({ event, venue: VENUE, tickets, environment }))
    const process = stack.use(folder.start())
    const ports = await process.opened()
    const ca = await (await fetch(`http://127.0.0.1:${ports.http}/ca.crt`)).text()
    return new World(folder, process, ports, ca, stack.move())
  }

  /** Where the apps are. */
  get origin(): string {
    return `https://127.0.0.1:${this.ports.https}`
  }

  get origins(): string[] {
    return [this.origin, this.plainOrigin, this.deviceOrigin]
  }

  /** Where the wallet is too, for browsers that map `PLAIN_HOST` to this machine. */
  get plainOrigin(): string {
    return `http://${PLAIN_HOST}:${this.ports.http}`
  }

  get deviceOrigin(): string {
    return `https://127.0.0.1:${this.ports.device}`
  }

  /** The box dies, as when somebody pulls its plug. */
  async stop(): Promise<void> {
    await this.#process.kill()
  }

  /** It comes back where it was. */
  async start(): Promise<void> {
    this.#process = new BoxProcess([process.execPath, CLI, 'serve'], this.#environment)
    this.#stack.use(this.#process)
    await this.#process.opened()
  }

  get #environment() {
    const { http, https, device } = this.ports
    return {
      ...this.folder.environment,
      GATEHOUSE_HTTP_PORT: String(http),
      GATEHOUSE_HTTPS_PORT: String(https),
      GATEHOUSE_DEVICE_PORT: String(device),
    }
  }

  /** Runs `gatehouse` beside the box. @returns its exit status and what it printed */
  async command(...args: string[]): Promise<{ code: number | null; output: string }> {
    await using command = new BoxProcess([process.execPath, CLI, ...args], this.#environment)
    const { code } = await command.exited()
    return { code, output: command.output }
  }

  /** Leaves a file beside the box's own. @returns its path */
  write(name: string, bytes: Uint8Array): string {
    const path = join(this.folder.path, name)
    writeFileSync(path, bytes)
    return path
  }

  /** What the QR code of a new invite holds. */
  async inviteLink({ checkpoints, supervisor = false, name }: InviteOptions = {}): Promise<string> {
    const all = EVENT.checkpoints.map((checkpoint) => checkpoint.id)
    const body = { checkpoints: [...(checkpoints ?? all)], supervisor, expires_in_seconds: 600, ...(name && { name }) }
    const { data, error } = await this.admin.POST('/v1/admin/invite', { body })
    if (!data) throw new Error(error.message)
    return data.qr_payload
  }

  /** A scanner that is no browser. */
  async pairMachine(options: InviteOptions = {}): Promise<PairedDevice> {
    return pair(await this.inviteLink(options), options.name ?? 'turnstile')
  }

  /** What the organiser sends to the holder of this ticket. @param code as in tickets.csv */
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
    await this.#stack.disposeAsync()
  }
}
