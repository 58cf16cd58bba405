/**
 * The scanner as its screens know it: state to show, and actions. `gate/` implements it over the box, IndexedDB and
 * the clock; `screens/` draws it and has no state of its own that a reload must not lose.
 */

import type { CodeKind } from '@gatehouse/proto/code-kinds.ts'
import type { Answers } from '@gatehouse/proto/questions.ts'
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { LookUpAnswer } from '@gatehouse/proto/wire/desk.ts'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { ReadonlySignal } from '@preact/signals'
import type { TrayItem } from './tray.ts'

/** A scan as this device stores it: what was shown, and what became of it. */
export interface ScanRecord {
  scanId: string
  /** Unix ms, corrected. */
  at: number
  checkpoint: string
  class: VerdictClass
  /** The verdict that was shown: the box's, or this device's own when `alone`. */
  verdict: Verdict
  /** Decided alone, at an event whose boxes say more of tickets than this device can know. */
  blind?: boolean
  /** Decided offline, by this device. The stored records have this name. */
  alone: boolean
  /** Silence of the box when this was decided offline, ms. */
  unheardMs?: number
  /** Name of the box that answered, where it is not this scanner's home box. */
  box?: string
  /** Of a provisional verdict: the boxes that the answering box had no contact with, and for how long, ms; null: since it started. */
  unheard?: readonly { name: string; ms: number | null }[]
  /** Of an offline admission: whether the box has it by now. */
  sent?: boolean
  /** The box's later answer to a scan that was decided offline. Shown beside the first one where it is not ADMIT, or has a flag. */
  afterwards?: Verdict
  /** Of a rehearsal: nobody was counted, and the box has no record of it. */
  rehearsal?: true
  /** Name of the person who was signed on. */
  operator: string | null
  supervised?: boolean
  undone?: boolean
  /** Nothing was decided, because the box could not answer. `verdict.reason` says what to do. */
  failed?: boolean
  /** Of an offline admission that the box will never take: its reason. See `aside`. */
  refusal?: string
}

/** One of the event's other boxes. */
export interface KnownBox {
  name: string
  origin: string
  /** This page may ask it. A box that has joined since the app was opened may be asked from the next start on. */
  open: boolean
}

export interface Link {
  /** `reachable`: the last request was answered. `offline`: it was not, and scans are decided here. */
  state: 'reachable' | 'offline'
  /** Unix ms: the last answer of a box; null before the first. */
  heardAt: number | null
  /** Name of the box that is asked while the home box is gone; null at home. */
  away: string | null
}

export interface MirrorState {
  version: number
  /** Unix ms: when the box last confirmed that the mirror is up to date. */
  asOf: number
  tickets: number
  /** Older than the limit: offline decisions rest on old data, and the screen says so loudly. */
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
  /** Unix ms, corrected: when it was pressed here, or reached the box where another device reported it. */
  at: number
  /** `sending`: pressed a moment ago. `unsent`: the box did not take it, and nobody knows of it. `seen`: acknowledged. */
  progress: 'sending' | 'unsent' | 'received' | 'seen'
  incident: Incident | null
  /** The box refuses the report: its reason. Call on the radio. */
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
  /** Offline admissions that the box refuses. */
  aside: number
}

export interface Pairing {
  deviceId: string
  deviceName: string
  baseUrl: string
  eventName: string
  checkpoints: readonly Checkpoint[]
  supervisor: boolean
  certificateExpiresAt: number
}

/** A failure that a person can do something about: `message` says what. */
export class ScannerError extends Error {
  override readonly name = 'ScannerError'
}

/** The outcome of signing on: where the box refuses it, with its code and words. */
export type SignOnOutcome = 'on' | 'unreachable' | { code: string; message: string }

export interface Scanner {
  /** Null while the scanner is not paired. */
  pairing: ReadonlySignal<Pairing | null>
  /** The checkpoint at which this phone stands, one of the pairing's. */
  checkpoint: ReadonlySignal<Checkpoint | null>
  link: ReadonlySignal<Link>
  mirror: ReadonlySignal<MirrorState | null>
  /** The event's other boxes, which this scanner asks when its home box is gone. */
  boxes: ReadonlySignal<readonly KnownBox[]>
  /** Kinds of codes that this event's tickets have besides QR. */
  codes: ReadonlySignal<readonly CodeKind[]>
  /** Number of offline admissions that the box does not have yet. */
  unsent: ReadonlySignal<number>
  /** Newest first, 50 at most. */
  recent: ReadonlySignal<readonly ScanRecord[]>
  shift: ReadonlySignal<ShiftSummary>
  /** Double uses that the box has found among this device's offline admissions, until they are dismissed. */
  doubles: ReadonlySignal<readonly ScanRecord[]>
  /** Offline admissions that the box refuses (`refusal` says why): stored and counted, and not sent again. */
  aside: ReadonlySignal<readonly ScanRecord[]>
  /** The hold on this checkpoint's gate. */
  hold: ReadonlySignal<Hold | null>
  /** True while this phone rehearses: nothing that it scans counts. */
  rehearsing: ReadonlySignal<boolean>
  announcements: ReadonlySignal<readonly Announcement[]>
  /** This device's reports, what others have reported at the gate where it stands, and emergencies elsewhere that are not over. */
  incidents: ReadonlySignal<readonly IncidentState[]>
  /** The box's clock minus this device's, ms; null before it was measured. */
  clockOffsetMs: ReadonlySignal<number | null>
  /** Instructions for the person once this device may no longer scan: it was revoked, or its certificate expired. Null before. */
  ended: ReadonlySignal<string | null>

  /** The event has people sign on at this scanner, with their names and PINs; otherwise a name is only noted. */
  signOnWanted: ReadonlySignal<boolean>
  /** Nobody is signed on, and nothing can be scanned. */
  locked: ReadonlySignal<boolean>
  /** Those who have signed on at this phone, the latest first. */
  people: ReadonlySignal<readonly string[]>

  /** @throws ScannerError when the invite is wrong, used or expired, or the box is another one than it names */
  pair(invite: string, deviceName: string): Promise<void>
  /** Deletes everything that this device has stored. @throws ScannerError while scans are unsent, unless `force` */
  unpair(options?: { force?: boolean }): Promise<void>
  choose(checkpoint: string): void
  signOn(operator: string | null): void
  /** Signs on by name and PIN or password, which the box checks. */
  signOnAs(name: string, secret: string): Promise<SignOnOutcome>
  /** @returns false while no box is reached: the person stays signed on, because nobody else could sign on */
  signOff(): Promise<boolean>
  /** Somebody has touched the screen. */
  touched(): void
  /** Always answers, with the box's verdict or this device's own. Never throws for what a code may contain. */
  scan(payload: string): Promise<ScanRecord>
  /** @throws ScannerError when the box refuses or cannot be reached */
  admit(scanId: string, reason: string): Promise<ScanRecord>
  undo(scanId: string, reason: string): Promise<ScanRecord>
  /** Newest first: what a person has yet to look at or to answer. In memory, and gone with the shift and the pairing. */
  tray: ReadonlySignal<readonly TrayItem[]>
  /** Attention, note and questions of this scan's verdict that are still open. */
  open(scanId: string): TrayItem | undefined
  /** Keeps what was typed. */
  draft(scanId: string, answers: Answers): void
  /** Attention and note of this scan were seen. */
  seen(scanId: string): void
  /** Takes the questions of this scan away without answers. */
  drop(scanId: string): void
  /** @returns the scan with the answers; null where they were added to an admission @throws ScannerError: they stay */
  answer(scanId: string, answers: Answers): Promise<ScanRecord | null>
  /** Admits others of the order whose ticket this scan admitted. @returns their scans @throws ScannerError where nobody was */
  admitMore(scanId: string, count: number): Promise<readonly ScanRecord[]>
  /**
   * Looks tickets up by name, order or seat: at the box alone, and nothing of it is stored. For supervisors.
   * @throws ScannerError for too few letters, while nobody is signed on, when the box refuses or cannot be reached
   */
  lookUp(text: string): Promise<LookUpAnswer>
  /** @returns the incident's id: `incidents` says what becomes of it */
  report(kind: Incident['kind'], note?: string): Promise<string>
  /** @param noteId the same for every try @throws ScannerError when the box refuses or cannot be reached */
  addToReport(id: string, noteId: string, note: string): Promise<void>
  /** Closes one's own report as a false alarm. @throws ScannerError when the box refuses or cannot be reached */
  withdrawReport(id: string): Promise<void>
  /** Says how many people wait at this checkpoint. @throws ScannerError when the box refuses or cannot be reached */
  reportWaiting(people: number): Promise<void>
  dismissDouble(scanId: string): void
  dismissAnnouncement(id: string): void
  /** Closes the shift: counts start anew; the summary that was handed over. */
  handOver(): ShiftSummary
  /** The checks that the core can answer: clock, manifest, certificate, storage, link, boxes. The screens add the others. */
  preflight(): Promise<PreflightItem[]>
  /** This phone takes no further part in the rehearsal: its scans count from now on. */
  leaveRehearsal(): void
  /** Asks the box at once, because somebody is waiting. */
  retry(): void
  /** Ends everything that is under way. For tests, and for a page that leaves the scanner to another tab. */
  close(): Promise<void>
}
