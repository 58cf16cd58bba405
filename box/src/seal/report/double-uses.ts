/** The rights that were used at several boxes: where, and which admission was first, as far as that is known. */
import { type OrderedRecord, passedAt, sortRecords } from '../../cases/record-order.ts'
import { iso } from '../../clock/iso.ts'
import type { Fact } from '../fact.ts'
import type { DoubleUse, FlagRow } from './shape.ts'

interface Admission extends OrderedRecord {
  checkpoint: string
}

/** Keeps every admission by its scan, because any of them may turn out to be the first of two. */
export class DoubleUses {
  readonly #admissions = new Map<string, Admission>()

  /** @param box the box of the entry */
  add({ kind, fields, hlc }: Fact, box: string): void {
    if (kind !== 'scan' && kind !== 'supervisor_admit') return
    const { scan_id: scanId, slot, direction, checkpoint, confidence } = fields
    if (slot === null || direction !== 'in') return
    const there = this.#admissions.get(scanId)
    // A scanner whose first box did not answer asks another one: of two admissions by one scan the earlier counts.
    if (there && there.hlc <= hlc) return
    const offlineAt = 'offline_admitted' in fields && fields.offline_admitted ? Date.parse(fields.observed_at) : null
    this.#admissions.set(scanId, { scanId, box, checkpoint, hlc, confirmed: confidence === 'confirmed', offlineAt })
  }

  of(flags: readonly FlagRow[]): DoubleUse[] {
    const doubles = flags.filter(({ kind }) => kind === 'double_use')
    return doubles.map(({ flag, scans }) => {
      const { sorted, certain } = sortRecords(scans.flatMap((id) => this.#admissions.get(id) ?? []))
      return {
        flag,
        order: certain ? 'certain' : 'uncertain',
        records: sorted.map((admission) => ({
          scan_id: admission.scanId,
          box: admission.box,
          checkpoint: admission.checkpoint,
          at: iso(passedAt(admission)),
          confidence: admission.confirmed ? 'confirmed' : 'provisional',
        })),
      }
    })
  }
}
