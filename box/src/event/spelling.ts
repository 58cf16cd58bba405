/**
 * The word that was probably intended: the candidate with the fewest typing errors (a letter missing, added, changed, or swapped
 * with its neighbour), if they are few enough. Case makes no difference.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase()
  let best: string | undefined
  // A third of the word, at most three: "dya" is "day", "xyz" is nothing.
  let fewest = Math.min(3, Math.ceil(wanted.length / 3)) + 1
  for (const candidate of candidates) {
    // Bounds the work: a hostile file may have a field name of a megabyte.
    if (Math.abs(candidate.length - wanted.length) >= fewest) continue
    const slips = distance(wanted, candidate.toLowerCase())
    if (slips < fewest) {
      best = candidate
      fewest = slips
    }
  }
  return best
}

/** Optimal string alignment distance (Damerau-Levenshtein, no part edited twice), by rows. */
function distance(a: string, b: string): number {
  let previous: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next[j] = Math.min(
        at(row, j) + 1,
        at(next, j - 1) + 1,
        at(row, j - 1) + (same ? 0 : 1),
        swapped ? at(previous, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    previous = row
    row = next
  }
  return at(row, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
