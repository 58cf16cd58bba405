/** Checks an event's folder for every mistake that would keep a box from opening, without a ledger. */

import { coded } from '@gatehouse/proto/said.ts'
import { type Event, readEvent } from '../event/event.ts'
import { EventFileError, type Mistake } from '../event/mistakes.ts'
import { checkTickets } from '../tickets/import-folder.ts'
import type { Problem } from '../venue/problems.ts'
import { openVenue, VenueError } from '../venue/venue.ts'

/**
 * Map and tickets are checked against the event, so mistakes in the event itself are reported alone.
 * @throws EventFileError with every mistake of `event.json`, or of `venue.geojson` and the tickets
 */
export async function checkFolder(folder: string): Promise<Event> {
  const event = await readEvent(folder)
  const { mistakes } = await findingsBeside(event, folder)
  if (mistakes.length > 0) throw new EventFileError(mistakes)
  return event
}

export interface Findings {
  mistakes: readonly Mistake[]
  /** Findings that keep no box from opening, and that whoever changed the event should know. */
  warnings: readonly Mistake[]
}

/** Of the other files of an event's folder, were it the folder of this event. */
export async function findingsBeside(event: Event, folder: string): Promise<Findings> {
  const tickets = await checkTickets(folder, event)
  const map = await findingsOfMap(event, folder)
  const ofTickets = tickets
    ? [
        {
          path: tickets.name,
          message: tickets.problem,
          coded: [coded('tickets_unusable', { file: tickets.name })],
        },
      ]
    : []
  return { mistakes: [...map.mistakes, ...ofTickets], warnings: map.warnings }
}

async function findingsOfMap(event: Event, folder: string): Promise<Findings> {
  try {
    const { warnings } = await openVenue(event, folder)
    // The map's own oddities are no matter of the event.
    const unplaced = warnings.filter(({ kind }) => kind === 'checkpoint_without_place')
    return { mistakes: [], warnings: unplaced.map(inMap) }
  } catch (error) {
    if (!(error instanceof VenueError)) throw error
    return { mistakes: error.problems.map(inMap), warnings: [] }
  }
}

function inMap({ feature, message, coded: codes }: Problem): Mistake {
  return {
    path: 'venue.geojson',
    message: feature === '' ? message : `${feature}: ${message}`,
    ...(codes && { coded: codes }),
  }
}
