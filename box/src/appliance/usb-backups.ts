/** A backup on a USB stick: the box makes the archive beside its updates, and root copies it (requests.ts). */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { UsbBackup } from '@gatehouse/proto/wire/appliance.ts'
import { ArchiveThread } from '../backup/archive-thread.ts'
import { discard, writeBackup } from '../backup/backup.ts'
import { type Encryption, encryptedName } from '../backup/encryption.ts'
import { stageInThread } from '../backup/stage.ts'
import { GatehouseError } from '../errors.ts'
import type { ApplianceDeps } from './appliance.ts'
import { readStick } from './machine-state.ts'
import { failureOf, reasonOf } from './reasons.ts'
import type { Requests } from './requests.ts'

export interface UsbBackupsDeps extends Omit<ApplianceDeps, 'monotonic'> {
  requests: Requests
}

export class UsbBackups implements AsyncDisposable {
  readonly #deps: UsbBackupsDeps
  readonly #stop = new AbortController()
  #making: Promise<void> | undefined
  #name: string | undefined
  #failure: Pick<UsbBackup, 'reason' | 'reason_coded'> | undefined

  constructor(deps: UsbBackupsDeps) {
    this.#deps = deps
  }

  /**
   * Begins a backup; `state` has its progress.
   * @param encryption undefined: it is not encrypted
   * @param before called when it is certain that the backup can begin
   * @throws GatehouseError `conflict` without a stick, or while another one is made; `bad_request` for a recipient that is not one
   */
  async start(encryption: Encryption | undefined, before: () => Promise<unknown>): Promise<void> {
    if (this.#making) throw busy()
    // Checked and set in the same turn: a double click sends two requests at the same time.
    this.#making = Promise.resolve()
    let thread: ArchiveThread | undefined
    try {
      if (await this.#isCopying()) throw busy()
      if (!(await readStick(this.#deps.folder)))
        throw new GatehouseError('conflict', 'There is no stick in the box: put one in, formatted as FAT32.', {
          reason: 'stick_absent',
        })
      thread = await ArchiveThread.open(encryption)
      await before()
    } catch (error) {
      thread?.close()
      this.#making = undefined
      throw error
    }
    this.#failure = undefined
    this.#making = this.#make(thread, encryption).finally(() => {
      this.#making = undefined
    })
  }

  async state(): Promise<UsbBackup> {
    const nothing = { percent: null, name: null, reason: null }
    if (this.#making) return { ...nothing, state: 'making' }
    if (this.#failure) return { ...nothing, state: 'failed', ...this.#failure }
    const progress = await this.#deps.requests.progressOf('backup')
    const name = this.#name ?? null
    if (progress?.state === 'asked') return { ...nothing, state: 'copying', percent: 0, name }
    if (progress?.state === 'copying') return { ...nothing, state: 'copying', percent: progress.percent, name }
    if (progress?.state === 'done') return { ...nothing, state: 'done', name }
    if (progress?.state === 'failed') {
      const { text, coded } = reasonOf(progress.detail)
      return { ...nothing, state: 'failed', reason: text, reason_coded: coded }
    }
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

  async #make(thread: ArchiveThread, encryption: Encryption | undefined): Promise<void> {
    const { folder, requests, dataDir, eventDir, logger, now } = this.#deps
    const { signal } = this.#stop
    try {
      const staged = await stageInThread({ dataDir, eventDir, now: now() }, signal)
      const name = encryptedName(staged.name, encryption)
      const path = join(folder, 'updates', name)
      try {
        await writeBackup(await thread.archiveOf(staged), path, signal)
      } finally {
        await discard(staged)
      }
      this.#name = name
      await requests.send('backup', name).catch(async (error) => {
        await rm(path, { force: true })
        throw error
      })
    } catch (error) {
      if (signal.aborted) return
      logger.error({ event: 'usb_backup_failed', err: error })
      this.#failure =
        error instanceof GatehouseError
          ? failureOf(error)
          : {
              reason: 'The backup could not be made: look at the free room on the disk, then try again.',
              reason_coded: { code: 'no_backup' },
            }
    } finally {
      thread.close()
    }
  }

  async #isCopying(): Promise<boolean> {
    const { state = '' } = (await this.#deps.requests.progressOf('backup')) ?? {}
    return state === 'asked' || state === 'copying'
  }
}

function busy(): GatehouseError {
  return new GatehouseError('conflict', 'A backup is being made already: wait until it is done.', {
    reason: 'backup_busy',
  })
}
