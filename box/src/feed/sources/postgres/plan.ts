/** Decides what to do with slot and publication as they were found. Pure. */
import { type Lsn, parseLsn } from '../../lsn.ts'
import { invalidated, type Situation } from './catalog.ts'
import type { PostgresOptions } from './options.ts'

/** The slot's state when it was last read. */
export interface Known {
  /** The last acknowledged position. A slot that is further was moved by another reader. Undefined: not known. */
  readonly acknowledged: Lsn | undefined
  /** The publication's oid: a new one under the same name has another. Empty: not known. */
  readonly publication: string
}

export type Plan =
  | { action: 'stream' }
  /** There is neither a slot nor a memory of one. */
  | { action: 'create'; publication: boolean }
  /** Changes are lost; go on behind the gap. With `slot`, the slot is made anew, and an old one dropped first. */
  | { action: 'recreate'; slot: boolean; publication: boolean; reason: string }
  | { action: 'fail'; reason: string }

export interface Trouble {
  /** The server's error when the slot could not be read. */
  readonly broken?: string | undefined
  /** Reason why the server does not have the log of which a part is delivered. */
  readonly apart?: string | undefined
}

export function plan(
  situation: Situation,
  known: Known | undefined,
  options: PostgresOptions,
  { broken, apart }: Trouble = {},
): Plan {
  const { slot, publication } = situation
  const names = { slot: `slot ${options.slot.name}`, publication: `publication ${options.publication.name}` }
  const missing = publication === undefined
  const fail = (reason: string): Plan => ({ action: 'fail', reason })

  function lost(what: string, whole = true): Plan {
    if (options.slot.onLost !== 'recreate') {
      if (apart !== undefined) return fail(`${apart}. ${APART}`)
      return fail(`${what}. Changes are lost. Bring the receivers up to date, then ${whole ? BOTH : MOVED}`)
    }
    if (missing && !options.publication.create) return fail(`${what}, and publication.create is not set`)
    return { action: 'recreate', slot: whole, publication: missing, reason: what }
  }

  if (!slot) {
    if (apart !== undefined) return lost(apart)
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
  // A slot that came along with the other log has kept everything since its position: it is read on from there.
  if (apart !== undefined) return lost(apart, why !== undefined || missing)
  if (why) return lost(`The server has invalidated the ${names.slot} (${why})`)
  if (missing) {
    if (known) return lost(`The ${names.publication} is gone`)
    return fail(
      `There is no ${names.publication}, but a ${names.slot}: drop the slot, create the publication, then the slot`,
    )
  }
  if (known?.publication && publication.oid !== known.publication) {
    return lost(`The ${names.publication} was dropped and made again: what was written in between was not published`)
  }
  if (broken !== undefined) return lost(`The ${names.slot} cannot be read: ${broken}`)
  if (known?.acknowledged !== undefined && (parseLsn(slot.confirmedFlushLsn) ?? 0n) > known.acknowledged) {
    const what = `The ${names.slot} stands at ${slot.confirmedFlushLsn}, further on than it was left`
    return lost(`${what}: it was made again, or somebody else has read it`, false)
  }
  return { action: 'stream' }
}

const BOTH = 'set slot.onLost to recreate, or drop and create slot and publication yourself and remove the slot file'
const MOVED = 'set slot.onLost to recreate for one start, or remove the slot file'
const APART =
  'What was delivered and what would come next do not join: changes may be missing, and others may have ids that the receivers know. Bring the receivers up to date, let them forget the last id, then set slot.onLost to recreate for one start, or remove slot.json and positions.json from stateDir'
