/**
 * `GET /v1/stream`: what happens at other gates, to every scanner. Each event is a journal entry in another form, and its
 * id the entry's index, so that a reader who comes back is told exactly what it missed. What has no id is no place to come
 * back to: an emergency that overtook others, an alert, and how things stand at the beginning of a connection.
 */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { Redemption } from '@gatehouse/proto/wire/device.ts'
import type { HoldEvent, Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { FastifyReply } from 'fastify'
import { announcementAt, currentAnnouncements } from '../announcements/announcements.ts'
import type { Mode } from '../control/mode.ts'
import { type Event, localDay } from '../event/event.ts'
import { EventStreams, type Frame, frame, placed, urgentFirst } from '../http/sse.ts'
import { incidentAt, standingEmergencies } from '../incidents/board.ts'
import type { HoldEntry, HoldReleasedEntry, IncidentActionEntry, IncidentEntry } from '../incidents/entry.ts'
import { type Holds, holdOf } from '../incidents/holds.ts'
import { isStanding } from '../incidents/incident.ts'
import type { Entry, EntryKind, Ledger } from '../ledger/ledger.ts'
import { type Fact, type HeardEntry, heardIn } from '../mesh/facts.ts'
import type { Unheard } from '../mesh/mode/words.ts'
import { changesOf } from '../tickets/kinds.ts'
import { printedOpens } from '../tickets/printed-code.ts'
import { changesTickets, type Redeemed } from '../tickets/redeemed.ts'
import type { PrintedOpens, Tickets } from '../tickets/tickets.ts'
import type { StoredScanEntry } from './entry.ts'
import type { ScanningDevice } from './redeem.ts'
import { rightToEnter } from './right-to-enter.ts'

/** What a redemption is told from: a scan, a supervisor's admission, or an undo, which names no code. */
type Told = Pick<StoredScanEntry, 'ticket' | 'slot' | 'checkpoint' | 'direction' | 'occurrence' | 'hlc'> &
  Partial<Pick<StoredScanEntry, 'code' | 'confidence'>>

interface ModeEntry {
  mode: Mode
  reason: string
}

/** Further behind than this, the manifest is the shorter way. */
const MAX_REPLAY = 5_000

export interface StreamDeps {
  event: Event
  ledger: Ledger
  tickets: Tickets
  redeemed: Redeemed
  holds: Holds
  incarnation: string
  /** Boxes that this one does not hear now, and for how long; undefined for a box alone. */
  unheard: () => readonly Unheard[] | undefined
  /** Unix ms. */
  now: () => number
}

export class DeviceStreams {
  readonly #deps: StreamDeps
  readonly #printedOpens: PrintedOpens
  readonly #streams = new EventStreams()

  constructor(deps: StreamDeps) {
    this.#deps = deps
    this.#printedOpens = printedOpens(deps.event)
    deps.ledger.subscribe((entries) => {
      if (this.#streams.size === 0) return
      for (const next of urgentFirst([...this.#framesOf(entries)])) this.#streams.send(next)
    })
  }

  /** @param lastEventId the position that the reader has, as it was sent; undefined for a first reading */
  open(reply: FastifyReply, device: ScanningDevice, lastEventId: string | undefined): void {
    const frames = [...this.#standing(), ...this.#missed(lastEventId)]
    this.#streams.open(reply, device.id, frames, this.#groupsOf(device))
  }

  /** Tells whom an incident concerns, now: one that nobody has acknowledged is said again. */
  tell(incident: Incident): void {
    this.#streams.send(incidentFrame(incident))
  }

  /** Tells everybody who is heard, now: that changes without the mode. */
  tellMode(mode: { mode: Mode; reason: string; hlc: string }): void {
    if (this.#streams.size > 0) this.#streams.send(this.#modeFrame(mode))
  }

  close(deviceId: string): void {
    this.#streams.close(deviceId)
  }

  [Symbol.dispose](): void {
    this.#streams[Symbol.dispose]()
  }

  /** What must not wait until it happens again: emergencies first, then which gates are on hold. */
  *#standing(): Generator<Frame> {
    for (const incident of standingEmergencies(this.#deps)) yield incidentFrame(incident)
    for (const announcement of currentAnnouncements(this.#deps)) {
      if (announcement.severity === 'emergency') yield announcementFrame(announcement)
    }
    for (const hold of this.#deps.holds.current()) {
      const { entry } = hold
      const { hlc } = this.#deps.ledger.read(entry, 1)[0] ?? { hlc: '' }
      yield holdFrame({ ...holdOf(hold), held: true, hlc, version: entry + 1 })
    }
  }

  /** A device hears of the gates that it stands at, and of the zones on either side of them. */
  #groupsOf({ checkpoints }: ScanningDevice): Set<string> {
    const own = this.#deps.event.checkpoints.filter(({ id }) => checkpoints.has(id))
    return new Set(own.flatMap(({ gate, from, to }) => [atGate(gate), inZone(from), inZone(to)]))
  }

  #missed(lastEventId: string | undefined): Frame[] {
    const { ledger, incarnation } = this.#deps
    if (lastEventId === undefined) return []
    const [, life, index] = /^(\w+)-(\d{1,15})$/.exec(lastEventId) ?? []
    const next = Number(index) + 1
    if (life !== incarnation || !(next <= ledger.size) || ledger.size - next > MAX_REPLAY) return [this.#gap()]
    // Not what another process has just written beside us: that is published to every reader in a moment.
    try {
      const missed = ledger.read(next, ledger.size - next)
      return factsOf(missed) > MAX_REPLAY ? [this.#gap()] : [...this.#framesOf(missed)]
    } catch (error) {
      // An entry that somebody has damaged must not keep a scanner off the stream for good.
      if (!(error instanceof SyntaxError)) throw error
      return [this.#gap()]
    }
  }

  /** The position asked for is gone: whoever reads this fetches the manifest again. */
  #gap(): Frame {
    const { ledger } = this.#deps
    return frame({ id: this.#idOf(ledger.size - 1), event: 'gap', data: { version: ledger.size } })
  }

  #idOf(index: number): string {
    return `${this.#deps.incarnation}-${index}`
  }

  *#framesOf(entries: Iterable<Entry>): Generator<Frame> {
    for (const entry of entries) {
      const id = this.#idOf(entry.index)
      const frames = [...(entry.kind === 'heard' ? this.#framesOfHeard(entry) : this.#framesOfFact(entry))]
      // Only the last one is a place to come back to: whoever breaks off before it is told all of the entry again.
      for (const [i, next] of frames.entries()) yield i === frames.length - 1 ? placed(next, id) : next
    }
  }

  /** What happened at another box, in the same words. */
  *#framesOfHeard(entry: Entry): Generator<Frame> {
    const facts = [...heardIn(this.#deps.ledger.db, entry)]
    // What this box goes by is its own affair, and so is whether its tickets have changed.
    for (const fact of facts) if (!OWN.has(fact.kind)) yield* this.#framesOfFact(fact)
    const isTold = facts.some(({ kind }) => ONE_TICKET.has(kind)) && !facts.some(({ kind }) => OWN.has(kind))
    if (changesTickets(entry) && !isTold) yield this.#ticketsFrame(entry)
  }

  *#framesOfFact(entry: Fact): Generator<Frame> {
    switch (entry.kind) {
      case 'scan': {
        const scan = entry.fields as StoredScanEntry
        const redemption = this.#redemption(scan)
        if (redemption) yield frame({ event: 'redemption', data: redemption, from: scan.device })
        break
      }
      // Also to the device that did it: what it did was about a scan, and the code may have been read by another.
      case 'supervisor_admit':
      case 'undo': {
        const redemption = this.#redemption(entry.fields as Told)
        if (redemption) yield frame({ event: 'redemption', data: redemption })
        break
      }
      case 'ticket_revoked':
        yield frame({
          event: 'revocation',
          data: { code_hashes: this.#codeHashes(ticketOf(entry)), hlc: entry.hlc, version: entry.index + 1 },
        })
        break
      case 'claim':
      case 'release':
      case 'ticket_reinstated':
        yield frame({ event: 'ticket', data: this.#rekeyed(ticketOf(entry), entry) })
        break
      case 'import':
      case 'shop':
        yield this.#ticketsFrame(entry)
        break
      case 'announcement': {
        const announcement = announcementAt(this.#deps, (entry.fields as { id: string }).id)
        if (announcement) yield announcementFrame(announcement)
        break
      }
      case 'incident':
      case 'incident_action': {
        // As it stands now: whoever comes back late is not told of an emergency that is over as if it were not.
        const { incident: incidentId } = entry.fields as IncidentEntry | IncidentActionEntry
        const incident = incidentAt(incidentId, this.#deps)
        if (incident) yield incidentFrame(incident)
        break
      }
      case 'hold':
      case 'hold_released': {
        const { gate, reason, expires_at = null } = entry.fields as HoldReleasedEntry & Partial<HoldEntry>
        const at = { hlc: entry.hlc, version: entry.index + 1 }
        // Two boxes that did not hear each other may have held it, and only one of them has let go.
        const still = entry.kind === 'hold_released' ? this.#deps.holds.on(gate) : undefined
        if (still) yield holdFrame({ ...holdOf(still), ...at, held: true })
        else yield holdFrame({ ...at, gate, held: entry.kind === 'hold', reason, expires_at })
        break
      }
      case 'mode':
        yield this.#modeFrame({ ...(entry.fields as ModeEntry), hlc: entry.hlc })
        break
    }
  }

  /** Too many to name one by one: the delta since the reader's version has them. */
  #ticketsFrame({ index, hlc }: Entry): Frame {
    return frame({ event: 'ticket', data: { version: index + 1, hlc } })
  }

  #modeFrame({ mode, reason, hlc }: ModeEntry & { hlc: string }): Frame {
    const unheard = this.#deps.unheard()?.map(({ name, ms }) => ({ name, seconds: ms && Math.floor(ms / 1000) }))
    return frame({ event: 'mode', data: { mode, hlc, ...(unheard && { reason, unheard }) } })
  }

  /** A ticket's codes have changed: which open it now, which no longer do, and where they are used up. */
  #rekeyed(ref: string, entry: Entry) {
    const ticket = this.#deps.tickets.byRef(ref)
    const codes = ticket ? this.#deps.tickets.codesOf(ticket, this.#printedOpens) : []
    return {
      version: entry.index + 1,
      hlc: entry.hlc,
      ...changesOf(codes),
      redeemed: this.#deps.redeemed.standing(ref),
    }
  }

  #redemption(scan: Told): Redemption | undefined {
    if (scan.ticket === null || scan.slot === null) return undefined
    const { event, tickets, now } = this.#deps
    const ticket = tickets.byRef(scan.ticket)
    const policy = event.tierById.get(ticket?.tier ?? '')?.entry ?? 'once'
    const checkpoint = event.checkpointById.get(scan.checkpoint)
    const zone = (scan.direction === 'in' ? checkpoint?.to : checkpoint?.from) ?? null
    const movements = ticket ? tickets.movementsOf(ticket.id) : []
    // As it stands now: a passage of yesterday, or one that an exit has followed, uses nothing up.
    const { usedUpBy } = rightToEnter({ zone: zone ?? '', day: localDay(event, now()), movements }, policy)
    return {
      code_hash: scan.code == null ? null : toBase64(Buffer.from(scan.code, 'hex')),
      code_hashes: ticket ? tickets.codeHashesOf(ticket.id).map(toBase64) : [],
      checkpoint: scan.checkpoint,
      direction: scan.direction,
      zone,
      used: usedUpBy !== undefined,
      occurrence: scan.occurrence ?? 0,
      hlc: scan.hlc,
      provisional: scan.confidence === 'provisional',
    }
  }

  #codeHashes(ref: string): string[] {
    const ticket = this.#deps.tickets.byRef(ref)
    return ticket ? this.#deps.tickets.codeHashesOf(ticket.id).map(toBase64) : []
  }
}

const ticketOf = ({ fields }: Entry) => (fields as { ticket: string }).ticket
const atGate = (gate: string) => `gate:${gate}`
const inZone = (zone: string | null) => `zone:${zone ?? ''}`

/** Of another box, nothing that this one's scanners go by; imports are told as changes of tickets. */
const OWN: ReadonlySet<EntryKind> = new Set(['mode', 'import', 'shop', 'heard'])
const ONE_TICKET: ReadonlySet<EntryKind> = new Set(['claim', 'release', 'ticket_revoked', 'ticket_reinstated'])

/** How much there is to tell, heard from others or not. */
function factsOf(entries: readonly Entry[]): number {
  const of = ({ kind, fields }: Entry) => {
    const { from, to } = fields as HeardEntry
    return kind === 'heard' ? to - from : 1
  }
  return entries.reduce((sum, entry) => sum + of(entry), 0)
}

function incidentFrame(incident: Incident): Frame {
  const { emergency, gate, state } = incident
  const to = emergency ? null : [atGate(gate)]
  return frame({ event: 'incident', data: incident, to, urgent: emergency && isStanding(state) })
}

function announcementFrame(announcement: Announcement): Frame {
  const { severity, zones } = announcement
  const urgent = severity === 'emergency'
  const to = urgent || !zones ? null : zones.map(inZone)
  return frame({ event: 'announcement', data: announcement, to, urgent })
}

/** To every gate: the others get the people whom this one sends away. */
function holdFrame(hold: HoldEvent): Frame {
  return frame({ event: 'hold', data: hold })
}
