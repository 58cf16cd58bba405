/** Chooses the sentence of a verdict at a gate of this event; the sentences are in `proto/verdict-words/en.ts`, shared with offline scanners. */
import { verdictSentences } from '@gatehouse/proto/verdict-words/en.ts'
import { clause, placeName, reasonFor as reasonForFacts } from '@gatehouse/proto/verdict-words.ts'
import type { Event } from '../event/event.ts'
import type { Decision } from './decide.ts'

/** @param at unix ms of the scan, which ages are counted from */
export function reasonFor(decision: Decision, event: Event, at: number, checkpointName: string): string {
  return reasonForFacts(verdictSentences, decision, {
    at,
    checkpointName,
    timeZone: event.timezone,
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

/** The sentence after a supervisor has admitted a refused ticket. */
export function supervisedReason(actor: string, reason: string): string {
  return `Let in by ${clause(actor)}: ${clause(reason)}.`
}

/** The sentence for an admission when the other gates could not be asked. @param why a clause */
export function unconfirmedReason(why: string): string {
  return `Not confirmed: ${clause(why)}.`
}
