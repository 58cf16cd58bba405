/** Amounts in the smallest unit of a currency, as people write them. Pure. */

/** Number of the currency's digits behind the point: 2 for EUR, none for JPY. */
function digitsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** `2350` cents as `23.50`. */
export function amountOf(units: number, currency: string): string {
  const digits = digitsOf(currency)
  return (units / 10 ** digits).toFixed(digits)
}

/** `23.50 EUR` */
export function priceOf(units: number, currency: string): string {
  return `${amountOf(units, currency)} ${currency}`
}
