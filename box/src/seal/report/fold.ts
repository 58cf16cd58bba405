/**
 * The attendance report: every total that a promoter, an insurer or an inquiry asks for, folded from the journal's entries
 * alone. Anybody with the entries can count again, as `verify-export.ts` does with separate code.
 */

import { isoOfReading } from '../../clock/iso.ts'
import { eventIn } from '../../event/recorded.ts'
import { passageIn } from '../../rights/passage.ts'
import type { Fact, FactOf } from '../fact.ts'
import { CaseRows } from './cases.ts'
import { DoubleUses } from './double-uses.ts'
import { ModeSpans } from './modes.ts'
import { PeopleCount } from './people.ts'
import type { MeshBox, MeshReport, Report, SealRow } from './shape.ts'

/** The parts of the report that are not in any entry. */
export interface Cover extends Pick<Report, 'origin' | 'software' | 'made_at' | 'seals'> {
  /** The other boxes, if the event has several. */
  others?: readonly { box: string; key: string; seals: readonly SealRow[] }[]
  /** In order of box, size and witness. */
  cosignatures?: MeshReport['cosigned']
}

/** Takes the journal's entries in order, each followed by those that it has brought from another box, and then gives their report. */
export class ReportFold {
  #entries = 0
  #first = ''
  #last = ''
  #box = ''
  #event: Report['event'] | undefined
  #provisional = 0
  readonly #kinds: { [kind: string]: number } = {}
  readonly #devices = { enrolled: 0, revoked: 0 }
  readonly #people = new PeopleCount()
  readonly #cases = new CaseRows()
  readonly #modes = new ModeSpans()
  readonly #others = new Map<string, { entries: number; modes: ModeSpans }>()
  readonly #doubleUses: DoubleUses | undefined

  /** @param several whether the event has several boxes; admissions are then kept, to find which of two was first */
  constructor({ several }: { several: boolean }) {
    if (several) this.#doubleUses = new DoubleUses()
  }

  /** @throws an error for an entry that somebody has changed */
  add(fact: Fact): void {
    if (fact.box === undefined) this.#addOwn(fact)
    else this.#addOther(fact.box, fact)
    if (fact.kind === 'event') this.#define(fact)
    else if (fact.kind === 'scan') this.#people.answer(fact.fields.checkpoint, fact.fields.verdict)
    else if (fact.kind === 'enrolment') this.#devices.enrolled++
    else if (fact.kind === 'device_revoked') this.#devices.revoked++
    const passage = passageIn(fact)
    if (passage) this.#people.pass(passage)
    if (passage && isProvisional(fact)) this.#provisional++
    this.#doubleUses?.add(fact, fact.box ?? this.#box)
    this.#cases.add(fact)
  }

  /** @throws Error if there was no `event` entry */
  report({ origin, software, made_at, seals, others, cosignatures = [] }: Cover): Report {
    if (!this.#event) throw new Error('The journal says nothing of its event.')
    const cases = this.#cases.list()
    const mesh = others && {
      provisional: this.#provisional,
      boxes: others.map((other) => this.#boxOf(other)),
      double_uses: this.#doubleUses?.of(cases.flags) ?? [],
      cosigned: newest(cosignatures),
    }
    return {
      format: 'gatehouse/attendance-report/v1',
      origin,
      software,
      made_at,
      box: this.#box,
      event: this.#event,
      entries: this.#entries,
      from: this.#first,
      until: this.#last,
      kinds: { ...this.#kinds },
      devices: { ...this.#devices },
      ...this.#people.totals(),
      ...cases,
      modes: this.#modes.list(),
      seals,
      ...(mesh && { mesh }),
    }
  }

  #addOwn(fact: Fact): void {
    const at = isoOfReading(fact.hlc)
    this.#entries++
    this.#first ||= at
    this.#last = at
    this.#kinds[fact.kind] = (this.#kinds[fact.kind] ?? 0) + 1
    this.#modes.add(fact)
  }

  #addOther(box: string, fact: Fact): void {
    const other = this.#others.get(box) ?? { entries: 0, modes: new ModeSpans() }
    this.#others.set(box, other)
    other.entries++
    other.modes.add(fact)
  }

  #boxOf({ box, key, seals }: NonNullable<Cover['others']>[number]): MeshBox {
    const { entries = 0, modes } = this.#others.get(box) ?? {}
    return { box, key, entries, modes: modes?.list() ?? [], seals }
  }

  #define(fact: FactOf<'event'>): void {
    const event = eventIn(fact.fields)
    const own = fact.box === undefined
    this.#people.define(event, own)
    if (!own) return
    const { id, name, timezone, starts_at, ends_at } = event
    this.#box = fact.fields.box
    this.#event = { id, name, timezone, starts_at, ends_at }
  }
}

/** True for a provisional passage: no other box was asked about it. */
function isProvisional(fact: Fact): boolean {
  return (fact.kind === 'scan' || fact.kind === 'supervisor_admit') && fact.fields.confidence === 'provisional'
}

/** The last cosignature of each witness for each log. */
function newest(cosignatures: MeshReport['cosigned']): MeshReport['cosigned'] {
  const last = new Map(cosignatures.map((one) => [`${one.box} ${one.witness}`, one]))
  return [...last.values()].map(({ box, witness, size }) => ({ box, witness, size }))
}
