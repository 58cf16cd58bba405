/** What to do with the slot and the publication as they were found. Pure: no database here. */
import { type Lsn, parseLsn } from '../../lsn.ts'
import { invalidated, type Situation } from './catalog.ts'
import type { PostgresOptions } from './options.ts'

/** What was known of the slot when it was last read. */
export interface Known {
  /** Nothing was ever acknowledged behind this: the slot cannot stand further on unless somebody else has moved it. */
  readonly acknowledged: Lsn
  /** The publication's oid: another one under the same name has another. */
  readonly publication: string
}

export type Plan =
  | { action: 'stream' }
  /** Nothing was there yet. */
  | { action: 'create'; publication: boolean }
  /** Changes are lost; go on behind the gap. With `slot`, the old one is dropped first, if there is one. */
  | { action: 'recreate'; slot: boolean; publication: boolean; reason: string }
  | { action: 'fail'; reason: string }

/** @param broken what the server has said when the slot was read and could not be */
export function plan(situation: Situation, known: Known | undefined, options: PostgresOptions, broken?: string): Plan {
  const { slot, publication } = situation
  const names = { slot: `slot ${options.slot.name}`, publication: `publication ${options.publication.name}` }
  const missing = publication === undefined
  const fail = (reason: string): Plan => ({ action: 'fail', reason })

  function lost(what: string, whole = true): Plan {
    if (options.slot.onLost !== 'recreate') {
      return fail(`${what}. Changes are lost. Bring the receivers up to date, then ${whole ? BOTH : MOVED}`)
    }
    if (missing && !options.publication.create) return fail(`${what}, and publication.create is not set`)
    return { action: 'recreate', slot: whole, publication: missing, reason: what }
  }

  if (known && situation.end < known.acknowledged) {
    return fail(
      `The database's log ends before what was already read of it: it was restored from an older copy. Bring the receivers up to date, then remove the daemon's own files of positions and start again`,
    )
  }
  if (!slot) {
    if (known) return lost(`The ${names.slot} is gone`)
    if (!options.slot.create) return fail(`There is no ${names.slot}: create it, or set slot.create`)
    if (missing && !options.publication.create) {
      return fail(`There is no ${names.publication}: create it before the slot, or set publication.create`)
    }
    return { action: 'create', publication: missing }
  }
  if (slot.type !== 'logical' || slot.plugin !== 'pgoutput') {
    return fail(`The ${names.slot} is ${slot.type} ${slot.plugin ?? ''}, not logical pgoutput: configure another name`)
  }
  if (slot.database !== situation.database.name) {
    return fail(`The ${names.slot} belongs to the database ${slot.database}: configure another name`)
  }
  const why = invalidated(slot)
  if (why) return lost(`The server has invalidated the ${names.slot} (${why})`)
  if (missing) {
    if (known) return lost(`The ${names.publication} is gone`)
    return fail(
      `There is no ${names.publication}, but a ${names.slot}: drop the slot, create the publication, then the slot`,
    )
  }
  if (known && publication.oid !== known.publication) {
    return lost(`The ${names.publication} was dropped and made again: what was written in between was not published`)
  }
  if (broken !== undefined) return lost(`The ${names.slot} cannot be read: ${broken}`)
  if (known && (parseLsn(slot.confirmedFlushLsn) ?? 0n) > known.acknowledged) {
    const what = `The ${names.slot} stands at ${slot.confirmedFlushLsn}, further on than it was left`
    return lost(`${what}: it was made again, or somebody else has read it`, false)
  }
  return { action: 'stream' }
}

const BOTH = 'set slot.onLost to recreate, or drop and create slot and publication yourself and remove the slot file'
const MOVED = 'set slot.onLost to recreate for one start, or remove the slot file'
