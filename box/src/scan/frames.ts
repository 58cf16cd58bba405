/** Turns journal entries, of this box and of others, into the events of `GET /v1/stream`. */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { Redemption, SignOnEvent } from '@gatehouse/proto/wire/device.ts'
import type { HoldEvent, Incident } from '@gatehouse/proto/wire/incidents.ts'
import { currentAnnouncements, findAnnouncement } from '../announcements/announcements.ts'
import { type Event, localDay } from '../event/event.ts'
import { type Holds, holdOf } from '../gates/holds.ts'
import { type Frame, frame, placed } from '../http/sse.ts'
import { activeEmergencies, findIncident } from '../incidents/board.ts'
import { isActive } from '../incidents/incident.ts'
import type { Entry, EntryFields, EntryKind, EntryOf } from '../ledger/entries.ts'
import { type Fact, replicatedIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { UnreachablePeer } from '../rights/mode.ts'
import { rightToEnter } from '../rights/right-to-enter.ts'
import { type SignOns, wireSignOn } from '../staff/sign-ons.ts'
import { changesManyTickets, changesOneTicket } from '../tickets/changed-by.ts'
import { codeChanges } from '../tickets/kind-table.ts'
import { printedOpens } from '../tickets/printed-code.ts'
import type { Redeemed } from '../tickets/redeemed.ts'
import type { Tickets } from '../tickets/tickets.ts'
import { changesTickets } from '../tickets/used-on-day.ts'

export interface FrameDeps {
  event: Event
  ledger: Ledger
  tickets: Tickets
  redeemed: Redeemed
  holds: Holds
  incarnation: string
  /** Boxes with gates that do not answer now, and for how long; undefined for a box alone. */
  unreachable: () => readonly UnreachablePeer[] | undefined
  /** Unix ms. */
  now: () => number
  signOns: Pick<SignOns, 'at' | 'ruleFor'>
}

/** The id of an event: the position that a reader sends as `Last-Event-ID` to go on after it. */
export function positionOf(index: number, { incarnation }: Pick<FrameDeps, 'incarnation'>): string {
  return `${incarnation}-${index}`
}

/** The events that a new reader needs before the next entry: emergencies first, then the gates on hold. */
export function* currentState(deps: FrameDeps): Generator<Frame> {
  for (const incident of activeEmergencies(deps)) yield incidentFrame(incident)
  for (const announcement of currentAnnouncements(deps)) {
    if (announcement.severity === 'emergency') yield announcementFrame(announcement)
  }
  for (const hold of deps.holds.current()) {
    const { entry } = hold
    const { hlc } = deps.ledger.read(entry, 1)[0] ?? { hlc: '' }
    yield holdFrame({ ...holdOf(hold), held: true, hlc, version: entry + 1 })
  }
}

export function* framesOf(entries: Iterable<Entry>, deps: FrameDeps): Generator<Frame> {
  for (const entry of entries) {
    const frames = [...(entry.kind === 'heard' ? replicatedFrames(entry, deps) : factFrames(entry, deps))]
    // Only the last frame carries the id: a reader that breaks off before it receives all of the entry again.
    const id = positionOf(entry.index, deps)
    for (const [i, next] of frames.entries()) yield i === frames.length - 1 ? placed(next, id) : next
  }
}

/** Events for entries of another box: the same as for entries of this one. */
function* replicatedFrames(entry: EntryOf<'heard'>, deps: FrameDeps): Generator<Frame> {
  const facts = [...replicatedIn(deps.ledger.db, entry)]
  for (const fact of facts) if (!isOwn(fact.kind)) yield* factFrames(fact, deps)
  const isComplete = facts.some(({ kind }) => changesOneTicket(kind)) && !facts.some(({ kind }) => isOwn(kind))
  if (changesTickets(entry) && !isComplete) yield ticketsFrame(entry)
}

/** Kinds that concern the scanners of their own box alone. Another box's imports are sent as changed tickets. */
const isOwn = (kind: EntryKind) => kind === 'mode' || changesManyTickets(kind)

function* factFrames(entry: Fact, deps: FrameDeps): Generator<Frame> {
  switch (entry.kind) {
    case 'scan': {
      const redemption = redemptionOf(entry.fields, deps)
      if (redemption) yield frame({ event: 'redemption', data: redemption, from: entry.fields.device })
      break
    }
    // Also to the device that decided it: another one may have read the code.
    case 'supervisor_admit':
    case 'undo': {
      const redemption = redemptionOf(entry.fields, deps)
      if (redemption) yield frame({ event: 'redemption', data: redemption })
      break
    }
    case 'ticket_revoked': {
      const ticket = deps.tickets.byRef(entry.fields.ticket)
      const code_hashes = ticket ? codeHashesOf(ticket.id, deps) : []
      yield frame({ event: 'revocation', data: { code_hashes, hlc: entry.hlc, version: entry.index + 1 } })
      break
    }
    case 'claim':
    case 'release':
    case 'ticket_reinstated':
    case 'ticket_reissued':
      yield frame({ event: 'ticket', data: changedCodes(entry.fields.ticket, entry, deps) })
      break
    case 'import':
    case 'sale':
    case 'shop':
      yield ticketsFrame(entry)
      break
    case 'announcement': {
      const announcement = findAnnouncement(deps, entry.fields.id)
      if (announcement) yield announcementFrame(announcement)
      break
    }
    case 'incident':
    case 'incident_action':
    case 'incident_note': {
      // The incident of now, and not of the entry: a reader that comes back late gets no emergency that is over.
      const incident = findIncident(entry.fields.incident, deps)
      if (incident) yield incidentFrame(incident)
      break
    }
    case 'hold':
    case 'hold_released':
      yield holdFrame(holdEventOf(entry, deps))
      break
    case 'mode':
      yield modeFrame(entry.fields, deps)
      break
    // No scanner decides anything by these.
    case 'admin_token':
    case 'answers':
    case 'api_token':
    case 'backup':
    case 'clock_fence':
    case 'clock_set':
    case 'cosign':
    case 'device_revoked':
    case 'enrolment':
    case 'erasure':
    case 'event':
    case 'event_edited':
    case 'export':
    case 'flag':
    case 'flag_resolved':
    case 'heard':
    case 'invite':
    case 'look_up':
    case 'mesh':
    case 'paper':
    case 'passkey':
    case 'rehearsal':
    case 'restart':
    case 'restore':
    case 'rollback':
    case 'seal':
    case 'session':
    case 'shop_certificate':
    case 'shop_certificate_revoked':
    case 'staff':
    case 'ticket_edited':
    case 'ticket_forgotten':
    case 'update':
      break
    default:
      // A new kind has to be decided about here; what a newer box has written is not for this version.
      entry satisfies never
  }
}

function holdEventOf(
  { kind, fields, hlc, index }: EntryOf<'hold'> | EntryOf<'hold_released'>,
  { holds }: FrameDeps,
): HoldEvent {
  const { gate, reason } = fields
  const at = { hlc, version: index + 1 }
  if (kind === 'hold') return { ...at, gate, held: true, reason, expires_at: fields.expires_at }
  // Two boxes may have held the gate while they could not reach each other: the other hold is still in force.
  const still = holds.on(gate)
  return still ? { ...holdOf(still), ...at, held: true } : { ...at, gate, held: false, reason, expires_at: null }
}

/** Too many tickets to name one by one: the delta since the reader's version has them. */
function ticketsFrame({ index, hlc }: Entry): Frame {
  return frame({ event: 'ticket', data: { version: index + 1, hlc } })
}

export function modeFrame(
  { mode, reason, hlc }: Pick<EntryFields<'mode'>, 'mode' | 'reason' | 'hlc'>,
  { unreachable }: FrameDeps,
): Frame {
  const unheard = unreachable()?.map(({ name, ms }) => ({ name, seconds: ms && Math.floor(ms / 1000) }))
  return frame({ event: 'mode', data: { mode, hlc, ...(unheard && { reason, unheard }) } })
}

/** A ticket's codes have changed: which open it now, which no longer do, and where they are used up. */
function changedCodes(ref: string, entry: Entry, { event, tickets, redeemed }: FrameDeps) {
  const ticket = tickets.byRef(ref)
  const codes = ticket ? tickets.pages.codesOf(ticket, printedOpens(event)) : []
  return {
    version: entry.index + 1,
    hlc: entry.hlc,
    ...codeChanges(codes),
    redeemed: redeemed.usedUp(ref),
  }
}

/** @returns undefined for a scan that let nobody pass. An undo names no code and has no confidence. */
function redemptionOf(
  fields: EntryFields<'scan' | 'supervisor_admit' | 'undo'>,
  deps: FrameDeps,
): Redemption | undefined {
  if (fields.ticket === null || fields.slot === null) return undefined
  const { event, tickets, now } = deps
  const code = 'code' in fields ? fields.code : null
  const ticket = tickets.byRef(fields.ticket)
  const policy = event.tierById.get(ticket?.tier ?? '')?.entry ?? 'once'
  const checkpoint = event.checkpointById.get(fields.checkpoint)
  const zone = (fields.direction === 'in' ? checkpoint?.to : checkpoint?.from) ?? null
  const movements = ticket ? tickets.movementsOf(ticket.id) : []
  // By the movements of now: a passage of yesterday, or one that an exit has followed, uses nothing up.
  const { usedUpBy } = rightToEnter({ zone: zone ?? '', day: localDay(event, now()), movements }, policy)
  return {
    code_hash: code === null ? null : toBase64(Buffer.from(code, 'hex')),
    code_hashes: ticket ? codeHashesOf(ticket.id, deps) : [],
    checkpoint: fields.checkpoint,
    direction: fields.direction,
    zone,
    used: usedUpBy !== undefined,
    occurrence: fields.occurrence ?? 0,
    hlc: fields.hlc,
    provisional: 'confidence' in fields && fields.confidence === 'provisional',
  }
}

function codeHashesOf(ticket: number, { tickets }: FrameDeps): string[] {
  return tickets.codeHashesOf(ticket).map(toBase64)
}

/** To the incident's gate; an emergency to every gate. */
export function incidentFrame(incident: Incident): Frame {
  const { emergency, gate, state } = incident
  const to = emergency ? null : [atGate(gate)]
  return frame({ event: 'incident', data: incident, to, urgent: emergency && isActive(state) })
}

function announcementFrame(announcement: Announcement): Frame {
  const { severity, zones } = announcement
  const urgent = severity === 'emergency'
  const to = urgent || !zones ? null : zones.map(inZone)
  return frame({ event: 'announcement', data: announcement, to, urgent })
}

/** To every gate: people who are turned away at this one come to the others. */
function holdFrame(hold: HoldEvent): Frame {
  return frame({ event: 'hold', data: hold })
}

/** The person signed on at a scanner, for that scanner alone. */
export function signOnFrame(device: string, { signOns }: Pick<FrameDeps, 'signOns'>): Frame {
  const at = signOns.at(device)
  const data: SignOnEvent = { signed_on: at ? wireSignOn(at) : null }
  return frame({ event: 'sign_on', data, to: [toDevice(device)] })
}

/** The groups of readers that a frame may be addressed to. */
export const toDevice = (id: string) => `device:${id}`
export const atGate = (gate: string) => `gate:${gate}`
export const inZone = (zone: string | null) => `zone:${zone ?? ''}`
