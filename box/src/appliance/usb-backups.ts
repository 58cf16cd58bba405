/** A backup on a USB stick: the box makes the archive beside its updates, and root copies it (requests.ts). */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { UsbBackup } from '@gatehouse/proto/wire/appliance.ts'
import { discard, writeBackup } from '../backup/backup.ts'
import { stageInThread } from '../backup/stage.ts'
import { GatehouseError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { readStick } from './machine-state.ts'
import { reasonOf } from './reasons.ts'
import type { Requests } from './requests.ts'

export interface UsbBackupsDeps {
  /** GATEHOUSE_APPLIANCE. */
  folder: string
  requests: Requests
  dataDir: string
  eventDir: string
  logger: Logger
  /** Unix ms. */
  now: () => number
}

export class UsbBackups implements AsyncDisposable {
  readonly #deps: UsbBackupsDeps
  readonly #stop = new AbortController()
  #making: Promise<void> | undefined
  #name: string | undefined
  #failure: string | undefined

  constructor(deps: UsbBackupsDeps) {
    this.#deps = deps
  }

  /**
   * Begins one; `state` says how far it is.
   * @param before is done when it is clear that it can begin
   * @throws GatehouseError `conflict` without a stick, or while another one is made
   */
  async start(before: () => Promise<unknown>): Promise<void> {
    if (this.#making) throw busy()
    // Looked at and taken in one go: a double press is two requests at the same time.
    this.#making = Promise.resolve()
    try {
      if (await this.#isCopying()) throw busy()
      if (!(await readStick(this.#deps.folder)))
        throw new GatehouseError('conflict', 'There is no stick in the box: put one in, formatted as FAT32.')
      await before()
    } catch (error) {
      this.#making = undefined
      throw error
    }
    this.#failure = undefined
    this.#making = this.#make().finally(() => {
      this.#making = undefined
    })
  }

  async state(): Promise<UsbBackup> {
    const nothing = { percent: null, name: null, reason: null }
    if (this.#making) return { ...nothing, state: 'making' }
    if (this.#failure !== undefined) return { ...nothing, state: 'failed', reason: this.#failure }
    const said = await this.#deps.requests.said('backup')
    const name = this.#name ?? null
    if (said?.state === 'asked') return { ...nothing, state: 'copying', percent: 0, name }
    if (said?.state === 'copying') return { ...nothing, state: 'copying', percent: said.percent, name }
    if (said?.state === 'done') return { ...nothing, state: 'done', name }
    if (said?.state === 'failed') return { ...nothing, state: 'failed', reason: reasonOf(said.detail) }
    return { ...nothing, state: 'idle' }
  }

  /** @throws GatehouseError `conflict` while the machine may not be restarted */
  async refuseWhileBusy(): Promise<void> {
    if (this.#making || (await this.#isCopying())) throw busy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#making
  }

  async #make(): Promise<void> {
    const { folder, requests, dataDir, eventDir, logger, now } = this.#deps
    const { signal } = this.#stop
    try {
      const staged = await stageInThread({ dataDir, eventDir, now: now() }, signal)
      const path = join(folder, 'updates', staged.name)
      try {
        await writeBackup(staged, path, signal)
      } finally {
        await discard(staged)
      }
      this.#name = staged.name
      await requests.ask('backup', staged.name).catch(async (error) => {
        await rm(path, { force: true })
        throw error
      })
    } catch (error) {
      if (signal.aborted) return
      logger.error({ event: 'usb_backup_failed', err: error })
      this.#failure =
        error instanceof GatehouseError
          ? error.message
          : 'The backup could not be made: look at the free room on the disk, then try again.'
    }
  }

  async #isCopying(): Promise<boolean> {
    const { state = '' } = (await this.#deps.requests.said('backup')) ?? {}
    return state === 'asked' || state === 'copying'
  }
}

function busy(): GatehouseError {
  return new GatehouseError('conflict', 'A backup is being made already: wait until it is done.')
}
