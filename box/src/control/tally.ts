/**
 * What the control room counts, as a fold over the journal: the same entries in the same order make the same tally, whether
 * they come one by one, in one go, or from a snapshot on. No clock, no database; everything in it is as large as the event
 * and never as the crowd.
 */
import { parse } from '@gatehouse/proto/hlc.ts'
import type { EventDefinition } from '../event/event.ts'
import type { IncidentActionEntry, IncidentEntry } from '../incidents/entry.ts'
import type { Entry } from '../ledger/ledger.ts'
import type { IncidentState } from '../ledger/schema.ts'
import type { FlagEntry, FlagResolvedEntry, ScanEntry } from '../scan/entry.ts'
import { type Passage, passageIn, passageOfScan } from '../scan/passage.ts'
import { addTo, countMinute, type Minutes } from './minutes.ts'

/** Where a checkpoint stands and leads: as the journal's last `event` entry says, and so as it was at the time. */
interface Place {
  gate: string
  from: string | null
  to: string | null
}

interface DeviceTally {
  scans: number
  /** When the box last learned of a scan of it, or of what somebody decided with it, unix ms. */
  lastAt: number
  /** Where that was. */
  checkpoint: string
  /** Its clock against the box's, at its last scan that was sent at once; null for none. */
  offsetMs: number | null
  /** People that it let in or out, by minute. */
  passages: Minutes
}

interface IncidentTally {
  state: IncidentState
  /** Unix ms: the report, the control room's first answer, and the end; cancelling is neither. */
  reportedAt: number
  answeredAt: number | null
  resolvedAt: number | null
}

export interface Tally {
  /** Entries counted, and so the index of the next. */
  size: number
  places: Map<string, Place>
  /** People inside, by zone. Below zero where more have left than were counted in. */
  zones: Map<string, number>
  /** Admissions by minute. */
  gateMinutes: Map<string, Minutes>
  checkpointMinutes: Map<string, Minutes>
  verdicts: Map<string, number>
  /** The same by gate. */
  gateVerdicts: Map<string, Map<string, number>>
  /** Tickets that were admitted at least once, by the tier that they then had. */
  admitted: Map<string, number>
  /** Passages in and out, those of them that a scanner let through alone, and those that a supervisor did. */
  admissions: number
  exits: number
  offline: number
  supervised: number
  /** Admissions that were taken back. They are in none of the others any more. */
  undone: number
  /** Which of them is open, by id; and how many are, and are not, by kind. */
  flags: Map<string, { kind: string; open: boolean }>
  openFlags: Map<string, number>
  resolvedFlags: Map<string, number>
  incidents: Map<string, IncidentTally>
  devices: Map<string, DeviceTally>
}

export function newTally(): Tally {
  return {
    ...{ size: 0, places: new Map(), zones: new Map(), gateMinutes: new Map(), checkpointMinutes: new Map() },
    ...{ verdicts: new Map(), gateVerdicts: new Map(), admitted: new Map() },
    ...{ admissions: 0, exits: 0, offline: 0, supervised: 0, undone: 0 },
    ...{ flags: new Map(), openFlags: new Map(), resolvedFlags: new Map(), incidents: new Map(), devices: new Map() },
  }
}

/** Counts the entry that comes next, into `tally` itself. @throws RangeError for any other one: a hole would stay for ever */
export function count(tally: Tally, entry: Entry): void {
  if (entry.index !== tally.size) throw new RangeError(`entry ${entry.index} does not come after ${tally.size} entries`)
  tally.size++
  try {
    countFacts(tally, entry)
  } catch (error) {
    // An entry that is no JSON, or does not say what its kind says, counts nobody. To tell is for "verify"; the gates go on.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
}

function countFacts(tally: Tally, entry: Entry): void {
  switch (entry.kind) {
    case 'event':
      learnPlaces(tally, (entry.fields as { event: EventDefinition }).event)
      break
    case 'scan': {
      const scan = entry.fields as ScanEntry
      countScan(tally, scan)
      countPassage(tally, passageOfScan(scan))
      break
    }
    case 'supervisor_admit':
    case 'undo':
      countPassage(tally, passageIn(entry))
      break
    case 'flag':
      openFlag(tally, entry.fields as FlagEntry)
      break
    case 'flag_resolved':
      resolveFlag(tally, entry.fields as FlagResolvedEntry)
      break
    case 'incident': {
      const { incident, at } = entry.fields as IncidentEntry
      tally.incidents.set(incident, { state: 'open', reportedAt: Date.parse(at), answeredAt: null, resolvedAt: null })
      break
    }
    case 'incident_action':
      countAction(tally, entry.fields as IncidentActionEntry)
      break
  }
}

function learnPlaces(tally: Tally, { checkpoints }: EventDefinition): void {
  // One that has left the event file leads where it did: a passage through it may still be taken back.
  for (const { id, gate, from, to } of checkpoints) tally.places.set(id, { gate, from, to })
}

function countScan(tally: Tally, scan: ScanEntry): void {
  addTo(tally.verdicts, scan.verdict, 1)
  const gate = tally.places.get(scan.checkpoint)?.gate
  if (gate !== undefined) {
    const verdicts = tally.gateVerdicts.get(gate) ?? new Map<string, number>()
    tally.gateVerdicts.set(gate, verdicts)
    addTo(verdicts, scan.verdict, 1)
  }
  const at = Date.parse(scan.at)
  const device = heardFrom(tally, scan.device, at, scan.checkpoint)
  device.scans++
  // A queued scan brings the reading of the moment when it was made, which says nothing about the clock now.
  const reading = scan.offline_admitted ? undefined : parse(scan.device_hlc)
  if (reading) device.offsetMs = reading.ms - at
}

/** A supervisor's scanner may never have scanned: what it decided is the first that is heard of it. @param at unix ms */
function heardFrom({ devices }: Tally, id: string, at: number, checkpoint: string): DeviceTally {
  const known = devices.get(id) ?? { scans: 0, offsetMs: null, passages: new Map() }
  const device = Object.assign(known, { lastAt: at, checkpoint })
  devices.set(id, device)
  return device
}

function countPassage(tally: Tally, passage: Passage | undefined): void {
  if (!passage) return
  const { checkpoint, direction, people } = passage
  const place = tally.places.get(checkpoint)
  // Both ways alike: whoever goes further in leaves the zone that the stairs begin in.
  if (place?.from != null) addTo(tally.zones, place.from, -people)
  if (place?.to != null) addTo(tally.zones, place.to, people)
  if (passage.first && passage.tier !== null) addTo(tally.admitted, passage.tier, people)
  if (direction === 'in') tally.admissions += people
  else tally.exits += people
  if (passage.offline) tally.offline += people
  if (passage.supervised) tally.supervised += people
  const times = { at: Date.parse(passage.at), observedAt: Date.parse(passage.observed_at) }
  const { passages } = heardFrom(tally, passage.device, times.at, checkpoint)
  if (people < 0) {
    tally.undone++
    return
  }
  countMinute(passages, times)
  if (direction === 'out') return
  countMinute(minutesOf(tally.checkpointMinutes, checkpoint), times)
  if (place) countMinute(minutesOf(tally.gateMinutes, place.gate), times)
}

function minutesOf(all: Map<string, Minutes>, id: string): Minutes {
  const minutes = all.get(id) ?? new Map<number, number>()
  all.set(id, minutes)
  return minutes
}

function openFlag({ flags, openFlags, resolvedFlags }: Tally, { flag: id, flag_kind: kind }: FlagEntry): void {
  const known = flags.get(id)
  if (known?.open) return
  // A case that was resolved and gains a record is open again.
  if (known) addTo(resolvedFlags, kind, -1)
  flags.set(id, { kind, open: true })
  addTo(openFlags, kind, 1)
}

function resolveFlag({ flags, openFlags, resolvedFlags }: Tally, { flag: id }: FlagResolvedEntry): void {
  const flag = flags.get(id)
  if (!flag?.open) return
  flag.open = false
  addTo(openFlags, flag.kind, -1)
  addTo(resolvedFlags, flag.kind, 1)
}

function countAction(tally: Tally, { incident: id, to, at }: IncidentActionEntry): void {
  const incident = tally.incidents.get(id)
  if (!incident) return
  incident.state = to
  if (to === 'cancelled') return
  incident.answeredAt ??= Date.parse(at)
  if (to === 'resolved') incident.resolvedAt = Date.parse(at)
}

/** Raised when a tally comes to mean something else: older snapshots are then counted anew. */
const VERSION = 2

/** A tally as text, to be kept until the next start. */
export function snapshotOf(tally: Tally): string {
  return JSON.stringify({ version: VERSION, tally }, (_, value) => (value instanceof Map ? { map: [...value] } : value))
}

/** @returns undefined for text that is not a snapshot of this version: everything is counted anew then */
export function tallyFrom(snapshot: string): Tally | undefined {
  try {
    const { version, tally } = JSON.parse(snapshot, (_, value) =>
      Array.isArray(value?.map) ? new Map(value.map) : value,
    )
    const kept = newTally()
    const whole = Object.keys(kept).every((name) => name in (tally ?? {}))
    return version === VERSION && whole && Number.isSafeInteger(tally.size) ? (tally as Tally) : undefined
  } catch {
    return undefined
  }
}
