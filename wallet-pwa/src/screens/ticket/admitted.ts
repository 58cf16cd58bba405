/** Whether somebody is inside, by the passages that the box has told. Pure. */
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'

type Passage = TicketView['history'][number]

/** The passage that let the holder in, while none has followed it; undefined otherwise. */
export function admittedAt(history: readonly Passage[]): Passage | undefined {
  const last = history.at(-1)
  return last?.direction === 'in' ? last : undefined
}
