/**
 * Counts the journal's entries: the same entries in the same order make the same tally, whether they come one by one, in one
 * go, or from a snapshot on. Replicated entries count alike in any order. No clock, no database.
 */
import { parse } from '@gatehouse/proto/hlc.ts'
import type { EventDefinition } from '../event/event.ts'
import { eventIn } from '../event/recorded.ts'
import { next } from '../incidents/incident.ts'
import type { Entry, EntryFields } from '../ledger/entries.ts'
import type { Fact } from '../ledger/facts.ts'
import { passageIn } from '../rights/passage.ts'
import { deviceOffset, isByHand } from './device-offset.ts'
import { addTo, countMinute, type Minutes } from './minutes.ts'
import { countStep } from './occupancy.ts'
import type { DeviceTally, FlagTally, IncidentTally, Tally } from './tally.ts'

/**
 * Counts the next entry, and the entries that it replicates, into `tally` itself.
 * @throws RangeError for any other entry: the gap would never be filled
 */
export function countEntry(tally: Tally, entry: Entry, replicated: Iterable<Fact> = []): void {
  if (entry.index !== tally.size) throw new RangeError(`entry ${entry.index} does not come after ${tally.size} entries`)
  tally.size++
  countReadable(tally, entry, null)
  const replicatedAt = parse(entry.hlc)?.ms ?? 0
  for (const fact of replicated) countReadable(tally, fact, replicatedAt)
}

/** Skips an entry that is not JSON, or has other fields than its kind. "verify" reports those; the gates go on. */
function countReadable(tally: Tally, fact: Fact, replicatedAt: number | null): void {
  try {
    countFacts(tally, fact, replicatedAt)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
}

/** @param replicatedAt when an entry of another box was replicated, unix ms; null for this box's own */
function countFacts(tally: Tally, fact: Fact, replicatedAt: number | null): void {
  switch (fact.kind) {
    case 'event': {
      learnPlaces(tally, eventIn(fact.fields), replicatedAt === null)
      if (replicatedAt === null) tally.box = fact.fields.box
      break
    }
    case 'scan':
      countScan(tally, fact, fact.fields, replicatedAt)
      countPassage(tally, fact, replicatedAt)
      break
    case 'supervisor_admit':
    case 'undo':
      countPassage(tally, fact, replicatedAt)
      break
    case 'flag':
      openFlag(tally, fact.fields)
      break
    case 'flag_resolved':
      resolveFlag(tally, fact.fields)
      break
    case 'incident':
      countIncident(tally, fact.fields)
      break
    case 'incident_action':
      countAction(tally, fact, fact.fields)
      break
  }
}

/** @param own this box's event file, which decides about the checkpoints that it has; another box's may have more */
function learnPlaces(tally: Tally, { checkpoints }: EventDefinition, own: boolean): void {
  // A checkpoint that has left the event file stays: a passage through it may still be taken back.
  for (const { id, gate, from, to } of checkpoints) {
    if (own || !tally.places.has(id)) tally.places.set(id, { gate, from, to })
  }
}

function countScan(tally: Tally, fact: Fact, scan: EntryFields<'scan'>, replicatedAt: number | null): void {
  addTo(tally.verdicts, scan.verdict, 1)
  const gate = tally.places.get(scan.checkpoint)?.gate
  if (gate !== undefined) {
    const verdicts = tally.gateVerdicts.get(gate) ?? new Map<string, number>()
    tally.gateVerdicts.set(gate, verdicts)
    addTo(verdicts, scan.verdict, 1)
  }
  const at = Date.parse(scan.at)
  const device = deviceTally(tally, { id: scan.device, at, checkpoint: scan.checkpoint, box: fact.box ?? null })
  device.scans++
  device.byHand = device.byHand !== false && isByHand(scan.device_hlc)
  if (replicatedAt !== null && device.lastAt !== at) return
  // An uploaded scan has the reading of when it was made, which is not evidence of the clock now.
  const offsetMs = scan.offline_admitted ? null : deviceOffset(scan.device_hlc, at)
  if (offsetMs !== null) device.offsetMs = offsetMs
}

/** Notes where a device was last active. A supervisor's device may never have scanned: its decision counts as well. */
function deviceTally(
  { devices }: Tally,
  { id, at, checkpoint, box }: Pick<DeviceTally, 'checkpoint' | 'box'> & { id: string; at: number },
): DeviceTally {
  const known = devices.get(id) ?? { scans: 0, offsetMs: null, passages: new Map(), lastAt: 0, checkpoint, box }
  devices.set(id, known)
  // A replicated entry may be older than what is known.
  return box === null || at >= known.lastAt ? Object.assign(known, { lastAt: at, checkpoint, box }) : known
}

function countPassage(tally: Tally, fact: Fact, replicatedAt: number | null): void {
  if (fact.kind === 'undo') tally.undone++
  const passage = passageIn(fact)
  if (!passage) return
  const { checkpoint, direction, people } = passage
  const place = tally.places.get(checkpoint)
  const at = Date.parse(passage.at)
  const times = { at: replicatedAt ?? at, observedAt: Date.parse(passage.observed_at) }
  // In both directions: somebody who goes on into an inner zone leaves the outer one.
  if (place?.from != null) move(tally, place.from, -people, times)
  if (place?.to != null) move(tally, place.to, people, times)
  if (passage.first && passage.tier !== null) addTo(tally.admitted, passage.tier, people)
  if (direction === 'in') tally.admissions += people
  else tally.exits += people
  if (passage.offline) tally.offline += people
  if (passage.supervised) tally.supervised += people
  const { passages } = deviceTally(tally, { id: passage.device, at, checkpoint, box: fact.box ?? null })
  if (people < 0) return
  countMinute(passages, times)
  if (direction === 'out') return
  countMinute(minutesOf(tally.checkpointMinutes, checkpoint), times)
  if (place) countMinute(minutesOf(tally.gateMinutes, place.gate), times)
}

function move(tally: Tally, zone: string, people: number, times: { at: number; observedAt: number }): void {
  addTo(tally.zones, zone, people)
  const steps = tally.zoneSteps.get(zone) ?? new Map<number, number>()
  tally.zoneSteps.set(zone, steps)
  countStep(steps, people, times)
}

function minutesOf(all: Map<string, Minutes>, id: string): Minutes {
  const minutes = all.get(id) ?? new Map<number, number>()
  all.set(id, minutes)
  return minutes
}

type Opened = Pick<EntryFields<'flag'>, 'flag' | 'flag_kind' | 'scans'>

function openFlag(tally: Tally, { flag: id, flag_kind: kind, scans }: Opened): void {
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

/** Counts a resolution by somebody who has seen as many records as the case has. */
function resolveFlag(tally: Tally, resolved: EntryFields<'flag_resolved'>): void {
  const { flag: id, flag_kind, scans } = resolved
  if (scans) openFlag(tally, { flag: id, flag_kind, scans })
  const flag = tally.flags.get(id)
  if (flag && (scans ?? flag.scans).length >= flag.scans.length) setOpen(tally, flag, false)
}

function setOpen({ openFlags, resolvedFlags }: Tally, flag: FlagTally, open: boolean): void {
  if (flag.open === open) return
  flag.open = open
  addTo(openFlags, flag.kind, open ? 1 : -1)
  addTo(resolvedFlags, flag.kind, open ? -1 : 1)
}

function countIncident(tally: Tally, { incident: id, at }: EntryFields<'incident'>): void {
  const incident = incidentOf(tally, id)
  incident.reportedAt = Math.min(incident.reportedAt ?? Number.POSITIVE_INFINITY, Date.parse(at))
}

function countAction(
  tally: Tally,
  { hlc, box = tally.box }: Pick<Fact, 'hlc' | 'box'>,
  { incident: id, action, at }: EntryFields<'incident_action'>,
): void {
  if (!next('open', action)) return
  const incident = incidentOf(tally, id)
  incident.actions.push({ place: `${hlc} ${box}`, action, at: Date.parse(at) })
  incident.actions.sort((a, b) => (a.place < b.place ? -1 : 1))
  Object.assign(incident, { state: 'open', answeredAt: null, resolvedAt: null })
  for (const { action, at } of incident.actions) {
    const to = next(incident.state, action)
    // Two control rooms that could not reach each other: an action that would go back does not count.
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
