/** The dates of a series that a gate cannot tell apart by time: the box shows them, and the control room of those that somebody chooses. */

/** First and last moment at which tickets of a date admit, in unix ms. */
export interface DateWindow {
  from: number
  until: number
}

/** Of these dates, those that admit while another one does; in order of time. */
export function overlapping<D extends DateWindow>(dates: readonly D[]): D[] {
  let reached = Number.NEGATIVE_INFINITY
  return dates
    .toSorted((a, b) => a.from - b.from)
    .filter(({ from, until }, i, sorted) => {
      const next = sorted[i + 1]
      const isOne = from <= reached || (next !== undefined && next.from <= until)
      reached = Math.max(reached, until)
      return isOne
    })
}
