/** Turns the form of a sheet into a request. Pure. */

/** Short codes from a text: one a line, or several with commas or semicolons, or with blanks between whole codes. */
export function codesIn(text: string): string[] {
  return text.split(/[\n,;]+/).flatMap((line) => splitLine(line.trim()))
}

/** `ABCD-EFGH JKMN-PQRS` are two codes, and `ABCD EFGH` is one. */
function splitLine(line: string): string[] {
  if (line === '') return []
  const words = line.split(/\s+/)
  const signs = (word: string) => word.replace(/[-–—.]/g, '').length
  return words.length > 1 && words.every((word) => signs(word) === 8) ? words : [line]
}

/** The value of a field for date and time, on this tablet's clock, as ISO 8601; null while it is empty or none. */
export function timeIn(value: string): string | null {
  const ms = value === '' ? Number.NaN : new Date(value).getTime()
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** The other way round: what such a field shows. @param ms unix ms */
export function fieldOf(ms: number): string {
  const date = new Date(ms)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}
