/**
 * What the screens know of the scanner: state to show, and the few things that can be done. `gate/` implements it over the
 * box, IndexedDB and the clock; `screens/` draws it and holds no state of its own that a reload must not lose.
 */
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { ReadonlySignal } from '@preact/signals'

/** A scan as this device remembers it: what was shown, and what became of it. */
export interface ScanRecord {
  scanId: string
  /** Unix ms, by this device's clock as the box corrected it. */
  at: number
  checkpoint: string
  class: VerdictClass
  /** The box's answer, or this device's own when `alone`. */
  verdict: Verdict
  /** Decided here, without the box. */
  alone: boolean
  /** How long the box had been unheard when it was decided alone, ms. */
  unheardMs?: number
  /** The box that answered, by name, where it is not this scanner's own. */
  box?: string
  /** Provisional: which boxes the one that answered did not hear, and for how long, ms; null: since it started. */
  unheard?: readonly { name: string; ms: number | null }[]
  /** An admission made alone: whether the box has it by now. */
  sent?: boolean
  /** What the box said of it when it came back: a verdict that is not ADMIT, or a flag, is shown beside the first one. */
  afterwards?: Verdict
  /** Who was signed on. */
  operator: string | null
  supervised?: boolean
  undone?: boolean
  /** Nothing was decided: the box was asked and could not answer this. `verdict.reason` says what to do. */
  failed?: boolean
  /** An admission made alone that the box will never take, in its own words: see `aside`. */
  refusal?: string
}

/** One of the event's other boxes. */
export interface KnownBox {
  name: string
  origin: string
  /** This page may ask it. A box that has joined since the app was opened is one that the next start may ask. */
  open: boolean
}

export interface Link {
  /** `reachable`: the last request was answered. `alone`: it was not, and scans are decided here. */
  state: 'reachable' | 'alone'
  /** Unix ms; null before the box was ever heard. */
  heardAt: number | null
  /** Name of the box that is asked while this scanner's own is gone; null at its own. */
  away: string | null
}

export interface MirrorState {
  version: number
  /** Unix ms: when the box last said that this is its newest. */
  asOf: number
  tickets: number
  /** Older than the limit: decisions made alone rest on old news, and the screen says so loudly. */
  stale: boolean
}

/** One line of the preflight. `remedy` is what to do, in one sentence; null when all is well. */
export interface PreflightItem {
  id: 'camera' | 'storage' | 'clock' | 'manifest' | 'certificate' | 'sound' | 'wake-lock' | 'link' | 'boxes' | 'offline'
  state: 'ok' | 'warn' | 'fail' | 'checking'
  detail: string
  remedy: string | null
}

export interface IncidentState {
  id: string
  kind: Incident['kind']
  at: number
  /** The three ticks: kept here and under way, the box has it, somebody in the control room has acknowledged it. */
  progress: 'sending' | 'received' | 'seen'
  incident: Incident | null
  /** The box will not take this report, in its own words: call on the radio. */
  refusal?: string
}

export interface Hold {
  gate: string
  reason: string
  expiresAt: number | null
}

export interface ShiftSummary {
  operator: string | null
  since: number
  byClass: Readonly<Record<VerdictClass, number>>
  alone: number
  supervised: number
  undone: number
  doubles: number
  unsent: number
  /** Admissions made alone that the box will not take. */
  aside: number
}

/** Null signals of `pairing` mean: not paired yet. */
export interface Pairing {
  deviceId: string
  deviceName: string
  baseUrl: string
  eventName: string
  checkpoints: readonly Checkpoint[]
  supervisor: boolean
  certificateExpiresAt: number
}

/** A mistake that a person can do something about: `message` says what. */
export class ScannerError extends Error {
  override readonly name = 'ScannerError'
}

export interface Scanner {
  pairing: ReadonlySignal<Pairing | null>
  /** Where this phone stands; one of the pairing's checkpoints. */
  checkpoint: ReadonlySignal<Checkpoint | null>
  link: ReadonlySignal<Link>
  mirror: ReadonlySignal<MirrorState | null>
  /** Where this scanner goes on when its own box is gone; empty where the event has one. */
  boxes: ReadonlySignal<readonly KnownBox[]>
  /** Admissions made alone that the box does not have yet. */
  unsent: ReadonlySignal<number>
  /** Newest first, 50 at most. */
  recent: ReadonlySignal<readonly ScanRecord[]>
  shift: ReadonlySignal<ShiftSummary>
  /** Double uses that came back for what this device admitted, not yet dismissed. */
  doubles: ReadonlySignal<readonly ScanRecord[]>
  /** Admissions made alone that the box refuses to take (`refusal` says why): kept and counted, and never sent again. */
  aside: ReadonlySignal<readonly ScanRecord[]>
  /** The hold on this checkpoint's gate. */
  hold: ReadonlySignal<Hold | null>
  announcements: ReadonlySignal<readonly Announcement[]>
  /** Own reports, and open emergencies elsewhere. */
  incidents: ReadonlySignal<readonly IncidentState[]>
  /** The box's clock minus this device's, ms; null before it was measured. */
  clockOffsetMs: ReadonlySignal<number | null>
  /** The device was revoked, or its certificate ended: nothing scans any more; the text says what to do. */
  ended: ReadonlySignal<string | null>

  /** @throws ScannerError when the invite is wrong, used or expired, or the box is another one than it names */
  pair(invite: string, deviceName: string): Promise<void>
  /** Forgets key, token, manifest. @throws ScannerError while scans are unsent, unless `force` */
  unpair(options?: { force?: boolean }): Promise<void>
  choose(checkpoint: string): void
  signOn(operator: string | null): void
  /** Always answers: from the box, or alone. Never throws for what a code may hold. */
  scan(payload: string): Promise<ScanRecord>
  /** @throws ScannerError when the box refuses or cannot be reached */
  admit(scanId: string, reason: string): Promise<ScanRecord>
  undo(scanId: string, reason: string): Promise<ScanRecord>
  report(kind: Incident['kind'], note?: string): Promise<void>
  dismissDouble(scanId: string): void
  dismissAnnouncement(id: string): void
  /** Closes the shift: counts start anew; the summary that was handed over. */
  handOver(): ShiftSummary
  /** The lines that the core knows of: clock, manifest, certificate, storage, link. Camera, sound and the rest are the screens'. */
  preflight(): Promise<PreflightItem[]>
  /** Tries the box now: somebody is waiting. */
  retry(): void
  /** Closes what is open. For tests, and for a page that gives the scanner up to another tab. */
  close(): Promise<void>
}
