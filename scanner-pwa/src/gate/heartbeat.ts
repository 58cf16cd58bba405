/** Says to the control room how this scanner is, every ten seconds and when something changes (`POST /v1/status`). */
import { format } from '@gatehouse/proto/hlc.ts'
import type { BoxClient } from './box-client.ts'
import type { DeviceClock, KeptOffset } from './clock.ts'

const EVERY_MS = 10_000
/** The box listens once a second. */
const SOON_MS = 1_000
/** No answer in this time, and the box counts as gone: with the wait between, fifteen seconds. */
const PATIENCE_MS = 5_000

export interface HeartbeatDeps {
  box: BoxClient
  clock: DeviceClock
  /** Unix ms of the device. */
  now: () => number
  monotonic: () => number
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  battery: () => Promise<number | undefined>
  version: string
  status: () => { unsent: number; checkpoint: string | undefined }
  /** Each time, also when the box is not asked. */
  onBeat: () => void
  /** @param taken the time that came with the answer, where it is to be kept */
  onAnswer: (taken: KeptOffset | undefined) => void
}

export class Heartbeat {
  readonly #deps: HeartbeatDeps
  readonly #stopping = new AbortController()
  #hurry = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#running = this.#beat()
  }

  /** Something has changed. */
  soon(): void {
    this.#hurry.abort()
  }

  async #beat(): Promise<void> {
    const { signal: stopping } = this.#stopping
    const { sleep, random, onBeat } = this.#deps
    while (!stopping.aborted) {
      await sleep(SOON_MS, stopping)
      if (stopping.aborted) return
      this.#hurry = new AbortController()
      await this.#tell(stopping).catch(() => {})
      if (stopping.aborted) return
      onBeat()
      const wait = (EVERY_MS - SOON_MS) * (0.9 + random() / 10)
      await sleep(wait, AbortSignal.any([stopping, this.#hurry.signal]))
    }
  }

  async #tell(stopping: AbortSignal): Promise<void> {
    const { box, clock, now, monotonic, battery, version, status, onAnswer } = this.#deps
    const { unsent, checkpoint } = status()
    const level = await battery()
    const sentAt = now()
    const start = monotonic()
    const { data } = await box.client.POST('/v1/status', {
      body: {
        ...{ unsent, app_version: version, device_hlc: format(clock.hlc.now()) },
        ...(checkpoint !== undefined && { checkpoint }),
        ...(level !== undefined && { battery: Math.min(1, Math.max(0, level)) }),
      },
      signal: AbortSignal.any([stopping, AbortSignal.timeout(PATIENCE_MS)]),
    })
    if (!data) return
    clock.hlc.hear(data.hlc)
    const boxNow = Date.parse(data.now)
    onAnswer(clock.hear({ sentAt, tookMs: monotonic() - start, boxNow, synced: undefined }))
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }
}
