/** Times as the clocks at the event show them: whoever prepares it may sit in another time zone. Pure. */
import { speech } from '../../words/words.ts'

const CLOCK = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', ...CLOCK } as const

/**
 * @param iso ISO 8601
 * @param zone IANA name; undefined from a box of an older version, whose time zone nobody knows here: then that of this device
 */
export function eventTime(iso: string, zone: string | undefined, as: 'clock' | 'day'): string {
  const options = as === 'clock' ? CLOCK : DAY
  try {
    return speech.time(Date.parse(iso), { ...options, timeZone: zone })
  } catch {
    // A zone that this browser does not know yet: its own, which the text names.
    return speech.time(Date.parse(iso), options)
  }
}
