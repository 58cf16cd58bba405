/** The figures of the evacuation sheet, made from the statistics of the control room. Pure. */
import type { EvacuationSheet } from '@gatehouse/proto/wire/evacuation.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { Event } from '../event/event.ts'

/** The figures without what is known of the kept page. */
export type EvacuationFigures = Omit<EvacuationSheet, 'kept_at' | 'kept_in'>

type CountedEvent = Pick<Event, 'zones' | 'checkpoints'>

export function evacuationOf(stats: Stats, event: CountedEvent, names: EvacuationSheet['names']): EvacuationFigures {
  const zones = stats.zones.map(({ id, name, capacity, occupancy, occupancy_min: least, occupancy_max: most }) => {
    return { id, name, inside: occupancy, least, most, capacity }
  })
  const sum = (of: (zone: (typeof zones)[number]) => number) => zones.reduce((total, zone) => total + of(zone), 0)
  const withGates = stats.mesh?.boxes.filter(({ role }) => role !== 'voter') ?? []
  return {
    made_at: stats.as_of,
    event_name: stats.event_name,
    zones,
    total: { inside: sum((zone) => zone.inside), least: sum((zone) => zone.least), most: sum((zone) => zone.most) },
    boxes: withGates.map(({ name, self, heard, last_heard, behind }) => ({ name, self, heard, last_heard, behind })),
    not_counted: [...notCounted(stats, event)],
    names,
  }
}

function* notCounted(stats: Stats, { zones, checkpoints }: CountedEvent): Generator<string> {
  yield 'Anybody who came in without a scan: crew and artists without tickets, and people let through an open door.'
  for (const { id, name } of zones) {
    if (checkpoints.some(({ direction, from }) => direction === 'out' && from === id)) continue
    yield `People who left ${name} and went to no other zone: nobody is scanned on the way out, so they still count as inside.`
  }
  const silent = stats.scanners.filter(({ state }) => state === 'quiet' || state === 'lost')
  if (silent.length > 0) {
    yield `${countOf(silent.length, 'scanner is', 'scanners are')} silent: ${silent.map(({ name }) => name).join(', ')}. "At most" includes an estimate of the people they may have let in.`
  }
  const unsent = stats.scanners.reduce((sum, scanner) => sum + (scanner.unsent ?? 0), 0)
  if (unsent > 0) yield `${countOf(unsent, 'scan has', 'scans have')} not reached a box yet.`
  for (const { name, self, heard, behind, role } of stats.mesh?.boxes ?? []) {
    if (self || role === 'voter') continue
    if (!heard) yield `People scanned at box ${name} since it was last heard: ask there too.`
    else if (behind > 0) yield `${countOf(behind, 'entry', 'entries')} of box ${name} that are still on the way.`
  }
  yield 'Tickets that were passed back and used twice, and people on paper lists that have not been typed in yet.'
}

function countOf(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}
