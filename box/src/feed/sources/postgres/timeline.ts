/** Whether a promoted standby continues what was read before (PostgreSQL manual, "Timelines"). */
import { type Lsn, parseLsn } from '../../lsn.ts'

/**
 * @param history the new timeline's history file: one line each for the timelines before it, with where it was left
 * @returns where `timeline` was left; undefined when the new one does not descend from it
 */
export function leftAt(history: string, timeline: string): Lsn | undefined {
  for (const line of history.split('\n')) {
    const [id, position = ''] = line.trim().split(/\s+/)
    if (id === timeline) return parseLsn(position)
  }
  return undefined
}
