/** Times and durations in words, for a person who reads them while walking. */
import { words } from '../words/words.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** @param ms that have passed; a little negative when a clock was set back, which is "just now" */
export function ago(ms: number): string {
  if (ms < MINUTE) return words.ago.now
  if (ms < HOUR) return words.ago.minutes(Math.floor(ms / MINUTE))
  if (ms < DAY) return words.ago.hours(Math.floor(ms / HOUR))
  return words.ago.days(Math.floor(ms / DAY))
}

export function lasting(ms: number): string {
  if (ms < 2 * MINUTE) return words.lasting.seconds(Math.round(ms / 1000))
  if (ms < 2 * HOUR) return words.lasting.minutes(Math.round(ms / MINUTE))
  return words.lasting.hours(Math.round(ms / HOUR))
}

/** "Sat 4 Jul, 12:00", in the phone's time zone, like the clock that the phone shows. */
export function moment(iso: string, locale?: string): string {
  return new Date(iso).toLocaleString(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  } as Intl.DateTimeFormatOptions)
}
