/** Software updates: receives bundles, and reports the progress of the installation. Root installs them (requests.ts). */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { unstarted } from '@gatehouse/proto/slots.ts'
import type { UpdateState } from '@gatehouse/proto/wire/appliance.ts'
import { GatehouseError } from '../errors.ts'
import { readSlots, readStick, roomOn } from './machine-state.ts'
import { failureOf, isOlder, reasonOf, refusedFor } from './reasons.ts'
import { receive } from './receive.ts'
import type { Requests } from './requests.ts'

/** Largest accepted bundle in bytes; a system image has 400 MB. */
export const MOST_UPDATE_BYTES = 1024 ** 3
/** Bytes of the data partition that have to stay free for the ledger. */
const RESERVE_BYTES = 128 * 1024 * 1024

export interface UpdatesDeps {
  /** GATEHOUSE_APPLIANCE. */
  folder: string
  requests: Requests
  random: (bytes: number) => Buffer
}

export class Updates {
  readonly #deps: UpdatesDeps
  /** The upload in progress. */
  #incoming: { bytes: number; total: number | undefined } | undefined
  /** Reason why the last upload failed. */
  #failure: ReturnType<typeof failureOf> | undefined
  #closing = false

  constructor(deps: UpdatesDeps) {
    this.#deps = deps
  }

  /** Removes files of an earlier process: incomplete bundles, and archives for a stick. */
  async open(): Promise<void> {
    const folder = join(this.#deps.folder, 'updates')
    for (const name of await readdir(folder).catch(() => [])) await rm(join(folder, name), { force: true })
  }

  /**
   * Receives a bundle, and requests its installation.
   * @param length in bytes, according to the sender
   * @param older the version that is wanted although it is older than the one that runs
   * @param before called with the received bundle, before it is installed
   * @throws GatehouseError `conflict` while another one is under way; what `receive` throws. Nothing is left then
   */
  async take(
    from: Readable,
    { length, older }: { length: number | undefined; older: string | undefined },
    before: (received: { bytes: number; sha256: string }) => Promise<unknown>,
  ): Promise<void> {
    const { folder, requests, random } = this.#deps
    // Checked and set in the same turn: a double click sends two requests at the same time.
    if (this.#incoming) throw busy()
    const incoming = { bytes: 0, total: length }
    this.#incoming = incoming
    const name = `upload-${random(8).toString('hex')}.update`
    const path = join(folder, 'updates', name)
    try {
      await this.#refuseWhileInstalling()
      this.#failure = undefined
      const received = await receive(from, path, {
        ...{ length, most: MOST_UPDATE_BYTES, reserve: RESERVE_BYTES },
        free: async () => (await roomOn(join(folder, 'updates')))?.free ?? 0,
        onProgress: (bytes) => {
          incoming.bytes = bytes
        },
      })
      if (this.#closing)
        throw new GatehouseError('conflict', 'The box is being stopped: try again when it is up.', {
          reason: 'machine_stops',
        })
      await before(received)
      await requests.send('update', `file:${name}`, ...wanted(older))
    } catch (error) {
      await rm(path, { force: true })
      if (error instanceof GatehouseError && error.code !== 'conflict') this.#failure = failureOf(error)
      throw error
    } finally {
      this.#incoming = undefined
    }
  }

  /**
   * Requests the installation of a bundle on the stick.
   * @param older the version that is wanted although it is older than the one that runs
   * @throws GatehouseError `not_found`, `conflict`
   */
  async takeFromStick(name: string, older: string | undefined, before: () => Promise<unknown>): Promise<void> {
    if (this.#incoming) throw busy()
    this.#incoming = { bytes: 0, total: undefined }
    try {
      await this.#refuseWhileInstalling()
      const offered = await readStick(this.#deps.folder)
      if (!offered?.some((update) => update.name === name))
        throw new GatehouseError('not_found', 'This update is not on the stick: put the stick in again.', {
          reason: 'not_on_stick',
        })
      this.#failure = undefined
      await before()
      await this.#deps.requests.send('update', `usb:${name}`, ...wanted(older))
    } finally {
      this.#incoming = undefined
    }
  }

  async state(): Promise<UpdateState> {
    const { folder, requests } = this.#deps
    const [progress, slots, stick] = await Promise.all([
      requests.progressOf('update'),
      readSlots(folder),
      readStick(folder),
    ])
    const machine = { slots, usb: stick ?? [] }
    const nothing = { percent: null, version: null, reason: null, older: false }
    if (this.#incoming) {
      const { bytes, total } = this.#incoming
      return { ...machine, ...nothing, state: 'uploading', percent: total ? Math.floor((bytes * 100) / total) : null }
    }
    if (this.#failure !== undefined) return { ...machine, ...nothing, state: 'failed', ...this.#failure }
    const { percent = null, version = null, detail = null } = progress ?? {}
    switch (progress?.state) {
      case 'asked':
      case 'checking':
        return { ...machine, ...nothing, state: 'checking' }
      case 'installing':
        return { ...machine, ...nothing, state: 'installing', percent, version }
      case 'ready':
        return { ...machine, ...nothing, state: 'ready', version }
      case 'failed': {
        const why = reasonOf(detail, version)
        return {
          ...machine,
          ...nothing,
          state: 'failed',
          version,
          reason: why.text,
          reason_coded: why.coded,
          older: isOlder(detail),
        }
      }
      default:
        return { ...machine, ...nothing, state: 'idle' }
    }
  }

  /** @throws GatehouseError `conflict` while the machine may not be restarted */
  async refuseWhileBusy(): Promise<void> {
    if (this.#incoming) throw busy()
    await this.#refuseWhileInstalling()
  }

  /**
   * The slot to go back to; the running one while an installed update was not started yet.
   * @throws GatehouseError `conflict` if no other slot can be started
   */
  async slotBefore(): Promise<{ slot: 'A' | 'B'; runs: boolean }> {
    await this.refuseWhileBusy()
    const slots = await readSlots(this.#deps.folder)
    const [running, other] = [slots.find((slot) => slot.running), slots.find((slot) => !slot.running)]
    if (running && unstarted(slots)) return { slot: running.name, runs: true }
    if (!other || other.state === 'empty') throw refusedFor('gatehouse: empty slot')
    if (other.state === 'bad') {
      const message = 'The other version did not start when it was tried: install an update instead.'
      throw new GatehouseError('conflict', message, { reason: 'other_failed' })
    }
    return { slot: other.name, runs: false }
  }

  /** From now on, no upload is installed. */
  close(): void {
    this.#closing = true
  }

  async #refuseWhileInstalling(): Promise<void> {
    const { state = '' } = (await this.#deps.requests.progressOf('update')) ?? {}
    if (['asked', 'checking', 'installing'].includes(state)) throw busy()
  }
}

function wanted(older: string | undefined): string[] {
  return older === undefined ? [] : [`older:${older}`]
}

function busy(): GatehouseError {
  return new GatehouseError('conflict', 'An update is under way already: wait until it is done.', {
    reason: 'update_busy',
  })
}
