/** The periods of each mode of a box. */

import { isoOfReading } from '../../clock/iso.ts'
import type { Fact } from '../fact.ts'
import type { ModeSpan } from './shape.ts'

export class ModeSpans {
  readonly #spans: ModeSpan[] = []

  /** @param fact any entry of the box; its first mode begins with its first entry */
  add({ kind, hlc, fields }: Fact): void {
    const from = isoOfReading(hlc)
    if (this.#spans.length === 0) this.#spans.push({ mode: 'STRICT', from })
    if (kind !== 'mode') return
    const last = this.#spans.pop()
    if (last) this.#spans.push({ ...last, until: from })
    this.#spans.push({ mode: fields.mode, from, actor: fields.actor, reason: fields.reason })
  }

  list(): ModeSpan[] {
    return [...this.#spans]
  }
}
