/** Numbers, counted things, spans of time and times of day as a language says them. Pure; all of it from `Intl`. */

/** One form for each plural that the language has; `#` stands for the number. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

type Unit = 'day' | 'hour' | 'minute' | 'second'

const UNITS: readonly (readonly [Unit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export type Speech = ReturnType<typeof speechOf>

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
    /** "4 minutes 12 seconds": the two largest units. */
    twoUnits: (ms: number) => {
      const seconds = Math.round(Math.abs(ms) / 1000)
      const first = largestOf(seconds)
      const parts = UNITS.slice(first, first + 2).map(([of, size], i) => {
        const whole = i === 0 ? seconds : seconds % (UNITS[first]?.[1] ?? 1)
        return [Math.floor(whole / size), of] as const
      })
      return parts
        .filter(([n], i) => i === 0 || n > 0)
        .map(([n, of]) => unit(n, of))
        .join(' ')
    },
    /** "North, West and East". */
    list: (names: readonly string[]) => new Intl.ListFormat(locale).format(names),
    /** "1.5 MB". */
    size: (bytes: number) => {
      const power = bytes < 1000 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(bytes) / 3))
      const value = bytes / 1000 ** power
      return new Intl.NumberFormat(locale, {
        ...({ style: 'unit', unit: SIZES[power], unitDisplay: power === 0 ? 'long' : 'short' } as const),
        ...((digits) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits }))(
          power === 0 || value >= 100 ? 0 : 1,
        ),
      }).format(value)
    },
    /** "4 minutes ago", "in 4 minutes": the largest unit alone, rounded down. */
    ago: (ms: number) => {
      const [n, of] = largest(Math.abs(ms))
      return new Intl.RelativeTimeFormat(locale).format(ms < 0 ? n : -n, of)
    },
    /** "4 s", "4 min", "2 h 5 min", "3 days": where there is little room. */
    short: (ms: number) => {
      const seconds = Math.max(0, Math.floor(ms / 1000))
      if (seconds < 60) return `${seconds} s`
      const minutes = Math.floor(seconds / 60)
      if (minutes < 60) return `${minutes} min`
      const hours = Math.floor(minutes / 60)
      if (hours >= 24) return unit(Math.floor(hours / 24), 'day')
      return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
    },
    /** "19:04", on this device's own clock. */
    clock: (ms: number) => time(ms, { hour: '2-digit', minute: '2-digit' }),
    /** "20 Nov 2026, 19:04", for what may be days away. */
    moment: (ms: number) => time(ms, { dateStyle: 'medium', timeStyle: 'short' }),
  }
}

function largest(ms: number): [number, Unit] {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [of, size] = UNITS[largestOf(seconds)] ?? (['second', 1] as const)
  return [Math.floor(seconds / size), of]
}

/** Its place in `UNITS`. */
function largestOf(seconds: number): number {
  const at = UNITS.findIndex(([, size]) => seconds >= size)
  return at < 0 ? UNITS.length - 1 : at
}
