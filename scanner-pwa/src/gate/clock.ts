/**
 * The box's time on this device: what signatures, freshness and observations go by. Every answer that names the time is a
 * sample; half of the way there and back is what it cost to travel (Cristian's algorithm).
 */
import { HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import { signal } from '@preact/signals'

/** As the box has it for devices: a reading further ahead is not believed. */
const MAX_AHEAD_MS = 60_000
/** A sample is replaced by a better one at once, and by any other when it is this old. */
const FRESH_MS = 60_000
/** Kept from an earlier start: good for the night of a festival, and not for the next one. */
const KEEP_MS = 12 * 3_600_000
/** More than this between the two clocks of the device, and one of them has stood still or was set. */
const JUMP_MS = 2_000

export interface TimeSample {
  /** Unix ms of the device. */
  sentAt: number
  /** How long the answer took. */
  tookMs: number
  /** Unix ms of the box. */
  boxNow: number
  /** False: the box's own clock may be wrong by minutes. Undefined: as it was. */
  synced: boolean | undefined
}

export interface KeptOffset {
  offsetMs: number
  /** Unix ms of the device. */
  measuredAt: number
  synced: boolean
}

interface Offset extends KeptOffset {
  tookMs: number
  /** Wall clock minus monotonic clock when it was measured; undefined for one of an earlier start. */
  shift: number | undefined
}

export class DeviceClock {
  readonly #deps: { now: () => number; monotonic: () => number }
  readonly hlc: HybridLogicalClock
  /** The box's clock minus this device's, ms; null before it was measured. */
  readonly offsetMs = signal<number | null>(null)
  #offset: Offset | undefined

  constructor(deps: { now: () => number; monotonic: () => number }, kept?: { offset?: KeptOffset; hlc?: string }) {
    this.#deps = deps
    const floor = parse(kept?.hlc ?? '')
    this.hlc = new HybridLogicalClock({
      wallClock: () => Math.max(0, Math.round(this.now())),
      maxOffsetMs: MAX_AHEAD_MS,
      ...(floor && { floor }),
    })
    if (kept?.offset && Math.abs(deps.now() - kept.offset.measuredAt) < KEEP_MS) {
      this.#offset = { ...kept.offset, tookMs: Number.POSITIVE_INFINITY, shift: undefined }
      this.offsetMs.value = kept.offset.offsetMs
    }
  }

  /** Unix ms as the box would say it. */
  now(): number {
    return this.#deps.now() + (this.#offset?.offsetMs ?? 0)
  }

  /** How far a rotating code may be off: this device knows the time well, or does not. */
  quality(): 'synced' | 'unsynced' {
    return this.#offset?.synced && !this.#hasJumped() ? 'synced' : 'unsynced'
  }

  /** @returns what to keep for the next start, when the sample was taken */
  hear({ sentAt, tookMs, boxNow, ...told }: TimeSample): KeptOffset | undefined {
    const known = this.#offset
    const synced = told.synced ?? known?.synced ?? false
    const replaces =
      !known || this.#hasJumped() || tookMs <= known.tookMs || synced !== known.synced || this.#ageMs() > FRESH_MS
    if (!replaces || !Number.isFinite(boxNow)) return undefined
    const offsetMs = Math.round(boxNow - (sentAt + tookMs / 2))
    const measuredAt = this.#deps.now()
    this.#offset = { offsetMs, measuredAt, synced, tookMs, shift: measuredAt - this.#deps.monotonic() }
    this.offsetMs.value = offsetMs
    return { offsetMs, measuredAt, synced }
  }

  #ageMs(): number {
    return Math.abs(this.#deps.now() - (this.#offset?.measuredAt ?? 0))
  }

  /** The device slept, or somebody set its clock: which of the two, only the next sample tells. */
  #hasJumped(): boolean {
    const shift = this.#offset?.shift
    return shift !== undefined && Math.abs(this.#deps.now() - this.#deps.monotonic() - shift) > JUMP_MS
  }
}
