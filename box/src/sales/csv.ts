/** Writes CSV (RFC 4180) that a spreadsheet opens without running anything in it. Pure. */

/**
 * A cell that begins like a formula gets an apostrophe before it: a name such as `=HYPERLINK(...)` must not act on the machine of
 * whoever opens the file (CWE-1236). Numbers of ours are written as they are.
 */
export function csvOf(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = /^[\s]*[=+\-@\t\r|%＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
