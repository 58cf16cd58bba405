/** Checks an event's folder for every mistake that would keep a box from opening, without a ledger. */

import { type Event, readEvent } from '../event/event.ts'
import { EventFileError, type Mistake } from '../event/mistakes.ts'
import { checkTickets } from '../tickets/import-folder.ts'
import { openVenue, VenueError } from '../venue/venue.ts'

/**
 * Map and tickets are checked against the event, so mistakes in the event itself are reported alone.
 * @throws EventFileError with every mistake of `event.json`, or of `venue.geojson` and the tickets
 */
export async function checkFolder(folder: string): Promise<Event> {
  const event = await readEvent(folder)
  const mistakes = await mistakesBeside(event, folder)
  if (mistakes.length > 0) throw new EventFileError(mistakes)
  return event
}

/** Mistakes of the other files of an event's folder, were it the folder of this event. */
export async function mistakesBeside(event: Event, folder: string): Promise<Mistake[]> {
  const tickets = await checkTickets(folder, event)
  return [
    ...(await mistakesOfMap(event, folder)),
    ...(tickets ? [{ path: tickets.name, message: tickets.problem }] : []),
  ]
}

async function mistakesOfMap(event: Event, folder: string): Promise<Mistake[]> {
  try {
    await openVenue(event, folder)
    return []
  } catch (error) {
    if (!(error instanceof VenueError)) throw error
    return error.problems.map(({ feature, message }) => ({
      path: 'venue.geojson',
      message: feature === '' ? message : `${feature}: ${message}`,
    }))
  }
}
