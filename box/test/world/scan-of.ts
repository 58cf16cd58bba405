import { randomUUID } from 'node:crypto'
import { format } from '@gatehouse/proto/hlc.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'

/** A scan as a scanner at gate A sends it. @param now unix ms */
export function scanOf(payload: string, now = Date.now(), more: Partial<ScanRequest> = {}): ScanRequest {
  return {
    scan_id: randomUUID(),
    payload,
    checkpoint: 'a-in',
    device_hlc: format({ ms: now, count: 0 }),
    offline_admitted: false,
    observed_at: new Date(now).toISOString(),
    ...more,
  }
}
