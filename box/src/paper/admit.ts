/**
 * Records what was ticked on a gate's paper list, through the path of scans that were admitted offline: with the same cases and the same
 * confidence, at the end of the time in which the sheet was used.
 *
 * A ticket of a sheet has one scan id, whoever types it in and at whichever box: a sheet that is typed in twice counts once. Before the
 * first ticket is recorded, all of them are on disk beside the entry that says who typed them in. A start goes on where a power cut has
 * interrupted it.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { format } from '@gatehouse/proto/hlc.ts'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { By } from '../ca/actor.ts'
import { eq } from '../drizzle/core.ts'
import { GatehouseError, STATUS } from '../errors.ts'
import { type PaperQueueRow, paperQueue, type Ticket } from '../ledger/schema.ts'
import type { Logger } from '../log.ts'
import { type RedeemDeps, redeemShown } from '../scan/redeem.ts'
import { digestOf, type ShownScan } from '../scan/shown.ts'
import { printedCodeOf } from '../tickets/current.ts'
import { type PaperProblem, problem } from './problem.ts'

/** Tickets that are recorded in one turn of the event loop. */
const AT_ONCE = 8

export interface TickedSheet extends Omit<PaperQueueRow, 'entry' | 'tickets'> {
  tickets: readonly Ticket[]
}

export interface PaperDeps extends RedeemDeps {
  logger: Logger
  /** Unix ms. */
  now: () => number
}

/** Result of each ticket, by reference: a verdict, or the reason why there is none. */
export type Outcomes = ReadonlyMap<string, Verdict | PaperProblem>

export class PaperAdmissions implements AsyncDisposable {
  readonly #deps: PaperDeps
  readonly #running = new Map<string, Promise<Outcomes>>()
  #closed = false

  constructor(deps: PaperDeps) {
    this.#deps = deps
  }

  /** Goes on with sheets that were interrupted. */
  start(): void {
    for (const row of this.#deps.ledger.db.drizzle.select().from(paperQueue).all()) {
      this.#recordOnce(row).catch((error: Error) => {
        this.#deps.logger.warn({ event: 'paper_sheet', problem: error.message })
      })
    }
  }

  /** The first answer to this ticket on this sheet; undefined where it was not typed in yet. */
  known(sheet: string, ref: string): Verdict | undefined {
    const scan = this.#deps.scans.find(this.#scanIdOf(sheet, ref))
    return scan && (JSON.parse(scan.response) as Verdict)
  }

  /**
   * Records every ticket of a sheet. The same sheet again, and the same id again, change nothing.
   * @throws GatehouseError `ledger_unavailable`: what is not recorded yet is recorded at the next start, or when it is sent again
   */
  async admit(sheet: TickedSheet, by: By): Promise<Outcomes> {
    const { ledger, now } = this.#deps
    const { tickets, ...place } = sheet
    const refs = tickets.map(({ ref }) => ref)
    const queued = await ledger.commit(
      () => {
        const there = ledger.db.drizzle.select().from(paperQueue).where(eq(paperQueue.id, sheet.id)).get()
        if (there || refs.every((ref) => this.known(sheet.sheet, ref)))
          return there ?? { ...place, tickets: refs, entry: -1 }
        const { index: entry } = ledger.append('paper', {
          ...by,
          action: 'admitted',
          at: new Date(now()).toISOString(),
          sheet: sheet.sheet,
          place: sheet.checkpoint,
          tickets: refs.length,
          from: new Date(sheet.from).toISOString(),
          until: new Date(sheet.until).toISOString(),
        })
        const row = { ...place, tickets: refs, entry }
        ledger.db.drizzle.insert(paperQueue).values(row).run()
        return row
      },
      { patient: true },
    )
    return this.#recordOnce(queued)
  }

  /** Two requests with one sheet share the work. */
  #recordOnce(row: PaperQueueRow): Promise<Outcomes> {
    const running = this.#running.get(row.id) ?? this.#record(row).finally(() => this.#running.delete(row.id))
    this.#running.set(row.id, running)
    return running
  }

  async #record(row: PaperQueueRow): Promise<Outcomes> {
    const { ledger } = this.#deps
    const outcomes = new Map<string, Verdict | PaperProblem>()
    for (let from = 0; from < row.tickets.length; from += AT_ONCE) {
      if (this.#closed)
        throw new GatehouseError('ledger_unavailable', 'The box is closing: type the sheet in again when it is open.', {
          reason: 'closing',
        })
      const refs = row.tickets.slice(from, from + AT_ONCE)
      const answers = await Promise.all(refs.map((ref) => this.#recordOne(ref, row)))
      for (const [i, ref] of refs.entries()) {
        const answer = answers[i]
        if (answer) outcomes.set(ref, answer)
      }
      await turn()
    }
    if (row.entry >= 0) {
      await ledger.commit(() => ledger.db.drizzle.delete(paperQueue).where(eq(paperQueue.id, row.id)).run(), {
        patient: true,
      })
    }
    return outcomes
  }

  async #recordOne(ref: string, row: PaperQueueRow): Promise<Verdict | PaperProblem> {
    const shown = this.#shown(ref, row)
    if (!shown) {
      const text = 'The event has changed since: neither its ticket nor its entrance is there any more.'
      return problem('event_changed', text)
    }
    try {
      return JSON.parse(await redeemShown(shown, this.#deps)) as Verdict
    } catch (error) {
      if (!(error instanceof GatehouseError) || STATUS[error.code] >= 500) throw error
      return error.code === 'scan_id_reused'
        ? problem(
            'sheet_of_other',
            'This ticket was typed in from the same sheet for another entrance: a sheet is for one gate.',
          )
        : { text: error.message }
    }
  }

  /** The ticket as if a scanner of this sheet's own had let it in. */
  #shown(ref: string, { sheet, checkpoint: id, until }: PaperQueueRow): ShownScan | undefined {
    const { event, tickets, codes, clock } = this.#deps
    const checkpoint = event.checkpointById.get(id)
    const ticket = tickets.byRef(ref)
    if (!checkpoint || !ticket) return undefined
    const device = { id: `paper-${sheet}`, checkpoints: new Set([id]) }
    const observed_at = new Date(until).toISOString()
    const scan = {
      scan_id: this.#scanIdOf(sheet, ref),
      // Not a code: the ticket was found by its name.
      payload: `paper:${ref}`,
      checkpoint: id,
      device_hlc: format(clock.now()),
      offline_admitted: true,
      observed_at,
    }
    const code = { codeHash: codes.hash(printedCodeOf(ticket)), kind: 'static' as const }
    return { scan, device, checkpoint, code, steady: false, onPaper: true, digest: digestOf(scan, device, observed_at) }
  }

  /** A UUID (RFC 9562, version 8) that follows from sheet and ticket alone. */
  #scanIdOf(sheet: string, ref: string): string {
    const hex = this.#deps.tickets.digestOf(['paper\0', sheet, '\0', ref])
    const [a, b, c, d, e] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20), hex.slice(20, 32)]
    return `${a}-${b}-8${c}-8${d}-${e}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#running.values())
  }
}
