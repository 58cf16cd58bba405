/** A row of the bench: a figure, its limit, and whether the limit is met. */

export interface Row {
  id: string
  what: string
  value: number
  /** Measured in the same run where it can be, otherwise the budget itself. */
  limit: number
  unit: '/s' | 'ms' | 's' | 'us' | 'MB' | 'kB' | ''
  /** The side on which `value / limit` should be; null for a figure without a budget. */
  budget: { ratio: 'at least' | 'at most'; of: number } | null
  /** The limit, and notes for a reader of the figure. */
  note: string
  /** Other measurements. */
  details: object
}

/** Null for a row without a budget. */
export function isKept({ value, limit, budget }: Row): boolean | null {
  if (!budget) return null
  return budget.ratio === 'at least' ? value / limit >= budget.of : value / limit <= budget.of
}

export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const kept = isKept(row)
    return [
      row.what,
      quantity(row.value, row.unit),
      quantity(row.limit, row.unit),
      (row.value / row.limit).toFixed(2),
      row.budget ? `${row.budget.ratio} ${row.budget.of.toFixed(2)}` : '',
      kept === null ? '' : kept ? 'ok' : 'MISSED',
      row.note,
    ]
  })
  const all = [['', 'value', 'limit', 'ratio', 'budget', '', ''], ...lines]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0))) ?? []
  const numbers = new Set([1, 2, 3])
  return all
    .map((cells) =>
      cells
        .map((cell, column) =>
          numbers.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function quantity(value: number, unit: Row['unit']): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${unit}`.trimEnd()
}
