/**
 * Decides whether the server that answers has the log of which a part is already delivered. A position says nothing without
 * its log: pg_upgrade and a restored dump make another cluster, a promoted standby may lack the last changes, and a copy of the
 * files that was put back gives the same positions to other changes. Pure.
 */
import { formatLsn, type Lsn, parseLsn } from '../../lsn.ts'
import type { Delivered } from '../../source.ts'

/** The place of a slot: cluster, timeline and database. */
export interface Place {
  /** The cluster's system identifier. */
  readonly system: string
  readonly timeline: string
  /** Its oid. */
  readonly database: string
  readonly slot: string
}

/** The identity of a source whose log is first read at `place`. @param life how often a log was left before, under this name */
export function identityOf({ system, timeline, database, slot }: Place, life = 0): string {
  return `${system}/${timeline}/${database}/${slot}${life === 0 ? '' : `/${life}`}`
}

/** @returns undefined for an identity of another kind of source */
export function placeOf(identity: string): Place | undefined {
  const [system, timeline, database, slot, life, more] = identity.split('/')
  if (!system || !timeline || !database || !slot || more !== undefined) return undefined
  return life !== undefined && !/^\d+$/.test(life) ? undefined : { system, timeline, database, slot }
}

/** The identity of what follows a gap between two logs: never one that was used before in this folder. */
export function identityAfter(before: string, place: Place): string {
  return identityOf(place, Number(before.split('/')[4] ?? 0) + 1)
}

/** The log that was read before. */
export interface EarlierLog {
  readonly identity: string
  /** Undefined for an identity of another kind of source. */
  readonly place: Place | undefined
  /** Everything before this was acknowledged. A standby may lack the end of it, where that was no change. */
  readonly acknowledged: Lsn
  /** A change before this was delivered to some sink. */
  readonly delivered: Lsn
}

/** The server that answers now. */
export interface PresentServer {
  readonly place: Place
  /** The history file of its timeline (PostgreSQL manual, "Timelines"): a line for each one before, with the LSN where it was left. */
  readonly history: string
  /** Position of its log's end. */
  readonly end: Lsn
}

/** @returns why it is not the same log; undefined where nothing speaks against it */
export function brokenBy(
  { identity, place: before, acknowledged, delivered }: EarlierLog,
  { place, history, end }: PresentServer,
): string | undefined {
  if (!before) return `What was delivered so far was read from another source, ${identity}`
  if (before.slot !== place.slot) {
    return `What was delivered so far was read through the slot ${before.slot}, and not through ${place.slot}`
  }
  if (before.system !== place.system) {
    return `Another database cluster answers at this address: its system identifier is ${place.system}, and it was ${before.system}. It was upgraded with pg_upgrade, restored from a dump, or is another server`
  }
  if (before.database !== place.database) {
    return `The database was dropped and made again, or is another one: its oid is ${place.database}, and it was ${before.database}`
  }
  if (before.timeline !== place.timeline) {
    const left = leftAt(history, before.timeline)
    if (left !== undefined && left >= delivered) return undefined
    const where = left === undefined ? 'does not descend from' : `left, at ${formatLsn(left)},`
    return `A standby was promoted that lacks changes which were already delivered: its timeline ${place.timeline} ${where} timeline ${before.timeline}, which was read up to ${formatLsn(delivered)}`
  }
  const reached = delivered > acknowledged ? delivered : acknowledged
  if (end < reached) {
    return `The database's log ends at ${formatLsn(end)}, before ${formatLsn(reached)}, which was already read: it was restored from an older copy`
  }
  return undefined
}

/**
 * Finds out if a promoted standby continues the log that was read before.
 * @param history the new timeline's history file
 * @returns where `timeline` was left; undefined when the new one does not descend from it
 */
export function leftAt(history: string, timeline: string): Lsn | undefined {
  for (const line of history.split('\n')) {
    const [id, position = ''] = line.trim().split(/\s+/)
    if (id === timeline) return parseLsn(position)
  }
  return undefined
}

export type Transaction = Delivered['transactions'][number]

/**
 * Looks for delivered transactions in the log that the slot gives out once more. In a copy of the files that was put back, and
 * has been written to since, other transactions are at their positions.
 */
export class Proof {
  /** Those that are still to be found, in order. */
  readonly #wanted: Transaction[]

  /** @param confirmed the slot's position: what was committed before it does not come again, and needs no proof */
  constructor(delivered: readonly Transaction[], confirmed: Lsn) {
    this.#wanted = delivered
      .filter(({ commitLsn }) => commitLsn >= confirmed)
      .sort((a, b) => (a.commitLsn < b.commitLsn ? -1 : a.commitLsn > b.commitLsn ? 1 : 0))
  }

  get isDone(): boolean {
    return this.#wanted.length === 0
  }

  /** A transaction comes from the log. @returns why that is another log */
  transaction(commitLsn: Lsn, commitTime: string): string | undefined {
    while (this.#wanted[0] && this.#wanted[0].commitLsn <= commitLsn) {
      const wanted = this.#wanted.shift() as Transaction
      if (wanted.commitLsn < commitLsn) return missing(wanted)
      if (wanted.commitTime !== undefined && wanted.commitTime !== commitTime) {
        return `${missing(wanted)}: one of ${commitTime} is in its place`
      }
    }
    return undefined
  }

  /** Every transaction that was committed before `end` has come. @returns why that is another log */
  end(end: Lsn): string | undefined {
    const [wanted] = this.#wanted
    return wanted && wanted.commitLsn < end ? missing(wanted) : undefined
  }
}

function missing({ commitLsn, commitTime }: Transaction): string {
  const when = commitTime === undefined ? '' : ` of ${commitTime}`
  return `The transaction${when} at ${formatLsn(commitLsn)} was delivered, and the database does not have it: it was restored from an older copy and has been written to since`
}
