/** When a rehearsal may begin, and when it ends by itself. Pure. */
import type { Objection } from '@gatehouse/proto/wire/rehearsal.ts'
import type { Event } from '../event/event.ts'

type Times = Pick<Event, 'starts_at' | 'ends_at' | 'checkpoints'>

/** @param now unix ms @param came people let in within the last half hour */
export function objectionsAt(now: number, event: Times, came: number): Objection[] {
  const isOn = Date.parse(event.starts_at) <= now && now < Date.parse(event.ends_at)
  return [...(isOn ? (['event_on'] as const) : []), ...(came > 0 ? (['people_came'] as const) : [])]
}

/** Unix ms: after so many minutes, and before anybody comes: when the event begins, or a checkpoint opens. */
export function endOf(now: number, minutes: number, { starts_at, checkpoints }: Times): number {
  const doors = [starts_at, ...checkpoints.flatMap(({ opens_at }) => opens_at ?? [])].map((at) => Date.parse(at))
  return Math.min(now + minutes * 60_000, ...doors.filter((at) => at > now))
}
