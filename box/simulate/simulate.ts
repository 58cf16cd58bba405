/** Simulates an hour of an event against a running box: makes tickets and a plan, carries it out, and compares the counts. */
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { differences, flaggedAt } from './check.ts'
import type { Made } from './made.ts'
import { planHour } from './plan.ts'
import { chance } from './random.ts'
import { carryOut, type RunOptions } from './run.ts'
import { answered } from './scanner.ts'
import { entrances, siteOf } from './site.ts'
import { csvOf, madeUpTickets, type StockTicket } from './stock.ts'

export interface SimulationOptions extends RunOptions {
  devices: number
  admissions: number
  seed: number
  /** Tickets that are on the box already; made up and imported when absent. */
  tickets?: readonly StockTicket[]
  /** Part of every made-up code: a different one for each run on the same box. */
  tag: string
  /** Sends the file with made-up tickets to the box. */
  importFile: (csv: string) => Promise<void>
}

export interface Outcome {
  made: Made
  before: Stats
  after: Stats
  /** Counts of the box that differ from the simulation's; empty when all is well. */
  differences: string[]
  /** Duration of the run. */
  seconds: number
}

/** @throws Error that says what is missing, where nothing can be simulated */
export async function simulate(options: SimulationOptions): Promise<Outcome> {
  const { admin, devices, admissions, seed, tag, ticketIdOf } = options
  const statsNow = () => answered(() => admin.GET('/v1/admin/stats'))
  const site = siteOf(await statsNow(), Date.now())
  if (entrances(site).length === 0) throw new Error('No entrance of this event is open now: there is nobody to let in.')
  const made = options.tickets ?? madeUpTickets({ site, admissions, tag, chance: chance(seed + 1) })
  if (!options.tickets) await options.importFile(csvOf(made, Date.now()))
  const once = new Set(site.tiers.filter(({ entry }) => entry === 'once').map(({ id }) => id))
  const phones = made
    .filter(({ code, tier, standing }) => standing === 'valid' && once.has(tier) && ticketIdOf?.(code) !== undefined)
    .slice(0, Math.ceil(admissions / 100))
    .map(({ code }) => code)
  // Tickets whose old codes are shown are used for nothing else.
  const others = made.filter(({ code }) => !phones.includes(code))
  const plan = planHour({ site, tickets: others, devices, admissions, seed, phones })

  const before = await statsNow()
  const started = performance.now()
  const making = await carryOut(plan, options)
  const seconds = (performance.now() - started) / 1000
  const after = await statsNow()
  return {
    made: making.made,
    before,
    after,
    seconds,
    differences: differences(making.made, before, after, await flaggedAt(admin)),
  }
}
