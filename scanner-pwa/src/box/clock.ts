/**
 * The box's time on this device, for signatures, the freshness of codes, and the times of scans. Every answer that carries the
 * time is a sample, and half of the round trip is its travelling time (Cristian's algorithm).
 */
import { HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import { signal } from '@preact/signals'

/** The same limit that the box has for devices: a reading further ahead is not believed. */
const MAX_AHEAD_MS = 60_000
/** A sample is replaced by a more precise one at once, and by any other when it is this old. */
const FRESH_MS = 60_000
/** A sample of an earlier start is used for this long: for the night of a festival, and not for the next one. */
const KEEP_MS = 12 * 3_600_000
/** More drift than this between the device's wall clock and its monotonic clock: one of them has stood still or was set. */
const JUMP_MS = 2_000

export interface TimeSample {
  /** Unix ms of the device. */
  sentAt: number
  /** Between the request and its answer. */
  tookMs: number
  /** Unix ms of the box. */
  boxNow: number
  /** False: the box's own clock may be wrong by minutes. Undefined: unchanged since the last sample. */
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
  /** Wall clock minus monotonic clock when it was measured; undefined for a sample of an earlier start. */
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

  /** The box's time, unix ms. */
  now(): number {
    return this.#deps.now() + (this.#offset?.offsetMs ?? 0)
  }

  /** Tells if this device knows the box's time well, which decides how far the slot of a rotating code may be off. */
  quality(): 'synced' | 'unsynced' {
    return this.#offset?.synced && !this.#hasJumped() ? 'synced' : 'unsynced'
  }

  /**
   * Starts to time a request whose answer carries the box's time. Pass the answer to what this returns, which takes the sample
   * as `addSample` does.
   */
  startSample(): (answer: { now: string; hlc: string }, synced: boolean | undefined) => KeptOffset | undefined {
    const sentAt = this.#deps.now()
    const start = this.#deps.monotonic()
    return ({ now, hlc }, synced) => {
      const tookMs = this.#deps.monotonic() - start
      this.hlc.receive(hlc)
      return this.addSample({ sentAt, tookMs, boxNow: Date.parse(now), synced })
    }
  }

  /** @returns what to store for the next start; undefined where the sample known before is better */
  addSample({ sentAt, tookMs, boxNow, ...sample }: TimeSample): KeptOffset | undefined {
    const known = this.#offset
    const synced = sample.synced ?? known?.synced ?? false
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

  /** The device slept, or somebody set its clock: only the next sample can show which. */
  #hasJumped(): boolean {
    const shift = this.#offset?.shift
    return shift !== undefined && Math.abs(this.#deps.now() - this.#deps.monotonic() - shift) > JUMP_MS
  }
}
