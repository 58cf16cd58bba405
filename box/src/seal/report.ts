/**
 * The attendance report: every total that a promoter, an insurer or an inquiry asks for, folded from the journal's entries
 * and nothing else. Whoever has the entries can count again; `verify-export.ts` does, with code of its own.
 */
import { parse } from '@gatehouse/proto/hlc.ts'
import type { EventDefinition } from '../event/event.ts'
import type { Fact } from '../mesh/facts.ts'
import type { ScanEntry } from '../scan/entry.ts'
import { passageIn } from '../scan/passage.ts'
import { CaseList } from './report-cases.ts'
import { PeopleCount } from './report-people.ts'
import type { MeshBox, MeshReport, Report, SealRow } from './report-shape.ts'
import { UseList } from './report-uses.ts'

/** What the report says beside what the entries say. */
export interface Cover extends Pick<Report, 'origin' | 'software' | 'made_at' | 'seals'> {
  /** The other boxes, where the event has several. */
  others?: readonly { box: string; key: string; seals: readonly SealRow[] }[]
  /** In order of box, size and witness. */
  cosignatures?: MeshReport['cosigned']
}

/** What was heard of another box. */
interface Heard {
  entries: number
  modes: CaseList
}

type ReportedFact = Pick<Fact, 'kind' | 'hlc' | 'fields' | 'box' | 'again' | 'known'>

/** Takes the journal's entries in order, from the first on, each with what it says was heard, and then tells their report. */
export class ReportFold {
  #entries = 0
  #first = ''
  #last = ''
  #box = ''
  #event: Report['event'] | undefined
  readonly #kinds: { [kind: string]: number } = {}
  readonly #people = new PeopleCount()
  readonly #cases = new CaseList()
  readonly #heard = new Map<string, Heard>()
  readonly #uses: UseList | undefined
  #provisional = 0

  /** @param several whether the event has several boxes: a use of a right is then kept until nobody else can have used it */
  constructor({ several }: { several: boolean }) {
    if (several) this.#uses = new UseList()
  }

  add(entry: ReportedFact): void {
    const { kind, hlc, box } = entry
    const at = instantOf(hlc)
    const read = <T>() => entry.fields as T
    if (box === undefined) {
      this.#entries++
      this.#first ||= at
      this.#last = at
      this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1
    } else this.#hear(box, kind, at, read)
    if (kind === 'event') this.#define(read(), box === undefined)
    if (kind === 'scan') {
      const { checkpoint, verdict } = read<ScanEntry>()
      this.#people.answer(checkpoint, verdict)
    }
    const passage = passageIn(entry)
    if (passage) this.#people.pass(passage)
    if (passage?.people === 1 && read<ScanEntry>().confidence === 'provisional') this.#provisional++
    this.#uses?.add({ kind, hlc, fields: entry.fields, box: box ?? this.#box })
    this.#cases.add(kind, at, read, box === undefined)
  }

  /** @throws Error when no entry has told the event */
  report({ origin, software, made_at, seals, others, cosignatures = [] }: Cover): Report {
    if (!this.#event) throw new Error('The journal says nothing of its event.')
    const cases = this.#cases.list()
    const mesh = others && {
      ...{ provisional: this.#provisional, boxes: others.map((other) => this.#boxOf(other)) },
      double_uses: this.#uses?.of(cases.flags) ?? [],
      cosigned: newest(cosignatures),
    }
    return {
      format: 'gatehouse/attendance-report/v1',
      ...{ origin, software, made_at, box: this.#box, event: this.#event },
      ...{ entries: this.#entries, from: this.#first, until: this.#last, kinds: { ...this.#kinds } },
      ...this.#people.totals(),
      ...cases,
      seals,
      ...(mesh && { mesh }),
    }
  }

  #boxOf({ box, key, seals }: NonNullable<Cover['others']>[number]): MeshBox {
    const heard = this.#heard.get(box)
    return { box, key, entries: heard?.entries ?? 0, modes: heard?.modes.list().modes ?? [], seals }
  }

  #hear(box: string, kind: string, at: string, read: <T>() => T): void {
    const heard = this.#heard.get(box) ?? { entries: 0, modes: new CaseList() }
    this.#heard.set(box, heard)
    heard.entries++
    // The first one of any kind, too: from then on it was in its first mode.
    if (kind === 'mode' || heard.entries === 1) heard.modes.add(kind, at, read)
  }

  #define({ box, event }: { box: string; event: EventDefinition }, own: boolean): void {
    if (!own) {
      this.#people.define(event, false)
      return
    }
    const { id, name, timezone, starts_at, ends_at } = event
    this.#box = box
    this.#event = { id, name, timezone, starts_at, ends_at }
    this.#people.define(event)
  }
}

/** The last that each witness has signed of each log. */
function newest(cosignatures: MeshReport['cosigned']): MeshReport['cosigned'] {
  const last = new Map(cosignatures.map((one) => [`${one.box} ${one.witness}`, one]))
  return [...last.values()].map(({ box, witness, size }) => ({ box, witness, size }))
}

/** A clock's reading as ISO 8601. */
function instantOf(hlc: string): string {
  return new Date(parse(hlc)?.ms ?? 0).toISOString()
}
