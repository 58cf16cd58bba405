/**
 * The festival day: from `day_starts_at` on the event's own clock until the same time of the next date. A night that
 * ends at four belongs to the evening before it when days start at 06:00.
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
/** Every scan asks for the day and nearly all ask within the same one, so one window an event is remembered. */
const remembered = new WeakMap<Calendar, { offset: (unixMs: number) => number; window: Window }>()

/**
 * The festival day of an instant, `YYYY-MM-DD` by the date on which it began. A day begins at the first instant whose
 * local clock shows `day_starts_at` or later, and ends where the next begins: when the clock goes back over that time,
 * the day does not change back with it, or a ticket that enters once a day would enter twice.
 *
 * @param unixMs within the years 1 to 9998
 * @throws RangeError outside the range of `Date`
 */
export function localDay(event: Calendar, unixMs: number): string {
  const known = remembered.get(event)
  if (known && unixMs >= known.window.from && unixMs < known.window.until) return known.window.day
  const offset = known?.offset ?? zoneOffset(event.timezone)
  const window = windowOf(unixMs, sinceMidnight(event.day_starts_at), offset)
  remembered.set(event, { offset, window })
  return window.day
}

/**
 * The instants at which festival days begin, unix ms: that of the day of `unixMs`, and of those that follow.
 * @throws RangeError outside the range of `Date`
 */
export function dayStarts(event: Calendar, unixMs: number, count: number): number[] {
  const offset = remembered.get(event)?.offset ?? zoneOffset(event.timezone)
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
  // One day later than the local date: a clock that went back over midnight had shown the next date already.
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
  // A clock that goes back shows `wall` twice, so the earlier of the two comes first.
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
