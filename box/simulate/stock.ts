/** The tickets of a simulation: made up, or read from a file with tickets that the box has. */
import { parse } from 'csv-parse/sync'
import type { Chance } from './random.ts'
import type { Site } from './site.ts'

export type Standing = 'valid' | 'pending' | 'blocked' | 'revoked' | 'future'

export interface StockTicket {
  code: string
  tier: string
  standing: Standing
}

const HEADER = 'code,tier,seat,holder_name,email,valid_from,valid_until,status'
const MONTH_MS = 30 * 86_400_000

/** As many valid tickets as an hour with `admissions` may need, and some of every other standing. */
export function madeUpTickets(options: { site: Site; admissions: number; tag: string; chance: Chance }): StockTicket[] {
  const { site, admissions, tag, chance } = options
  const served = site.tiers.filter(({ id }) =>
    site.posts.some(({ direction, tiers }) => direction === 'in' && tiers.includes(id)),
  )
  const once = served.filter(({ entry }) => entry === 'once')
  const tickets: StockTicket[] = []
  const add = (count: number, standing: Standing) => {
    for (let i = 0; i < count; i++) {
      // Most people have the most common tier.
      const tier = (chance.happens(0.7) && chance.one(once)) || chance.one(served)
      if (tier) tickets.push({ code: `SIM-${tag}-${String(tickets.length).padStart(6, '0')}`, tier: tier.id, standing })
    }
  }
  add(admissions + 100, 'valid')
  for (const standing of ['pending', 'blocked', 'revoked', 'future'] as const)
    add(Math.ceil(admissions / 200) + 3, standing)
  return tickets
}

/** The file to import them with. @param now unix ms */
export function csvOf(tickets: readonly StockTicket[], now: number): string {
  const from = new Date(now + MONTH_MS).toISOString()
  const rows = tickets.map(({ code, tier, standing }) =>
    standing === 'future' ? `${code},${tier},,,,${from},,valid` : `${code},${tier},,,,,,${standing}`,
  )
  return `${[HEADER, ...rows].join('\n')}\n`
}

/** Reads tickets in the form of `box/demo/tickets.csv`. @param now unix ms */
export function ticketsIn(csv: string, now: number): StockTicket[] {
  const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true, skip_empty_lines: true })
  return rows.flatMap(({ code = '', tier = '', status = '', valid_from = '', valid_until = '' }) => {
    if (code === '' || Date.parse(valid_until) < now) return []
    const standing = status === '' || status === 'valid' ? 'valid' : status
    if (!['valid', 'pending', 'blocked', 'revoked'].includes(standing)) return []
    const isFuture = standing === 'valid' && Date.parse(valid_from) > now
    return [{ code, tier, standing: isFuture ? 'future' : (standing as Standing) }]
  })
}
