/** Identifies a scan: where it was made, which code was shown, and what makes a resend the same scan. */
import { hash } from 'node:crypto'
import type { HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import { bareCode } from '@gatehouse/proto/payload.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import type { ScanningDevice } from '../ca/roster.ts'
import { GatehouseError } from '../errors.ts'
import type { Checkpoint, Event } from '../event/event.ts'
import type { CodeReader, ShownCode } from '../tickets/codes.ts'
import type { PhoneClocks } from './phone-clocks.ts'

export interface ShownDeps {
  event: Event
  clock: HybridLogicalClock
  codes: CodeReader
  phoneClocks: PhoneClocks
}

/** A scan as it came in, before the ledger is read. */
export interface ShownScan {
  scan: ScanRequest
  device: ScanningDevice
  checkpoint: Checkpoint
  code: ShownCode
  /** The code is off by the same amount as the one that the phone showed before: its clock is wrong. */
  steady: boolean
  /** A person found the ticket on a paper list: no code was shown, and none can be worn out. */
  onPaper?: true
  /** As it is stored, see `digestOf`. */
  digest: Buffer
  /** Set for a ticket that comes in on the code of another one of its order: that one's ref, and the scan of that code. */
  companion?: { ref: string; of: string }
}

/**
 * Reads the code and notes the phone's clock, once for each scan that comes in.
 * @throws GatehouseError `not_found`, `not_allowed` for the checkpoint
 */
export function identify(scan: ScanRequest, device: ScanningDevice, deps: ShownDeps): ShownScan {
  const checkpoint = checkpointOf(scan, device, deps.event)
  const code = deps.codes.read(scan.payload)
  const digest = digestOf(scan, device, scan.observed_at)
  // A code that comes again with answers is old for a reason, and says nothing about the phone's clock.
  const steady = scan.asked_by === undefined && deps.phoneClocks.isSteady(code, momentOf(scan, deps.clock))
  return { scan, device, checkpoint, code, steady, digest }
}

/** A scan of a ticket whose own code nobody has shown, because it comes in with the ticket that the scan `of` admitted. */
export function companionOf(
  scan: Omit<ScanRequest, 'payload'>,
  companion: { ref: string; of: string },
  { device, checkpoint }: Pick<ShownScan, 'device' | 'checkpoint'>,
): ShownScan {
  // In the place of a code, so that a resend is recognised by it.
  const shown = { ...scan, payload: `with ${companion.of}` }
  const digest = digestOf(shown, device, shown.observed_at)
  return { scan: shown, device, checkpoint, code: undefined, steady: false, digest, companion }
}

/**
 * When the person stood at the checkpoint, unix ms: now, or, for somebody whom a scanner let in alone, when the scanner
 * says that it did. A scanner's clock cannot put an admission into the future.
 */
export function momentOf(scan: ScanRequest, clock: HybridLogicalClock): number {
  const now = clock.wall()
  return scan.offline_admitted ? Math.min(Date.parse(scan.observed_at), now) : now
}

function checkpointOf(scan: ScanRequest, device: ScanningDevice, event: Event): Checkpoint {
  const checkpoint = event.checkpointById.get(scan.checkpoint)
  if (!checkpoint) {
    throw new GatehouseError(
      'not_found',
      'This box knows no such checkpoint: choose the checkpoint again on the scanner.',
      { reason: 'checkpoint_unknown' },
    )
  }
  if (!device.checkpoints.has(checkpoint.id)) {
    throw new GatehouseError(
      'not_allowed',
      `This scanner was not invited to ${checkpoint.name}: pair it again with an invite for that checkpoint.`,
      { reason: 'checkpoint_of_other' },
    )
  }
  return checkpoint
}

/**
 * True if a scan with the id of an earlier one is that scan again: from the same device and checkpoint, with the same code. A client
 * may read its clock anew for each try, or write the same time in another form.
 * @param earlier its digest @param observedAt of the earlier scan, as it was sent; read only where the two differ
 */
export function isSameScan({ scan, device, digest }: ShownScan, earlier: Buffer, observedAt: () => string | undefined) {
  if (earlier.equals(digest)) return true
  const then = observedAt()
  return then !== undefined && earlier.equals(digestOf(scan, device, then))
}

/**
 * SHA-256 over device, code, checkpoint and the time that the scan was first sent with. It leaves out the device's clock, which ticks
 * between two tries, and `offline_admitted`, which turns true when the answer to the first try never came. Boxes replicate it.
 */
export function digestOf(scan: ScanRequest, device: Pick<ScanningDevice, 'id'>, observedAt: string): Buffer {
  const same = JSON.stringify([device.id, bareCode(scan.payload), scan.checkpoint, observedAt])
  return hash('sha256', same, 'buffer')
}
