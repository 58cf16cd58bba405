/** Everything that `speechOf` says, and what is said on longer screens: lists, sizes, and times of an app that has room for the code. */
import { largestOf, speechOf, UNITS } from './speech.ts'

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** @param locale BCP 47, with the region where it matters: "en-GB" */
export function fullSpeechOf(locale: string) {
  const speech = speechOf(locale)
  const { time, unit } = speech
  return {
    ...speech,
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
