/** Where a right was used more than once, and who was first as far as anybody can know: of the report of several boxes. */
import { iso } from '../clock/iso.ts'
import type { Fact } from '../mesh/facts.ts'
import { inOrder, type Placed, stoodAt } from '../mesh/reconcile/order.ts'
import type { ScanEntry, SupervisorAdmitEntry } from '../scan/entry.ts'
import type { DoubleUse, FlagCase } from './report-shape.ts'

interface Use extends Placed {
  checkpoint: string
}

/** As large as the crowd: which of the admissions will be the first of two is known when the second is read. */
export class UseList {
  readonly #uses = new Map<string, Use>()

  add({ kind, fields, hlc, box }: Pick<Fact, 'kind' | 'fields' | 'hlc'> & { box: string }): void {
    if (kind !== 'scan' && kind !== 'supervisor_admit') return
    const entry = fields as ScanEntry | SupervisorAdmitEntry
    const { scan_id: scanId, slot, direction, checkpoint, confidence } = entry
    if (slot === null || direction !== 'in') return
    const there = this.#uses.get(scanId)
    // One scan that two boxes admitted, because the first did not answer, is the earlier one.
    if (there && there.hlc <= hlc) return
    const aloneAt = 'offline_admitted' in entry && entry.offline_admitted ? Date.parse(entry.observed_at) : null
    this.#uses.set(scanId, { scanId, box, checkpoint, hlc, confirmed: confidence === 'confirmed', aloneAt })
  }

  of(cases: readonly FlagCase[]): DoubleUse[] {
    const doubles = cases.filter(({ kind }) => kind === 'double_use')
    return doubles.map(({ flag, scans }) => {
      const { sorted, certain } = inOrder(scans.flatMap((id) => this.#uses.get(id) ?? []))
      return {
        ...{ flag, order: certain ? 'certain' : 'uncertain' },
        records: sorted.map((use) => ({
          ...{ scan_id: use.scanId, box: use.box, checkpoint: use.checkpoint, at: iso(stoodAt(use)) },
          confidence: use.confirmed ? 'confirmed' : 'provisional',
        })),
      }
    })
  }
}
