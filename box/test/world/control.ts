/** The control room of a desk: incidents by function call, with occupancy and rates as the test sets them. */
import { randomBytes } from 'node:crypto'
import type { Incident, IncidentActionRequest, IncidentReport } from '@gatehouse/proto/wire/incidents.ts'
import { Lanes } from '../../src/gates/lanes.ts'
import { act, type IncidentDeps, report } from '../../src/incidents/incidents.ts'
import { Desk } from './desk.ts'

export class Control implements Disposable {
  readonly desk: Desk
  readonly lanes: Lanes
  readonly occupancy = new Map<string, number>()
  readonly rates = new Map<string, number>()

  constructor(desk: Desk) {
    this.desk = desk
    this.lanes = new Lanes({ ledger: desk.deps.ledger, now: () => desk.now })
  }

  /** @param options.now unix ms */
  static async open(options: { now: number }): Promise<Control> {
    return new Control(await Desk.open(options))
  }

  get deps(): IncidentDeps {
    return {
      event: this.desk.event,
      ledger: this.desk.deps.ledger,
      lanes: this.lanes,
      random: randomBytes,
      rateOf: (gate) => this.rates.get(gate) ?? 0,
      occupancyOf: (zone) => this.occupancy.get(zone) ?? null,
      now: () => this.desk.now,
    }
  }

  /** Reports as a device that is paired for every checkpoint. */
  report(more: Partial<IncidentReport> = {}, device = 'd'): Promise<{ incident: Incident; isNew: boolean }> {
    const what = { incident_id: 'i-1', kind: 'medical', checkpoint: 'a-in' } as const
    const observed_at = new Date(this.desk.now).toISOString()
    return report({ ...what, observed_at, ...more }, this.desk.device(device), this.deps)
  }

  act(id: string, request: Partial<IncidentActionRequest> & Pick<IncidentActionRequest, 'action'>): Promise<Incident> {
    return act(id, { actor: 'Rui', address: 'x', ...request }, this.deps)
  }

  [Symbol.dispose](): void {
    this.desk[Symbol.dispose]()
  }
}
