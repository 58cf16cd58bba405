/** What a verdict says at a gate of this event; the sentences are in `proto/verdict-words.ts`, for scanners that are alone too. */
import { clause, placeName, reasonFor as reasonForSaid } from '@gatehouse/proto/verdict-words.ts'
import type { Event } from '../event/event.ts'
import type { Decision } from './decide.ts'

/** @param at unix ms of the scan, which ages are counted from */
export function reasonFor(decision: Decision, event: Event, at: number, checkpointName: string): string {
  return reasonForSaid(decision, {
    ...{ at, checkpointName, timeZone: event.timezone },
    placeName: (id) => {
      const checkpoint = event.checkpointById.get(id)
      // An event file may lose a checkpoint after tickets were used there.
      if (!checkpoint) return id
      return placeName({
        name: checkpoint.name,
        gateName: event.gateById.get(checkpoint.gate)?.name ?? checkpoint.gate,
      })
    },
  })
}

/** What the gate reads when a supervisor has let a refused ticket in. */
export function supervisedReason(actor: string, reason: string): string {
  return `Let in by ${clause(actor)}: ${clause(reason)}.`
}

/** What the gate reads when the other gates could not be asked. @param why a clause */
export function unconfirmedReason(why: string): string {
  return `Not confirmed: ${clause(why)}.`
}
