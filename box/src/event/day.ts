/**
 * The festival day: from `day_starts_at` on the event's own clock until the same time of the next date. When days start at 06:00,
 * a night that ends at four belongs to the evening before it.
 */
import type { Event } from './event.ts'
import { zoneOffset } from './zone-offset.ts'

type Calendar = Pick<Event, 'timezone' | 'day_starts_at'>

interface Window {
  from: number
  until: number
  day: string
}

const DAY = 86_400_000
/** The last day of each event: every scan asks for the day, and nearly always for the same one. */
const lastDays = new WeakMap<Calendar, { offset: (unixMs: number) => number; window: Window }>()

/**
 * The festival day of an instant, as the date on which it began, `YYYY-MM-DD`. A day begins at the first instant at which the local
 * clock shows `day_starts_at` or later, and ends where the next one begins. When the clock goes back over that time, the day stays
 * the new one, so that a ticket that enters once a day cannot enter twice.
 *
 * @param unixMs within the years 1 to 9998
 * @throws RangeError outside the range of `Date`
 */
export function localDay(event: Calendar, unixMs: number): string {
  const known = lastDays.get(event)
  if (known && unixMs >= known.window.from && unixMs < known.window.until) return known.window.day
  const offset = known?.offset ?? zoneOffset(event.timezone)
  const window = windowOf(unixMs, sinceMidnight(event.day_starts_at), offset)
  lastDays.set(event, { offset, window })
  return window.day
}

/**
 * The instants at which festival days begin, unix ms: the day of `unixMs`, and the following ones.
 * @throws RangeError outside the range of `Date`
 */
export function dayStarts(event: Calendar, unixMs: number, count: number): number[] {
  const offset = lastDays.get(event)?.offset ?? zoneOffset(event.timezone)
  const startsAt = sinceMidnight(event.day_starts_at)
  const starts: number[] = []
  for (let at = unixMs; starts.length < count; ) {
    const { from, until } = windowOf(at, startsAt, offset)
    starts.push(from)
    at = until
  }
  return starts
}

function windowOf(unixMs: number, startsAt: number, offset: (unixMs: number) => number): Window {
  const start = (day: number) => firstInstantAt(day * DAY + startsAt, offset)
  // Starts one day after the local date, because a clock that went back over midnight had already shown the next date.
  let day = Math.floor((unixMs + offset(unixMs)) / DAY) + 1
  while (start(day) > unixMs) day--
  return { from: start(day), until: start(day + 1), day: new Date(day * DAY).toISOString().slice(0, 10) }
}

/** The first instant at which a local clock shows `wall` (a local date and time as if it were UTC) or later. */
function firstInstantAt(wall: number, offset: (unixMs: number) => number): number {
  const dayBefore = wall - offset(wall - DAY)
  const dayAfter = wall - offset(wall + DAY)
  const early = Math.min(dayBefore, dayAfter)
  const late = Math.max(dayBefore, dayAfter)
  // A clock that goes back shows `wall` twice: the earlier instant is tried first.
  for (const instant of [early, late]) if (instant + offset(instant) === wall) return instant
  // A clock that goes forward may jump over `wall`: the day begins with the jump.
  let [no, yes] = [early, late]
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2)
    if (middle + offset(middle) >= wall) yes = middle
    else no = middle
  }
  return yes
}

/** "06:30" as ms. */
function sinceMidnight(time: string): number {
  const [hour, minute] = time.split(':')
  return (Number(hour) * 60 + Number(minute)) * 60_000
}
