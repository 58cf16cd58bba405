/** Prices as people type them, to the smallest unit of their currency and back. Pure. */

/** Number of the currency's digits behind the point: 2 for EUR, none for JPY. */
function digitsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** `25.5` and `25,50` are 2550 cents. Null for anything that is no price. */
export function unitsIn(typed: string, currency: string): number | null {
  const digits = digitsOf(currency)
  const [, whole, part = ''] = /^(\d{1,7})(?:[.,](\d*))?$/.exec(typed.trim()) ?? []
  if (whole === undefined || part.length > digits) return null
  return Number(whole) * 10 ** digits + Number(part.padEnd(digits, '0') || 0)
}

/** `25.50` */
export function typedOf(units: number, currency: string): string {
  const digits = digitsOf(currency)
  return (units / 10 ** digits).toFixed(digits)
}

/** `25.50 EUR` */
export function shownOf(units: number, currency: string): string {
  return `${typedOf(units, currency)} ${currency}`
}
