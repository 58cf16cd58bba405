/** Numbers, counted things, spans of time and times of day as a language says them. Pure; all of it from `Intl`. */

/** One form for each plural that the language has; `#` stands for the number. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

type Unit = 'day' | 'hour' | 'minute' | 'second'

export const UNITS: readonly (readonly [Unit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** @param locale BCP 47, with the region where it matters: "en-GB" */
export function speechOf(locale: string) {
  const numbers = [0, 1].map((maximumFractionDigits) => new Intl.NumberFormat(locale, { maximumFractionDigits }))
  const plurals = new Intl.PluralRules(locale)
  /** "12,345". */
  const number = (n: number, digits: 0 | 1 = 0) => numbers[digits]?.format(n) ?? ''
  /** "3 tickets", "1 ticket". */
  const count = (n: number, forms: Forms) => (forms[plurals.select(n)] ?? forms.other).replace('#', number(n))
  /** "4 minutes". */
  const units: Partial<Record<Unit, Intl.NumberFormat>> = {}
  const unit = (n: number, of: Unit) => {
    units[of] ??= new Intl.NumberFormat(locale, { style: 'unit', unit: of, unitDisplay: 'long' })
    return units[of].format(n)
  }
  const time = (ms: number, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options).format(ms)
  return {
    locale,
    number,
    count,
    unit,
    time,
    /** "4 minutes": the largest unit alone, rounded down. */
    duration: (ms: number) => unit(...largest(ms)),
    /** "4 minutes ago", "in 4 minutes": the largest unit alone, rounded down. */
    ago: (ms: number) => {
      const [n, of] = largest(Math.abs(ms))
      return new Intl.RelativeTimeFormat(locale).format(ms < 0 ? n : -n, of)
    },
  }
}

function largest(ms: number): [number, Unit] {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [of, size] = UNITS[largestOf(seconds)] ?? (['second', 1] as const)
  return [Math.floor(seconds / size), of]
}

/** Its place in `UNITS`. */
export function largestOf(seconds: number): number {
  const at = UNITS.findIndex(([, size]) => seconds >= size)
  return at < 0 ? UNITS.length - 1 : at
}
