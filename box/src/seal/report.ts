/**
 * The attendance report: every total that a promoter, an insurer or an inquiry asks for, folded from the journal's entries
 * and nothing else. Whoever has the entries can count again; `verify-export.ts` does, with code of its own.
 */
import { parse } from '@gatehouse/proto/hlc.ts'
import type { EventDefinition } from '../event/event.ts'
import type { Entry } from '../ledger/ledger.ts'
import type { ScanEntry } from '../scan/entry.ts'
import { passageIn } from '../scan/passage.ts'
import { CaseList } from './report-cases.ts'
import { PeopleCount } from './report-people.ts'
import type { Report } from './report-shape.ts'

/** What the report says beside what the entries say. */
export type Cover = Pick<Report, 'origin' | 'software' | 'made_at' | 'seals'>

/** Takes the journal's entries in order, from the first on, and then tells their report. */
export class ReportFold {
  #entries = 0
  #first = ''
  #last = ''
  #box = ''
  #event: Report['event'] | undefined
  readonly #kinds: { [kind: string]: number } = {}
  readonly #people = new PeopleCount()
  readonly #cases = new CaseList()

  add(entry: Pick<Entry, 'kind' | 'hlc' | 'fields'>): void {
    const { kind, hlc } = entry
    const at = instantOf(hlc)
    const read = <T>() => entry.fields as T
    this.#entries++
    this.#first ||= at
    this.#last = at
    this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1
    if (kind === 'event') this.#define(read())
    if (kind === 'scan') {
      const { checkpoint, verdict } = read<ScanEntry>()
      this.#people.answer(checkpoint, verdict)
    }
    const passage = passageIn(entry)
    if (passage) this.#people.pass(passage)
    this.#cases.add(kind, at, read)
  }

  /** @throws Error when no entry has told the event */
  report({ origin, software, made_at, seals }: Cover): Report {
    if (!this.#event) throw new Error('The journal says nothing of its event.')
    return {
      format: 'gatehouse/attendance-report/v1',
      ...{ origin, software, made_at, box: this.#box, event: this.#event },
      ...{ entries: this.#entries, from: this.#first, until: this.#last, kinds: { ...this.#kinds } },
      ...this.#people.totals(),
      ...this.#cases.list(),
      seals,
    }
  }

  #define({ box, event }: { box: string; event: EventDefinition }): void {
    const { id, name, timezone, starts_at, ends_at } = event
    this.#box = box
    this.#event = { id, name, timezone, starts_at, ends_at }
    this.#people.define(event)
  }
}

/** A clock's reading as ISO 8601. */
function instantOf(hlc: string): string {
  return new Date(parse(hlc)?.ms ?? 0).toISOString()
}
