/**
 * What the control room counts, as a fold over the journal: the same entries in the same order make the same tally, whether
 * they come one by one, in one go, or from a snapshot on. What was heard from other boxes counts in any order alike. No clock,
 * no database; everything in it is as large as the event and never as the crowd.
 */
import { parse } from '@gatehouse/proto/hlc.ts'
import type { EventDefinition } from '../event/event.ts'
import type { IncidentActionEntry, IncidentEntry } from '../incidents/entry.ts'
import { type IncidentAction, next } from '../incidents/incident.ts'
import type { Entry } from '../ledger/ledger.ts'
import type { IncidentState } from '../ledger/schema.ts'
import type { Fact } from '../mesh/facts.ts'
import type { FlagEntry, FlagResolvedEntry, ScanEntry } from '../scan/entry.ts'
import { passageIn } from '../scan/passage.ts'
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
  /** Which other box said so; null for this one. */
  box: string | null
  /** Its clock against the box's, at its last scan that was sent at once; null for none. */
  offsetMs: number | null
  /** People that it let in or out, by minute. */
  passages: Minutes
}

interface IncidentTally {
  state: IncidentState
  /** Unix ms: the report, which may not be here yet; the control room's first answer, and the end; cancelling is neither. */
  reportedAt: number | null
  answeredAt: number | null
  resolvedAt: number | null
  /** Everything that anybody did, at whichever box: a report may be heard after what was done about it. */
  actions: { place: string; action: IncidentAction; at: number }[]
}

interface FlagTally {
  kind: string
  open: boolean
  /** Every record of the case. */
  scans: string[]
}

export interface Tally {
  /** Entries counted, and so the index of the next. */
  size: number
  /** Whose journal it is. */
  box: string
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
  flags: Map<string, FlagTally>
  openFlags: Map<string, number>
  resolvedFlags: Map<string, number>
  incidents: Map<string, IncidentTally>
  devices: Map<string, DeviceTally>
}

export function newTally(): Tally {
  return {
    ...{ size: 0, box: '', places: new Map(), zones: new Map(), gateMinutes: new Map(), checkpointMinutes: new Map() },
    ...{ verdicts: new Map(), gateVerdicts: new Map(), admitted: new Map() },
    ...{ admissions: 0, exits: 0, offline: 0, supervised: 0, undone: 0 },
    ...{ flags: new Map(), openFlags: new Map(), resolvedFlags: new Map(), incidents: new Map(), devices: new Map() },
  }
}

/**
 * Counts the entry that comes next, and what it says was heard, into `tally` itself.
 * @throws RangeError for any other one: a hole would stay for ever
 */
export function count(tally: Tally, entry: Entry, heard: Iterable<Fact> = []): void {
  if (entry.index !== tally.size) throw new RangeError(`entry ${entry.index} does not come after ${tally.size} entries`)
  tally.size++
  countQuietly(tally, entry, null)
  const heardAt = parse(entry.hlc)?.ms ?? 0
  for (const fact of heard) countQuietly(tally, fact, heardAt)
}

/** An entry that is no JSON, or does not say what its kind says, counts nobody. To tell is for "verify"; the gates go on. */
function countQuietly(tally: Tally, fact: Fact, heardAt: number | null): void {
  try {
    countFacts(tally, fact, heardAt)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
}

/** @param heardAt when this box heard it from another one, unix ms; null for its own */
function countFacts(tally: Tally, fact: Fact, heardAt: number | null): void {
  switch (fact.kind) {
    case 'event': {
      const { box, event } = fact.fields as { box: string; event: EventDefinition }
      learnPlaces(tally, event, heardAt === null)
      if (heardAt === null) tally.box = box
      break
    }
    case 'scan':
      countScan(tally, fact, heardAt)
      countPassage(tally, fact, heardAt)
      break
    case 'supervisor_admit':
    case 'undo':
      countPassage(tally, fact, heardAt)
      break
    case 'flag':
      openFlag(tally, fact.fields as FlagEntry)
      break
    case 'flag_resolved':
      resolveFlag(tally, fact.fields as FlagResolvedEntry)
      break
    case 'incident':
      countIncident(tally, fact.fields as IncidentEntry)
      break
    case 'incident_action':
      countAction(tally, fact)
      break
  }
}

/** @param own by this box's own event file, which is right about its checkpoints; another's may know more of them */
function learnPlaces(tally: Tally, { checkpoints }: EventDefinition, own: boolean): void {
  // One that has left the event file leads where it did: a passage through it may still be taken back.
  for (const { id, gate, from, to } of checkpoints) {
    if (own || !tally.places.has(id)) tally.places.set(id, { gate, from, to })
  }
}

function countScan(tally: Tally, fact: Fact, heardAt: number | null): void {
  const scan = fact.fields as ScanEntry
  addTo(tally.verdicts, scan.verdict, 1)
  const gate = tally.places.get(scan.checkpoint)?.gate
  if (gate !== undefined) {
    const verdicts = tally.gateVerdicts.get(gate) ?? new Map<string, number>()
    tally.gateVerdicts.set(gate, verdicts)
    addTo(verdicts, scan.verdict, 1)
  }
  const at = Date.parse(scan.at)
  const device = heardFrom(tally, { id: scan.device, at, checkpoint: scan.checkpoint, box: fact.box ?? null })
  device.scans++
  if (heardAt !== null && device.lastAt !== at) return
  // A queued scan brings the reading of the moment when it was made, which says nothing about the clock now.
  const reading = scan.offline_admitted ? undefined : parse(scan.device_hlc)
  if (reading) device.offsetMs = reading.ms - at
}

/** A supervisor's scanner may never have scanned: what it decided is the first that is heard of it. */
function heardFrom(
  { devices }: Tally,
  { id, at, checkpoint, box }: Pick<DeviceTally, 'checkpoint' | 'box'> & { id: string; at: number },
): DeviceTally {
  const known = devices.get(id) ?? { scans: 0, offsetMs: null, passages: new Map(), lastAt: 0, checkpoint, box }
  devices.set(id, known)
  // What another box tells may be old.
  return box === null || at >= known.lastAt ? Object.assign(known, { lastAt: at, checkpoint, box }) : known
}

function countPassage(tally: Tally, fact: Fact, heardAt: number | null): void {
  if (fact.kind === 'undo') tally.undone++
  const passage = passageIn(fact)
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
  const at = Date.parse(passage.at)
  const times = { at: heardAt ?? at, observedAt: Date.parse(passage.observed_at) }
  const { passages } = heardFrom(tally, { id: passage.device, at, checkpoint, box: fact.box ?? null })
  if (people < 0) return
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

function openFlag(tally: Tally, { flag: id, flag_kind: kind, scans }: FlagEntry): void {
  const flag = tally.flags.get(id)
  if (!flag) {
    tally.flags.set(id, { kind, open: true, scans: [...scans] })
    addTo(tally.openFlags, kind, 1)
    return
  }
  const all = new Set([...flag.scans, ...scans])
  if (all.size === flag.scans.length) return
  flag.scans = [...all]
  // A case that was resolved and gains a record is open again.
  setOpen(tally, flag, true)
}

/** It counts when whoever resolved the case has seen as many records as there are. */
function resolveFlag(tally: Tally, resolved: FlagResolvedEntry): void {
  const { flag: id, flag_kind, scans } = resolved
  if (scans) openFlag(tally, { flag: id, flag_kind, scans } as FlagEntry)
  const flag = tally.flags.get(id)
  if (flag && (scans ?? flag.scans).length >= flag.scans.length) setOpen(tally, flag, false)
}

function setOpen({ openFlags, resolvedFlags }: Tally, flag: FlagTally, open: boolean): void {
  if (flag.open === open) return
  flag.open = open
  addTo(openFlags, flag.kind, open ? 1 : -1)
  addTo(resolvedFlags, flag.kind, open ? -1 : 1)
}

function countIncident(tally: Tally, { incident: id, at }: IncidentEntry): void {
  const incident = incidentOf(tally, id)
  incident.reportedAt = Math.min(incident.reportedAt ?? Number.POSITIVE_INFINITY, Date.parse(at))
}

function countAction(tally: Tally, { fields, hlc, box = tally.box }: Fact): void {
  const { incident: id, action, at } = fields as IncidentActionEntry
  if (!next('open', action)) return
  const incident = incidentOf(tally, id)
  incident.actions.push({ place: `${hlc} ${box}`, action, at: Date.parse(at) })
  incident.actions.sort((a, b) => (a.place < b.place ? -1 : 1))
  Object.assign(incident, { state: 'open', answeredAt: null, resolvedAt: null })
  for (const { action, at } of incident.actions) {
    const to = next(incident.state, action)
    // Two control rooms that did not hear each other: who came second went back, and that was no step.
    if (!to) continue
    incident.state = to
    if (to === 'cancelled') continue
    incident.answeredAt ??= at
    if (to === 'resolved') incident.resolvedAt = at
  }
}

function incidentOf({ incidents }: Tally, id: string): IncidentTally {
  const fresh: IncidentTally = { state: 'open', reportedAt: null, answeredAt: null, resolvedAt: null, actions: [] }
  const incident = incidents.get(id) ?? fresh
  incidents.set(id, incident)
  return incident
}

/** Raised when a tally comes to mean something else: older snapshots are then counted anew. */
const VERSION = 3

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
