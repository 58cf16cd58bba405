/** An event's folder as a whole: everything that would keep a box from opening with it, without a ledger. */
import { checkTickets } from '../tickets/import-folder.ts'
import { openVenue, VenueError } from '../venue/venue.ts'
import { type Event, readEvent } from './event.ts'
import { EventFileError, type Mistake } from './mistakes.ts'

/**
 * Map and tickets are held against the event: its own mistakes come alone.
 * @throws EventFileError with every mistake of `event.json`, or of `venue.geojson` and the tickets
 */
export async function checkFolder(folder: string): Promise<Event> {
  const event = await readEvent(folder)
  const tickets = await checkTickets(folder, event)
  const mistakes = [
    ...(await mistakesOfMap(event, folder)),
    ...(tickets ? [{ path: tickets.name, message: tickets.problem }] : []),
  ]
  if (mistakes.length > 0) throw new EventFileError(mistakes)
  return event
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
