/** Reports this scanner's state to the control room every ten seconds, and when it changes (`POST /v1/status`). */
import { format } from '@gatehouse/proto/hlc.ts'
import { onChange } from '@gatehouse/proto/ui/on-change.ts'
import type { StatusAnswer } from '@gatehouse/proto/wire/stats.ts'
import { type ReadonlySignal, signal } from '@preact/signals'
import { type Database, keep, writeLater } from '../store/database.ts'
import type { BoxClient } from './client.ts'
import type { DeviceClock } from './clock.ts'

const EVERY_MS = 10_000
/** The box accepts one report a second. */
const LEAST_MS = 1_000
/** Without an answer in this time the box counts as silent: with the wait between two reports, after fifteen seconds. */
const PATIENCE_MS = 5_000

export interface HeartbeatDeps {
  db: Database
  box: BoxClient
  clock: DeviceClock
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  battery: () => Promise<number | undefined>
  version: string
  /** Admissions that the box does not have. A change is reported without delay, as is one of the checkpoint. */
  unsent: ReadonlySignal<number>
  /** Id of the checkpoint at which this scanner stands. */
  checkpoint: ReadonlySignal<string | undefined>
  /** Takes in the rehearsal that runs at the box; undefined for none. */
  rehearse: (told: StatusAnswer['rehearsal']) => void
}

export class Heartbeat {
  readonly #deps: HeartbeatDeps
  /** Number of reports that were due, answered or not. */
  readonly beats = signal(0)
  /** Number of reports that the box has answered. */
  readonly answers = signal(0)
  readonly #stopping = new AbortController()
  /** Ends the wait before the next report. */
  #hurry = new AbortController()
  readonly #stopWatching: readonly (() => void)[]
  #running: Promise<void> = Promise.resolve()

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps
    const { unsent, checkpoint } = deps
    this.#stopWatching = [onChange(unsent, () => this.soon()), onChange(checkpoint, () => this.soon())]
  }

  start(): void {
    this.#running = this.#beat()
  }

  /** Reports without waiting for the next turn. */
  soon(): void {
    this.#hurry.abort()
  }

  async #beat(): Promise<void> {
    const { signal: stopping } = this.#stopping
    const { sleep, random } = this.#deps
    while (!stopping.aborted) {
      await sleep(LEAST_MS, stopping)
      if (stopping.aborted) return
      this.#hurry = new AbortController()
      await this.#report(stopping).catch(() => {})
      if (stopping.aborted) return
      this.beats.value++
      const wait = (EVERY_MS - LEAST_MS) * (0.9 + random() / 10)
      await sleep(wait, AbortSignal.any([stopping, this.#hurry.signal]))
    }
  }

  async #report(stopping: AbortSignal): Promise<void> {
    const { db, box, clock, battery, version } = this.#deps
    const unsent = this.#deps.unsent.peek()
    const checkpoint = this.#deps.checkpoint.peek()
    const level = await battery()
    const takeSample = clock.startSample()
    const { data } = await box.client.POST('/v1/status', {
      body: {
        unsent,
        app_version: version,
        device_hlc: format(clock.hlc.now()),
        ...(checkpoint !== undefined && { checkpoint }),
        ...(level !== undefined && { battery: Math.min(1, Math.max(0, level)) }),
      },
      signal: AbortSignal.any([stopping, AbortSignal.timeout(PATIENCE_MS)]),
    })
    if (!data) return
    const taken = takeSample(data, undefined)
    this.#deps.rehearse(data.rehearsal)
    this.answers.value++
    if (taken) writeLater(db, [keep('clock', taken)])
  }

  async close(): Promise<void> {
    for (const stop of this.#stopWatching) stop()
    this.#stopping.abort()
    await this.#running
  }
}
