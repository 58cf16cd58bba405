/** Reads every order of pretix and compares it with the box's tickets, without writing: the report that imports have. */
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { CodeReader } from '../../tickets/codes.ts'
import type { Tickets } from '../../tickets/tickets.ts'
import type { Page, PretixApi, Query } from './api.ts'
import { eventPath } from './connection.ts'
import { PretixError } from './errors.ts'
import { backoffOf } from './next-step.ts'
import { type ReadingDeps, readOrders } from './read-orders.ts'
import { QUERY, testMode } from './runs.ts'

const MOST_NAMED = 1_000

export interface RehearsalDeps extends ReadingDeps {
  api: PretixApi
  names: { organizer: string; event: string }
  /** Undefined where there is no ledger yet: everything would be added. */
  known: { tickets: Tickets; codes: CodeReader } | undefined
  /** Called with orders that were read, of how many. */
  onProgress?: (read: number, of: number) => void
}

/** @throws PretixError */
export async function rehearse({ api, names, known, onProgress, ...reading }: RehearsalDeps): Promise<ImportReport> {
  const report = { read: 0, added: 0, changed: 0, unchanged: 0 }
  const rejected: ImportReport['rejected'] = []
  const warned = new Map<string, NonNullable<ImportReport['warned']>[number]>()
  let [orders, row] = [0, 0]
  const query = { ...QUERY, ...testMode(reading.shop), ordering: 'datetime' }
  for await (const page of patientPages(api, `${eventPath(names)}orders/`, query)) {
    const read = readOrders(page.results, reading)
    // Numbers of rows begin anew with each page.
    for (const warning of read.warned)
      if (warned.size < MOST_NAMED) warned.set(warning.text, { ...warning, rows: [], count: 0 })
    for (const position of read.orders.flatMap(({ positions }) => positions)) {
      row++
      if (position.is === 'none') continue
      report.read++
      if (position.is === 'ticket') report[compare(position, known)]++
      else if (rejected.length < MOST_NAMED) {
        const { reason } = position.problem
        rejected.push({ row, reason: `order ${position.image.order}: ${reason}` })
      }
    }
    orders += read.orders.length
    onProgress?.(orders, page.count ?? orders)
  }
  return {
    format: 'pretix',
    dry_run: true,
    ...report,
    rejected,
    warnings: [...warned.keys()],
    warned: [...warned.values()],
  }
}

/** In a row: a shop that is away for longer is away. */
const MOST_FAILURES = 6

/** Every page, although pretix asks for fewer requests meanwhile, or does not answer one: hosted, 18,000 orders are a minute's requests. */
async function* patientPages(api: PretixApi, path: string, query: Query): AsyncGenerator<Page> {
  let failures = 0
  for (let from: number | undefined = 1; from !== undefined; ) {
    try {
      for await (const page of api.pages(path, query, from)) {
        failures = 0
        yield page
        from = page.next
      }
    } catch (error) {
      if (!(error instanceof PretixError && error.isPassing) || ++failures > MOST_FAILURES) throw error
      await api.pause(Math.max(backoffOf(failures), error.retryAfterMs ?? 0))
    }
  }
}

function compare(
  { code, fields }: { code: string; fields: object },
  known: RehearsalDeps['known'],
): 'added' | 'changed' | 'unchanged' {
  const ticket = known?.tickets.openedBy({ kind: 'static', codeHash: known.codes.hash(code) })
  if (!ticket) return 'added'
  const stored: Readonly<Record<string, unknown>> = { ...ticket }
  return Object.entries(fields).every(([name, value]) => stored[name] === value) ? 'unchanged' : 'changed'
}
