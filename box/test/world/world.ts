/** A box with sockets in this process: real files in a temporary folder, loopback, a clock that the test moves. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import type { DestinationStream } from 'pino'
import { type Box, openBox } from '../../src/boot/box.ts'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { invitePayload, mintInvite } from '../../src/ca/invites.ts'
import { type Environment, readConfig } from '../../src/config.ts'
import { type PairedDevice, pair } from '../../src/device/pair.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { eq } from '../../src/drizzle/core.ts'
import { tickets } from '../../src/ledger/schema.ts'
import { createLogger } from '../../src/log.ts'
import { connectDevice, type TestDevice } from './device.ts'
import { type EnvironmentOptions, environmentIn } from './environment.ts'
import { scanOf } from './scan-of.ts'

export interface WorldOptions extends EnvironmentOptions {
  /** Destination of log lines; none by default. */
  log?: DestinationStream
  /** Milliseconds by which the box's clock is ahead at its first boot. */
  offsetMs?: number
}

export class World implements AsyncDisposable {
  readonly folder: string
  readonly environment: Environment
  #box: Box
  readonly #stack: AsyncDisposableStack
  readonly #options: WorldOptions
  /** By token. */
  readonly #admins = new Map<string, Promise<GatehouseClient>>()
  /** Added to the real clock, milliseconds. */
  offsetMs = 0
  /** Added to the clock that never jumps, milliseconds: what rates go by. */
  elapsedMs = 0
  #heldAt: number | undefined

  private constructor(folder: string, environment: Environment, options: WorldOptions, stack: AsyncDisposableStack) {
    this.folder = folder
    this.environment = environment
    this.#options = options
    this.#stack = stack
    this.#box = undefined as unknown as Box
  }

  /** A box on loopback, in a folder that goes away with it. */
  static async open(options: WorldOptions = {}): Promise<World> {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
    const stack = new AsyncDisposableStack()
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
    const environment = environmentIn(folder, options)
    const world = new World(folder, environment, options, stack)
    world.offsetMs = options.offsetMs ?? 0
    await world.#start()
    stack.defer(() => world.#box[Symbol.asyncDispose]())
    return world
  }

  get box(): Box {
    return this.#box
  }

  now(): number {
    return Date.now() + this.offsetMs
  }

  /** From now on rates go by `elapsedMs` alone: a slow machine gives nobody more than a test counts with. */
  holdRates(): void {
    this.#heldAt = performance.now()
  }

  /** Closes the box and opens it again over the same files. @param meanwhile what happens while there is none */
  async restart(meanwhile?: () => Promise<void>): Promise<void> {
    await this.#box[Symbol.asyncDispose]()
    await meanwhile?.()
    await this.#start()
  }

  async #start(): Promise<void> {
    this.#admins.clear()
    this.#box = await openBox(readConfig(this.environment), {
      logger: createLogger(this.#options.log ? 'debug' : 'silent', this.#options.log),
      wallClock: () => this.now(),
      monotonic: () => (this.#heldAt ?? performance.now()) + this.elapsedMs,
    })
  }

  get ca(): Promise<string> {
    return fetch(`http://127.0.0.1:${this.#box.ports.http}/ca.crt`).then((answer) => answer.text())
  }

  /** A client of the HTTPS port. @param token the admin's by default */
  admin(token = this.#box.adminToken): Promise<GatehouseClient> {
    const opened = this.#admins.get(token) ?? this.#openAdmin(token)
    this.#admins.set(token, opened)
    opened.catch(() => this.#admins.delete(token))
    return opened
  }

  async #openAdmin(token: string): Promise<GatehouseClient> {
    const fetch = this.#stack.use(tlsFetch({ ca: await this.ca }))
    return gatehouseClient({ baseUrl: this.#box.baseUrl, token, fetch })
  }

  /** The ticket id behind a printed code, read from the ledger as `gatehouse links` does. */
  ticketIdOf(code: string): string {
    const { drizzle } = this.#box.ledger.db
    const row = drizzle.select({ id: tickets.capability }).from(tickets).where(eq(tickets.code, code)).get()
    if (!row) throw new Error(`there is no ticket ${code}`)
    return row.id
  }

  async inviteLink(checkpoints?: readonly string[], supervisor = false): Promise<string> {
    const { event, ledger, baseUrl, caFingerprint } = this.#box
    const all = event.checkpoints.map((checkpoint) => checkpoint.id)
    const wanted = { checkpoints: checkpoints ?? all, supervisor, by: COMMAND_LINE }
    const invite = await mintInvite(wanted, { event, ledger, now: this.now() })
    return invitePayload({ baseUrl, caFingerprint, invite })
  }

  /** A newly paired device. @param checkpoints everywhere by default */
  async device(checkpoints?: readonly string[]): Promise<TestDevice> {
    return this.deviceOf(await pair(await this.inviteLink(checkpoints), 'test device'))
  }

  /** A newly paired device that may admit refused tickets. */
  async supervisor(checkpoints?: readonly string[]): Promise<TestDevice> {
    return this.deviceOf(await pair(await this.inviteLink(checkpoints, true), "supervisor's device"))
  }

  /** A device that was paired before; its URLs are those of the box that runs now. */
  deviceOf(paired: PairedDevice): TestDevice {
    const { ports, baseUrl } = this.#box
    return this.#stack.use(connectDevice(paired, { ports, baseUrl, now: () => this.now() }))
  }

  scanOf(payload: string, more: Partial<ScanRequest> = {}): ScanRequest {
    return scanOf(payload, this.now(), more)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}
