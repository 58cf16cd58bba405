/** The machine under the box, if it is the appliance (GATEHOUSE_APPLIANCE). */
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { GatehouseError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { readClock } from './machine-state.ts'
import { Requests } from './requests.ts'
import { Updates } from './updates.ts'
import { UsbBackups } from './usb-backups.ts'

export interface ApplianceDeps {
  /** GATEHOUSE_APPLIANCE. */
  folder: string
  dataDir: string
  eventDir: string
  logger: Logger
  /** Unix ms. */
  now: () => number
  monotonic: () => number
}

/** Root writes the state of the clock at this interval. */
const LOOK_MS = 5_000

export class Appliance implements AsyncDisposable {
  readonly folder: string
  readonly requests: Requests
  readonly updates: Updates
  readonly backups: UsbBackups
  #clock: { synced: boolean; source: string | null } = { synced: false, source: null }
  #timer: NodeJS.Timeout | undefined

  private constructor(deps: ApplianceDeps) {
    const { folder, monotonic } = deps
    this.folder = folder
    this.requests = new Requests({ folder, monotonic, random: randomBytes })
    this.updates = new Updates({ folder, requests: this.requests, random: randomBytes })
    this.backups = new UsbBackups({ ...deps, requests: this.requests })
  }

  static async open(deps: ApplianceDeps): Promise<Appliance> {
    const appliance = new Appliance(deps)
    try {
      await mkdir(join(deps.folder, 'updates'), { recursive: true })
      await appliance.requests.open()
      await appliance.updates.open()
    } catch (error) {
      // Failures here must not stop the box: people are admitted without any of it.
      deps.logger.error({ event: 'appliance_folder', err: error })
    }
    await appliance.look()
    // Kept in memory: every scan asks for the quality of time, and none should wait for a file.
    appliance.#timer = setInterval(() => void appliance.look(), LOOK_MS)
    appliance.#timer.unref()
    return appliance
  }

  /** The source of the clock's time, as last read. */
  get clock(): { readonly synced: boolean; readonly source: string | null } {
    return this.#clock
  }

  async look(): Promise<void> {
    this.#clock = await readClock(this.folder)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.updates.close()
    await this.backups[Symbol.asyncDispose]()
  }
}

/** @throws GatehouseError `not_found` on any other machine */
export function requireAppliance(appliance: Appliance | undefined): Appliance {
  if (appliance) return appliance
  throw new GatehouseError('not_found', 'This box does not run on the appliance: use the tools of its own machine.')
}
