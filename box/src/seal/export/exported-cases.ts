/**
 * Compares what an export's report says of each flag, override, incident, hold and double use with the export's entries.
 * `verify-export.ts` checks totals, and of a case only what the entry says that opens it; this follows cases to their end, by the
 * fold that makes the box's own report.
 */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { Fields, Findings, Follower, Replicated } from '../../../verify-export.ts'
import type { Entry } from '../../ledger/entries.ts'
import { factOf } from '../fact.ts'
import { CaseRows } from '../report/cases.ts'
import { DoubleUses } from '../report/double-uses.ts'
import type { MeshReport, Report } from '../report/shape.ts'

type Rows = ReturnType<CaseRows['list']> & Partial<Pick<MeshReport, 'double_uses'>>

export class ExportedCases {
  readonly #cases = new CaseRows()
  #doubleUses: DoubleUses | undefined
  #box = ''

  /** Argument of `verifyExport`. */
  readonly follow = (several: boolean): Follower => {
    if (several) this.#doubleUses = new DoubleUses()
    return (fields, from) => this.#add(fields, from)
  }

  /** @param findings of the export whose entries `follow` has taken */
  checked(findings: Findings): Findings {
    if (!findings.genuine) return findings
    const detail = this.#difference(findings.report as unknown as Report)
    if (detail === undefined) return findings
    return { ...findings, genuine: false, problems: [{ line: 0, kind: 'total', detail }], unchecked: [] }
  }

  #add(fields: Fields, from: Replicated | undefined): void {
    const entry = fields as unknown as Entry['fields']
    const fact = factOf(entry, entry, from)
    if (fact.kind === 'event' && !from) this.#box = fact.fields.box
    this.#doubleUses?.add(fact, from?.box ?? this.#box)
    this.#cases.add(fact)
  }

  /** The name of the first list that differs. */
  #difference({ mesh, ...report }: Report): string | undefined {
    try {
      const cases = this.#cases.list()
      const double_uses = this.#doubleUses?.of(cases.flags)
      const counted: Rows = { ...cases, ...(double_uses && { double_uses }) }
      const told: Rows = { ...report, ...(mesh && { double_uses: mesh.double_uses }) }
      const names = Object.keys(counted) as (keyof Rows)[]
      const wrong = names.find((name) => canonicalJson(told[name]) !== canonicalJson(counted[name]))
      return wrong && `${wrong}: the report says something else than the entries`
    } catch (error) {
      return `the entries tell of cases that cannot be reported: ${(error as Error).message}`
    }
  }
}
