/**
 * What the box asks of its machine, and what the machine says. The box has no privilege; clock, slots, restart and USB sticks are
 * root's. Between them is one folder (GATEHOUSE_APPLIANCE, /run/gatehouse), and this is all that crosses it:
 *
 *     requests/<kind>     the box writes, root takes away: one line, an id (hex) and what is asked for
 *       time <ms> <ms>            the time to set, and the box's own when it was asked: unix milliseconds
 *       update file:<name>        a bundle in updates/; root takes that away as well
 *       update usb:<name>         a bundle on the stick
 *       restart
 *       rollback A|B              the slot to start from
 *       backup <name>             an archive in updates/, to be copied to the stick
 *     state/<kind>.json   root writes: how far the request of that kind is: { id, state, percent, version, detail }
 *       time: set, refused, failed      update: checking, installing, ready, failed, idle
 *       backup: copying, done, failed   restart, rollback: restarting, done, failed
 *     state/clock.json    { synced, source }: whether the clock is set by anything better than itself
 *     state/slots.json    { slots: [{ name, running, next, state, version }] }
 *     state/usb.json      { updates: [{ name, bytes }] }: there while a stick is
 *     problems.json       { problems: [{ where, message }] }: what was wrong with gatehouse.toml (image/setup)
 *     updates/            leads to the folder on the data partition where the box puts bundles and archives
 *
 * Each file is written beside and renamed. Root believes nothing in requests/ and updates/ (image/overlay/usr/lib/gatehouse/
 * requests.sh); the box takes what root says as text of a known form, and anything else as not said.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceDurably } from '../durable-file.ts'
import { GatehouseError } from '../errors.ts'
import { fieldsOf, readJson } from './shared-file.ts'

export type RequestKind = 'time' | 'update' | 'restart' | 'rollback' | 'backup'

/** How far a request is. `asked`: nobody has said anything of it yet. */
export interface Said {
  readonly state: string
  /** 0 to 100. */
  readonly percent: number | null
  readonly version: string | null
  /** Why it failed: RAUC's words, or `gatehouse: ...` by a script. */
  readonly detail: string | null
}

export interface RequestDeps {
  /** GATEHOUSE_APPLIANCE. */
  folder: string
  /** Milliseconds that never jump: setting the clock is one of the requests. */
  monotonic: () => number
  random: (bytes: number) => Buffer
}

/** A path unit starts the script at once; a board that is busy takes a while. */
const UNANSWERED_MS = 60_000

export class Requests {
  readonly #deps: RequestDeps
  readonly #asked = new Map<RequestKind, { id: string; at: number }>()

  constructor(deps: RequestDeps) {
    this.#deps = deps
  }

  /** Forgets what an earlier life of this box asked for and nobody took: whoever wanted it has given up. */
  async open(): Promise<void> {
    const folder = join(this.#deps.folder, 'requests')
    await mkdir(folder, { recursive: true })
    const kinds: RequestKind[] = ['time', 'update', 'restart', 'rollback', 'backup']
    await Promise.all(kinds.map((kind) => rm(join(folder, kind), { recursive: true, force: true })))
  }

  /**
   * Asks. How far it is, `said` knows.
   * @throws GatehouseError `conflict` while another request of this kind waits for its answer; `internal` where the folder is not
   */
  async ask(kind: RequestKind, ...what: readonly (string | number)[]): Promise<void> {
    const { folder, monotonic, random } = this.#deps
    if ((await this.said(kind))?.state === 'asked')
      throw new GatehouseError('conflict', 'This was asked for a moment ago: wait until it is done.')
    const id = random(8).toString('hex')
    this.#asked.set(kind, { id, at: monotonic() })
    try {
      await replaceDurably(join(folder, 'requests', kind), `${[id, ...what].join(' ')}\n`)
    } catch (cause) {
      this.#asked.delete(kind)
      throw new GatehouseError('internal', 'The machine cannot be asked: restart the box, then try again.', { cause })
    }
  }

  /** What root said last of this kind; undefined when nobody has asked since the machine started. */
  async said(kind: RequestKind): Promise<Said | undefined> {
    const { folder, monotonic } = this.#deps
    const asked = this.#asked.get(kind)
    const fields = fieldsOf(await readJson(join(folder, 'state', `${kind}.json`)))
    if (asked === undefined || fields?.text('id') === asked.id) {
      // Answered: what is said of this kind from now on, for whatever reason, is said of what this box knows.
      this.#asked.delete(kind)
      const state = fields?.text('state')
      if (fields === undefined || state === undefined) return undefined
      const [version = null, detail = null] = [fields.text('version'), fields.text('detail')]
      return { state, percent: fields.percent('percent'), version: version || null, detail: detail || null }
    }
    const nothing = { percent: null, version: null }
    if (monotonic() - asked.at < UNANSWERED_MS) return { state: 'asked', ...nothing, detail: null }
    // Nobody does it now, and nobody should an hour later.
    await rm(join(folder, 'requests', kind), { force: true })
    return { state: 'failed', ...nothing, detail: 'gatehouse: unanswered' }
  }
}
