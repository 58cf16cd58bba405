/** Rows of the list: each scanner with its live figures, and what was agreed when it was paired. Pure. */
import type { components } from '@gatehouse/proto/client.ts'
import { byTrouble, type Scanner } from '../../live/scanners.ts'

export type Device = components['schemas']['Devices']['devices'][number]

export interface Listed extends Scanner {
  /** Undefined until the box has answered, or where it was paired since. */
  device: Device | undefined
}

export const FILTERS = ['inService', 'live', 'quiet', 'lost', 'revoked', 'all'] as const
export type Filter = (typeof FILTERS)[number]

/** Those in trouble first. @param devices null until the box has answered */
export function listed(scanners: readonly Scanner[], devices: readonly Device[] | null): Listed[] {
  const paired = new Map(devices?.map((device) => [device.device_id, device]))
  return scanners.map((scanner): Listed => ({ ...scanner, device: paired.get(scanner.device_id) })).sort(byTrouble)
}

export function isShown({ state }: Pick<Scanner, 'state'>, filter: Filter): boolean {
  return filter === 'all' || (filter === 'inService' ? state !== 'revoked' : state === filter)
}

/** Changes when a scanner is paired or taken out of service: what was agreed with each is read again then. */
export function rosterKey(scanners: readonly Scanner[]): string {
  return scanners.map(({ device_id, state }) => `${device_id}${state === 'revoked' ? '-' : ''}`).join()
}
