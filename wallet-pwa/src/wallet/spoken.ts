/** Times and durations in words, for a person who reads them while walking. */
import { speech, words } from '../words/words.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** @param ms that have passed; a little negative when a clock was set back, which is "just now" */
export function ago(ms: number): string {
  return ms < MINUTE ? words.justNow : speech.ago(ms)
}

export function lasting(ms: number): string {
  if (ms < 2 * MINUTE) return speech.unit(Math.round(ms / 1000), 'second')
  if (ms < 2 * HOUR) return speech.unit(Math.round(ms / MINUTE), 'minute')
  return speech.unit(Math.round(ms / HOUR), 'hour')
}

/** "Sat 4 Jul, 12:00", in the phone's time zone, like the clock that the phone shows. */
export function moment(iso: string): string {
  return speech.time(Date.parse(iso), {
    ...({ weekday: 'short', day: 'numeric', month: 'short' } as const),
    ...({ hour: '2-digit', minute: '2-digit' } as const),
  })
}
