/** Gaps of the source that one sink is still to be told of, each at its place among the events that wait. */
import type { SourceGap } from '../source.ts'

export class PendingGaps {
  /** `after`: so many events of the queue come before the gap. */
  #gaps: { gap: SourceGap; after: number }[] = []

  get all(): readonly SourceGap[] {
    return this.#gaps.map(({ gap }) => gap)
  }

  /** Those before the next batch. */
  get due(): readonly SourceGap[] {
    return this.#gaps.filter(({ after }) => after === 0).map(({ gap }) => gap)
  }

  /** The number of events before the next gap that is not due yet: a batch has no events from both sides of one. */
  get next(): number {
    return this.#gaps.find(({ after }) => after > 0)?.after ?? Number.POSITIVE_INFINITY
  }

  /** @param after events that wait, with those of the batch under way */
  add(gap: SourceGap, after: number): void {
    this.#gaps.push({ gap, after })
  }

  /** Those that were due are told. */
  told(): void {
    this.#gaps = this.#gaps.filter(({ after }) => after > 0)
  }

  /** Events left the queue at its front. @param events how many */
  passed(events: number): void {
    for (const gap of this.#gaps) gap.after = Math.max(0, gap.after - events)
  }
}
