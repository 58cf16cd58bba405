/** A code that was read at a checkpoint, and what this device makes of it by itself. Pure. */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { verdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { OwnUse } from '../mirror/changes.ts'
import type { ScanRecord } from './model.ts'
import { zoneOf } from './offline.ts'
import type { OwnPassage } from './own-passages.ts'

/** The box accepts no more, and no ticket is that long. */
const MAX_PAYLOAD_BYTES = 1024

export interface ScanAttempt {
  scan: ScanRequest
  /** Unix ms, corrected. */
  at: number
  checkpoint: Checkpoint
  again?: Again
  /** The session of whoever was signed on then. */
  signedOn?: string
  /** Made in a rehearsal, and answered as such, even if that ends meanwhile. */
  rehearsal?: true
}

/** A code that comes again, because a box has asked something before the admission. */
export interface Again {
  /** The scan that was asked about. */
  before: string
  /** Absent for a box that has not asked, which may not know them. */
  fields?: Required<Pick<ScanRequest, 'answers' | 'asked_by'>>
}

/** The box says more of the ticket than its tier and seat. */
export function isDescribed({ product, attention, addons, order, questions, holder, note }: Verdict): boolean {
  return [product, attention, addons, order, questions, holder, note].some((one) => one !== undefined)
}

/** False for what the box would refuse to read, and no printer has ever printed. */
export function isSendable(payload: string): boolean {
  return payload !== '' && payload.isWellFormed() && new TextEncoder().encode(payload).length <= MAX_PAYLOAD_BYTES
}

/** The circumstances of a verdict that are not in the verdict itself. */
export type RecordedHow = Pick<ScanRecord, 'alone' | 'unheardMs' | 'failed' | 'box' | 'unheard' | 'sent' | 'blind'>

export function recordOf(
  { scan, at, checkpoint, rehearsal }: ScanAttempt,
  verdict: Verdict,
  operator: string | null,
  how: RecordedHow,
): ScanRecord {
  return {
    scanId: scan.scan_id,
    at,
    checkpoint: checkpoint.id,
    class: verdictClass(verdict.verdict),
    verdict,
    operator,
    ...(rehearsal && { rehearsal }),
    ...how,
  }
}

/** A refusal by this device, which knows nothing of the ticket. @param hlc of now */
export function refusalOf(
  { scan, checkpoint }: ScanAttempt,
  refusal: Pick<Verdict, 'verdict' | 'reason' | 'evidence'>,
  hlc: string,
): Verdict {
  return {
    scan_id: scan.scan_id,
    ...refusal,
    severity: 'refuse',
    direction: checkpoint.direction,
    tier_name: null,
    tier_colour: null,
    seat_label: null,
    occurrence: null,
    hlc,
    confidence: 'provisional',
  }
}

/** @param codeHash of the code that was shown @param known when it happened, and whether a box has it */
export function passageOf(
  { scan, checkpoint, at }: ScanAttempt,
  codeHash: Uint8Array,
  { hlc, ...known }: { hlc: string; confirmed: boolean; by?: string },
): OwnPassage {
  const { direction, id } = checkpoint
  const use = { checkpoint: id, at, hlc, occurrence: 0 }
  return { scanId: scan.scan_id, codeHash, zone: zoneOf(checkpoint), direction, use, ...known }
}

/** A passage that the box has confirmed, as a change of the mirror. */
export function useOf({ codeHash, zone, direction, use }: OwnPassage, occurrence: number | null): OwnUse {
  const { checkpoint, hlc } = use
  return { code_hashes: [toBase64(codeHash)], zone, direction, checkpoint, hlc, occurrence: occurrence ?? 0 }
}
