/** What has to be in order before doors, from what the box says of itself. Pure. */
import { isLow, isSkewed, type Scanner } from '../../live/scanners.ts'

export const CHECKS = [
  'certificate',
  'clock',
  'tickets',
  'scanners',
  'battery',
  'map',
  'backup',
  'stick',
  'paper',
  'links',
  'rehearsal',
] as const
export type CheckId = (typeof CHECKS)[number]

/** `ask`: no machine can know it. */
export type Standing = 'ok' | 'warn' | 'ask'

export interface Check {
  id: CheckId
  standing: Standing
  /** Of whatever it counts: scanners, hours, gates. */
  count: number
  /** The screen with the remedy. */
  path: string
}

export interface Facts {
  /** This device trusts the certificate; null where its browser does not say. */
  trusted: boolean | null
  synced: boolean
  tickets: number
  gates: number
  scanners: readonly Scanner[]
  /** Gates that are not on the map; null where there is no map. */
  gatesOffMap: number | null
  /** ISO 8601; null for never. */
  lastBackup: string | null
  /** Null where the box has none to ask, or this person may not. */
  stick: boolean | null
  /** Gates for which a list was printed. */
  printed: ReadonlySet<string>
  /** When a rehearsal ended in which codes were tried, ISO 8601; null for never. */
  rehearsed: string | null
  /** Unix ms, by the box's clock. */
  now: number
}

const HOUR = 3_600_000
/** A backup before the last changes of the day is one to repeat. */
const FRESH_BACKUP_MS = 24 * HOUR
/** A crew and its phones are others next month. */
const FRESH_REHEARSAL_MS = 7 * 24 * HOUR

/** Every check, in the order in which they are mended. */
export function readiness(facts: Facts): Check[] {
  const live = facts.scanners.filter(({ state }) => state === 'live').length
  const weak = facts.scanners.filter((one) => one.state !== 'revoked' && (isLow(one) || isSkewed(one))).length
  const age = facts.lastBackup === null ? null : facts.now - Date.parse(facts.lastBackup)
  const check = (id: CheckId, good: boolean | null, path: string, count = 0): Check => {
    return { id, standing: good === null ? 'ask' : good ? 'ok' : 'warn', count, path }
  }
  return [
    check('certificate', facts.trusted, 'settings'),
    check('clock', facts.synced, 'appliance'),
    check('tickets', facts.tickets > 0, 'import', facts.tickets),
    check('scanners', live >= facts.gates && live > 0, 'devices', live),
    check('battery', weak === 0, 'scanners', weak),
    check('map', facts.gatesOffMap === 0, 'guide', facts.gatesOffMap ?? 0),
    check('backup', age !== null && age < FRESH_BACKUP_MS, 'record', age === null ? 0 : Math.floor(age / HOUR)),
    ...(facts.stick === null ? [] : [check('stick', facts.stick, 'appliance')]),
    check('paper', facts.printed.size >= facts.gates, 'paper', facts.printed.size),
    check('links', null, 'tickets'),
    check('rehearsal', isRehearsed(facts), 'ready'),
  ]
}

function isRehearsed({ rehearsed, now }: Facts): boolean {
  return rehearsed !== null && now - Date.parse(rehearsed) < FRESH_REHEARSAL_MS
}
