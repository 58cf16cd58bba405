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
    const slips = slipsBetween(wanted, candidate.toLowerCase(), fewest - 1)
    if (slips < fewest) {
      best = candidate
      fewest = slips
    }
  }
  return best
}

/**
 * Optimal string alignment distance (Damerau-Levenshtein, no part edited twice) where it is `most` at most, and more than `most`
 * otherwise. A draft may have a thousand mistakes with hundreds of candidates each: only the places that `most` slips can shift are
 * compared, two words that differ from the beginning are given up after a few letters, and the rows are written over.
 */
export function slipsBetween(a: string, b: string, most: number): number {
  const width = 2 * most + 1
  const tooMany = most + 1
  // Place k of row i is the distance of the first i letters of `a` to the first i + k - most of `b`.
  let previous = Array.from({ length: width }, () => tooMany)
  let row = previous.map((_, k) => (k < most || k - most > b.length ? tooMany : k - most))
  let next = [...previous]
  let lowest = 0
  for (let i = 1; i <= a.length; i++) {
    const lowestBefore = lowest
    lowest = tooMany
    const letter = a.charCodeAt(i - 1)
    for (let k = 0; k < width; k++) {
      const j = i + k - most
      let slips = tooMany
      if (j >= 0 && j <= b.length) {
        const isSame = j > 0 && b.charCodeAt(j - 1) === letter
        slips = (row[k] ?? tooMany) + (isSame ? 0 : 1)
        if (k > 0) slips = Math.min(slips, (next[k - 1] ?? tooMany) + 1)
        if (k + 1 < width) slips = Math.min(slips, (row[k + 1] ?? tooMany) + 1)
        if (!isSame && i > 1 && j > 1 && b.charCodeAt(j - 2) === letter && b.charCodeAt(j - 1) === a.charCodeAt(i - 2))
          slips = Math.min(slips, (previous[k] ?? tooMany) + 1)
      }
      next[k] = slips
      lowest = Math.min(lowest, slips)
    }
    // A swap goes on from the row before the last.
    if (Math.min(lowest, lowestBefore) > most) return tooMany
    ;[previous, row, next] = [row, next, previous]
  }
  return row[b.length - a.length + most] ?? tooMany
}
