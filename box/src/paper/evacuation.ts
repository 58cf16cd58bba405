/** The figures of the evacuation sheet, made from the statistics of the control room. Pure. */
import { type Coded, type CodeOf, coded } from '@gatehouse/proto/said.ts'
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
  const missing = [...notCounted(stats, event)]
  const withGates = stats.mesh?.boxes.filter(({ role }) => role !== 'voter') ?? []
  return {
    made_at: stats.as_of,
    event_name: stats.event_name,
    zones,
    total: { inside: sum((zone) => zone.inside), least: sum((zone) => zone.least), most: sum((zone) => zone.most) },
    boxes: withGates.map(({ name, self, heard, last_heard, behind }) => ({ name, self, heard, last_heard, behind })),
    not_counted: missing.map(({ text }) => text),
    not_counted_coded: missing.map(({ coded }) => coded),
    names,
  }
}

/** In English, and the same as a code. */
interface NotCounted {
  text: string
  coded: Coded<CodeOf<'evacuation'>>
}

function* notCounted(stats: Stats, { zones, checkpoints }: CountedEvent): Generator<NotCounted> {
  yield {
    text: 'Anybody who came in without a scan: crew and artists without tickets, and people let through an open door.',
    coded: coded('unscanned'),
  }
  for (const { id, name: zone } of zones) {
    if (checkpoints.some(({ direction, from }) => direction === 'out' && from === id)) continue
    yield {
      text: `People who left ${zone} and went to no other zone: nobody is scanned on the way out, so they still count as inside.`,
      coded: coded('no_way_out', { zone }),
    }
  }
  yield* ofScanners(stats)
  yield* ofBoxes(stats)
  yield {
    text: 'Tickets that were passed back and used twice, and people on paper lists that have not been typed in yet.',
    coded: coded('passed_back'),
  }
}

function* ofScanners({ scanners }: Stats): Generator<NotCounted> {
  const silent = scanners.filter(({ state }) => state === 'quiet' || state === 'lost')
  if (silent.length > 0) {
    const names = silent.map(({ name }) => name).join(', ')
    yield {
      text: `${countOf(silent.length, 'scanner is', 'scanners are')} silent: ${names}. "At most" includes an estimate of the people they may have let in.`,
      coded: coded('scanners_silent', { n: silent.length, names }),
    }
  }
  const unsent = scanners.reduce((sum, scanner) => sum + (scanner.unsent ?? 0), 0)
  if (unsent === 0) return
  yield {
    text: `${countOf(unsent, 'scan has', 'scans have')} not reached a box yet.`,
    coded: coded('unsent', { n: unsent }),
  }
}

function* ofBoxes({ mesh }: Stats): Generator<NotCounted> {
  for (const { name, self, heard, behind, role } of mesh?.boxes ?? []) {
    if (self || role === 'voter') continue
    if (!heard)
      yield {
        text: `People scanned at box ${name} since it was last heard: ask there too.`,
        coded: coded('box_silent', { name }),
      }
    else if (behind > 0)
      yield {
        text: `${countOf(behind, 'entry', 'entries')} of box ${name} that are still on the way.`,
        coded: coded('box_behind', { n: behind, name }),
      }
  }
}

function countOf(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}
