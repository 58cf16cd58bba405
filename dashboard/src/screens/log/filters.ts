/** The filter of the log, and its form in the address: a filtered log can be linked to. */
import type { LogQuery, LogRow } from '@gatehouse/proto/wire/log.ts'

export interface LogFilter {
  /** `decisions`: what people did and what went wrong, without the many scans and seals. */
  kind: LogRow['kind'] | 'decisions' | ''
  device: string
  checkpoint: string
  ticket: string
  /** Id of somebody of the staff. */
  person: string
  /** The box has no filter for it: a part of the actor's name, whatever the case. */
  actor: string
}

export const NO_FILTER: LogFilter = { kind: '', device: '', checkpoint: '', ticket: '', person: '', actor: '' }
const NAMES = Object.keys(NO_FILTER) as (keyof LogFilter)[]

/** `#/log?ticket=abc`. Empty filters are left out. */
export function addressOf(filter: Partial<LogFilter>): string {
  const query = new URLSearchParams(NAMES.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])))
  return query.size === 0 ? '#/log' : `#/log?${query}`
}

/** The filter in an address; an unknown kind counts as none. @param kinds the kinds that can be chosen */
export function filterIn(hash: string, kinds: readonly string[]): LogFilter {
  const query = new URLSearchParams(hash.split('?')[1] ?? '')
  const filter = { ...NO_FILTER }
  for (const name of NAMES) Object.assign(filter, { [name]: query.get(name)?.trim().slice(0, 256) ?? '' })
  return kinds.includes(filter.kind) || filter.kind === 'decisions' ? filter : { ...filter, kind: '' }
}

/** The part of the filter that the box applies. */
export function queryOf({ kind, device, checkpoint, ticket, person }: LogFilter): Omit<LogQuery, 'limit' | 'after'> {
  return {
    ...(kind !== '' && kind !== 'decisions' && { kind }),
    ...(device !== '' && { device }),
    ...(checkpoint !== '' && { checkpoint }),
    ...(ticket !== '' && { ticket }),
    ...(person !== '' && { person }),
  }
}

/** The rest of the filter, which the box does not have. */
export function keeps({ kind, actor }: LogFilter): (row: Pick<LogRow, 'kind' | 'actor'>) => boolean {
  const wanted = actor.trim().toLowerCase()
  return (row) =>
    (kind !== 'decisions' || !ROUTINE.has(row.kind)) &&
    (wanted === '' || (row.actor ?? '').toLowerCase().includes(wanted))
}

/** Kinds that happen all the time without anybody's decision. */
const ROUTINE: ReadonlySet<LogRow['kind']> = new Set(['scan', 'seal', 'clock_fence', 'event'] as const)

/** Entries that the box has written since this list was asked for; null when it is not known. */
export function newerThan(rows: readonly Pick<LogRow, 'index'>[], entries: number | undefined): number | null {
  const newest = rows[0]?.index
  return newest === undefined || entries === undefined ? null : Math.max(0, entries - newest - 1)
}
