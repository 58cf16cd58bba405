/** A line through numbers, as the `d` of an SVG path. Pure. */

export interface Spark {
  line: string
  /** The same, closed at the bottom. */
  area: string
}

/**
 * The numbers from left to right over a box of `width` by `height`, from zero at the bottom to `most` at the top (at least 1,
 * so that a quiet hour is a flat line and not a jagged one). What is not a finite number is drawn as zero.
 */
export function sparkOf(
  values: readonly number[],
  width: number,
  height: number,
  most = Math.max(...values, 1),
): Spark {
  if (values.length === 0) return { line: '', area: '' }
  const top = Math.max(1, Number.isFinite(most) ? most : 1)
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const points = values.map((value, i) => {
    const part = Number.isFinite(value) ? Math.min(1, Math.max(0, value / top)) : 0
    return `${tenth(i * step)} ${tenth(height - part * height)}`
  })
  const line = `M${points.join('L')}`
  return { line, area: `${line}L${tenth((values.length - 1) * step)} ${height}L0 ${height}Z` }
}

function tenth(n: number): number {
  return Math.round(n * 10) / 10
}
