/** Counts passages and verdicts for the attendance report. */
import type { EventDefinition } from '../../event/event.ts'
import type { Passage } from '../../rights/passage.ts'
import { hoursOf, quarterOf } from './hours.ts'
import type { CheckpointRow, GateRow, HourRow, Report, TierRow, ZoneRow } from './shape.ts'

type Checkpoint = EventDefinition['checkpoints'][number]
type Totals = Pick<Report, 'people' | 'offline' | 'verdicts' | 'zones' | 'tiers' | 'gates' | 'checkpoints' | 'hours'>

export class PeopleCount {
  readonly #people = { arrived: 0, left: 0, inside: 0, tickets: 0, without_ticket: 0 }
  readonly #offline = { in: 0, out: 0 }
  readonly #verdicts: { [verdict: string]: number } = {}
  /** The zones of each checkpoint, by the last `event` entry. A checkpoint that was removed from the event file keeps its zones. */
  readonly #ways = new Map<string, Checkpoint>()
  readonly #zones = new Map<string, ZoneRow>()
  readonly #tiers = new Map<string, TierRow>()
  readonly #gates = new Map<string, GateRow>()
  readonly #checkpoints = new Map<string, CheckpointRow>()
  /** Assigned to hours at the end, because the last time zone of the event applies to all of them. */
  readonly #quarters = new Map<number, Omit<HourRow, 'from'>>()
  #timezone = 'UTC'

  /**
   * Replaces the event from here on. Earlier counts stay as they are.
   * @param own what another box says of it adds what this one does not know, and changes nothing
   */
  define({ timezone, zones, tiers, gates, checkpoints }: EventDefinition, own = true): void {
    if (own) this.#timezone = timezone
    for (const { id, name, capacity } of zones) {
      put(this.#zones, { id, name, capacity, in: 0, out: 0, inside: 0 }, own && { name, capacity })
    }
    for (const { id, name } of tiers) put(this.#tiers, { id, name, tickets: 0, admissions: 0 }, own && { name })
    for (const { id, name } of gates) put(this.#gates, { id, name, in: 0, out: 0, verdicts: {} }, own && { name })
    for (const checkpoint of checkpoints) {
      const { id, name, gate, direction } = checkpoint
      if (own || !this.#ways.has(id)) this.#ways.set(id, checkpoint)
      const fresh = { id, name, gate, direction, people: 0, verdicts: {} }
      put(this.#checkpoints, fresh, own && { name, gate, direction })
    }
  }

  answer(checkpoint: string, verdict: string): void {
    const gate = this.#gates.get(this.#wayOf(checkpoint).gate)
    for (const counts of [this.#verdicts, this.#checkpoints.get(checkpoint)?.verdicts, gate?.verdicts]) {
      if (counts) counts[verdict] = (counts[verdict] ?? 0) + 1
    }
  }

  pass({ checkpoint, direction, people, ticket, tier, first, observed_at, offline }: Passage): void {
    const { gate, from, to } = this.#wayOf(checkpoint)
    this.#move(from, 'out', people)
    this.#move(to, 'in', people)
    if (offline) this.#offline[direction] += people
    if (ticket === null) this.#people.without_ticket += people
    const atGate = this.#gates.get(gate)
    if (atGate) atGate[direction] += people
    const atCheckpoint = this.#checkpoints.get(checkpoint)
    if (atCheckpoint) atCheckpoint.people += people
    const quarter = this.#quarter(observed_at)
    quarter[direction] += people
    const ofTier = this.#tiers.get(tier ?? '')
    if (ofTier && direction === 'in') ofTier.admissions += people
    if (!first) return
    this.#people.tickets += people
    quarter.tickets += people
    if (ofTier) ofTier.tickets += people
  }

  totals(): Totals {
    return {
      people: { ...this.#people },
      offline: { ...this.#offline },
      verdicts: { ...this.#verdicts },
      zones: [...this.#zones.values()],
      tiers: [...this.#tiers.values()],
      gates: [...this.#gates.values()],
      checkpoints: [...this.#checkpoints.values()],
      hours: this.#hours(),
    }
  }

  #wayOf(checkpoint: string): Checkpoint {
    const way = this.#ways.get(checkpoint)
    if (!way) throw new Error(`The journal names a checkpoint before the event that has it: ${checkpoint}.`)
    return way
  }

  #move(zone: string | null, to: 'in' | 'out', people: number): void {
    const row = zone === null ? undefined : this.#zones.get(zone)
    if (row) {
      row[to] += people
      row.inside = row.in - row.out
      return
    }
    // An entry from no zone is an arrival, and an exit to no zone is a departure.
    this.#people[to === 'in' ? 'left' : 'arrived'] += people
    this.#people.inside = this.#people.arrived - this.#people.left
  }

  #quarter(at: string): Omit<HourRow, 'from'> {
    const quarter = quarterOf(Date.parse(at))
    const totals = this.#quarters.get(quarter) ?? { in: 0, out: 0, tickets: 0 }
    this.#quarters.set(quarter, totals)
    return totals
  }

  #hours(): HourRow[] {
    const hourOf = hoursOf(this.#timezone)
    const rows = new Map<string, HourRow>()
    for (const [quarter, totals] of [...this.#quarters].sort(([a], [b]) => a - b)) {
      const from = hourOf(quarter)
      const row = rows.get(from) ?? { from, in: 0, out: 0, tickets: 0 }
      row.in += totals.in
      row.out += totals.out
      row.tickets += totals.tickets
      rows.set(from, row)
    }
    return [...rows.values()]
  }
}

/** @param latest what a row that is there becomes; false to leave it as it is */
function put<T extends { id: string }>(rows: Map<string, T>, fresh: T, latest: Partial<T> | false): void {
  const there = rows.get(fresh.id)
  if (!there) rows.set(fresh.id, fresh)
  else if (latest) Object.assign(there, latest)
}
