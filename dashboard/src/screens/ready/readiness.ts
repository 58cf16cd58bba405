/** Checks before doors, from what the box says of itself. Pure. */
import type { OperationId } from '@gatehouse/proto/operations.ts'
import type { PublicCertificate } from '@gatehouse/proto/wire/certificate.ts'
import { isLow, isSkewed, type Scanner } from '../../live/scanners.ts'

export const CHECKS = [
  'certificate',
  'publicName',
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

/** `ask`: no machine can know it, or it is a matter of choice. */
export type Standing = 'ok' | 'warn' | 'ask'

export interface Check {
  id: CheckId
  standing: Standing
  /** Of whatever it counts: scanners, hours, gates. */
  count: number
  /** The screen with the remedy; null where it is not in the control room. */
  path: string | null
}

export interface Facts {
  /** This device trusts the certificate; null where its browser does not say. */
  trusted: boolean | null
  /** The certificate for the public name holds, and beyond the event; null where the box has no such name. */
  publicName: boolean | null
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
  /** There is a screen for the machine. */
  appliance: boolean
  /** Gates for which a list was printed. */
  printed: ReadonlySet<string>
  /** When a rehearsal ended in which codes were tried, ISO 8601; null for never. */
  rehearsed: string | null
  /** Unix ms, by the box's clock. */
  now: number
}

/** The operation that each screen with a remedy needs, as the registry of screens has it. */
export const REMEDIES: Readonly<Record<string, OperationId>> = {
  ...{ settings: 'ownSession', appliance: 'appliance', import: 'importTickets', scanners: 'devices' },
  ...{ guide: 'eventDraft', record: 'verify', paper: 'paperList' },
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
  const check = (id: CheckId, good: boolean | null, path: string | null, count = 0): Check => {
    return { id, standing: good === null ? 'ask' : good ? 'ok' : 'warn', count, path }
  }
  return [
    check('certificate', facts.trusted, 'settings'),
    ...(facts.publicName === null ? [] : [check('publicName', facts.publicName, 'settings')]),
    // The clock of a computer is set in its own settings.
    check('clock', facts.synced, facts.appliance ? 'appliance' : null),
    check('tickets', facts.tickets > 0, 'import', facts.tickets),
    check('scanners', live >= facts.gates && live > 0, 'scanners', live),
    check('battery', weak === 0, 'scanners', weak),
    // An event needs no map; a map that lacks one of its gates is a mistake.
    check('map', facts.gatesOffMap === null ? null : facts.gatesOffMap === 0, 'guide', facts.gatesOffMap ?? 0),
    check('backup', age !== null && age < FRESH_BACKUP_MS, 'record', age === null ? 0 : Math.floor(age / HOUR)),
    ...(facts.stick === null ? [] : [check('stick', facts.stick, 'appliance')]),
    check('paper', facts.printed.size >= facts.gates, 'paper', facts.printed.size),
    check('links', null, null),
    check('rehearsal', isRehearsed(facts), 'ready'),
  ]
}

function isRehearsed({ rehearsed, now }: Facts): boolean {
  return rehearsed !== null && now - Date.parse(rehearsed) < FRESH_REHEARSAL_MS
}

/** Gates of which a checkpoint is not on the map: nobody can be sent there. */
export function gatesOff(
  checkpoints: readonly { id: string; gate: string }[],
  map: { checkpoints: readonly { id: string }[] },
): number {
  const placed = new Set(map.checkpoints.map(({ id }) => id))
  return new Set(checkpoints.filter(({ id }) => !placed.has(id)).map(({ gate }) => gate)).size
}

/** Writes the links of all tickets. No screen does: whoever has the file has every ticket. */
export function linksCommand(host: string, isAppliance: boolean): string {
  return isAppliance ? `ssh root@${host} gatehouse links > links.csv` : 'npx --no -- gatehouse links > links.csv'
}

/** An expired, late or broken certificate closes no gate, and makes browsers warn in the middle of the event. */
export function soundName({ state, damaged, outlasts_event }: PublicCertificate): boolean | null {
  if (state === 'off') return null
  return state === 'held' && !damaged && outlasts_event
}
