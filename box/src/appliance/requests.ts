/**
 * Requests of the box to its machine, and the machine's reports. The box has no privileges; clock, slots, restart and USB sticks are
 * root's. They share one folder (GATEHOUSE_APPLIANCE, /run/gatehouse), with these files and no others:
 *
 *     requests/<kind>     the box writes it, root removes it: one line, an id (hex) and the request
 *       time <ms> <ms>            the time to set, and the box's own time at the request: unix milliseconds
 *       update file:<name>        a bundle in updates/, which root removes too
 *       update usb:<name>         a bundle on the stick
 *         either with older:<version> behind it: that version is wanted, although it is older than the one that runs
 *       restart
 *       rollback A|B              the slot to start from
 *       backup <name>             an archive in updates/, to be copied to the stick
 *     state/<kind>.json   root writes it: progress of the request of that kind: { id, state, percent, version, detail }
 *       time: set, refused, failed      update: checking, installing, ready, failed, idle
 *       backup: copying, done, failed   restart, rollback: restarting, done, failed
 *     state/clock.json    { synced, source }: whether the clock is synchronised, and with what
 *     state/slots.json    { slots: [{ name, running, next, state, version }] }
 *     state/usb.json      { updates: [{ name, bytes }] }: exists while there is a stick
 *     problems.json       { problems: [{ where, message, coded }] }: mistakes in gatehouse.toml (image/setup)
 *     updates/            link to the folder on the data partition where the box puts bundles and archives
 *
 * Each file is written under another name and renamed. Root validates everything in requests/ and updates/ (image/overlay/usr/lib/gatehouse/
 * requests.sh); the box accepts reports of the known form, and ignores all others.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceDurably } from '../durable-file.ts'
import { GatehouseError } from '../errors.ts'
import { fieldsOf, readJson } from './shared-file.ts'

export type RequestKind = 'time' | 'update' | 'restart' | 'rollback' | 'backup'

/** Progress of a request. `asked`: there is no report about it yet. */
export interface RequestProgress {
  readonly state: string
  /** 0 to 100. */
  readonly percent: number | null
  readonly version: string | null
  /** The reason of a failure: RAUC's message, or `gatehouse: ...` by a script. */
  readonly detail: string | null
}

export interface RequestDeps {
  /** GATEHOUSE_APPLIANCE. */
  folder: string
  /** Monotonic clock, in milliseconds: setting the wall clock is one of the requests. */
  monotonic: () => number
  random: (bytes: number) => Buffer
}

/** Root has this long for a first report. A path unit starts the script at once, but a busy board is slow. */
const UNANSWERED_MS = 60_000

export class Requests {
  readonly #deps: RequestDeps
  readonly #asked = new Map<RequestKind, { id: string; at: number }>()

  constructor(deps: RequestDeps) {
    this.#deps = deps
  }

  /** Removes requests of an earlier process that root has not taken: nobody waits for them any more. */
  async open(): Promise<void> {
    const folder = join(this.#deps.folder, 'requests')
    await mkdir(folder, { recursive: true })
    const kinds: RequestKind[] = ['time', 'update', 'restart', 'rollback', 'backup']
    await Promise.all(kinds.map((kind) => rm(join(folder, kind), { recursive: true, force: true })))
  }

  /**
   * Sends a request; `progressOf` returns its progress.
   * @throws GatehouseError `conflict` while another request of this kind waits for its answer; `internal` if the folder cannot be written
   */
  async send(kind: RequestKind, ...what: readonly (string | number)[]): Promise<void> {
    const { folder, monotonic, random } = this.#deps
    if ((await this.progressOf(kind))?.state === 'asked')
      throw new GatehouseError('conflict', 'This was asked for a moment ago: wait until it is done.', {
        reason: 'machine_busy',
      })
    const id = random(8).toString('hex')
    this.#asked.set(kind, { id, at: monotonic() })
    try {
      await replaceDurably(join(folder, 'requests', kind), `${[id, ...what].join(' ')}\n`)
    } catch (cause) {
      this.#asked.delete(kind)
      const message = 'The machine cannot be asked: restart the box, then try again.'
      throw new GatehouseError('internal', message, { reason: 'machine_unasked', cause })
    }
  }

  /** The last report of this kind; undefined if there was no request since the machine started. */
  async progressOf(kind: RequestKind): Promise<RequestProgress | undefined> {
    const { folder, monotonic } = this.#deps
    const asked = this.#asked.get(kind)
    const fields = fieldsOf(await readJson(join(folder, 'state', `${kind}.json`)))
    if (asked === undefined || fields?.text('id') === asked.id) {
      // Answered: from now on every report of this kind is accepted, whichever request it is about.
      this.#asked.delete(kind)
      const state = fields?.text('state')
      if (fields === undefined || state === undefined) return undefined
      const [version = null, detail = null] = [fields.text('version'), fields.text('detail')]
      return { state, percent: fields.percent('percent'), version: version || null, detail: detail || null }
    }
    const nothing = { percent: null, version: null }
    if (monotonic() - asked.at < UNANSWERED_MS) return { state: 'asked', ...nothing, detail: null }
    // Withdrawn after the timeout: root should not carry it out an hour later.
    await rm(join(folder, 'requests', kind), { force: true })
    return { state: 'failed', ...nothing, detail: 'gatehouse: unanswered' }
  }
}
