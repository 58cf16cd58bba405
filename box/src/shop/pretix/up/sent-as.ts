/**
 * The device and the lists as which pretix was told. pretix knows a repeated nonce at one position, one list and one device: after a change of
 * token or of the mapping, a call whose answer was lost would be a second check-in. So what may have been sent before such a change is
 * looked for in pretix before it is sent again. Kept in the ledger; every method that writes runs within a transaction of its caller.
 */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../../ledger/db.ts'
import { readValue, writeValue } from '../../../ledger/identity.ts'
import type { Places } from './journals.ts'

const NAME = 'shop_push_sent_as'

const Kept = Type.Object({
  target: Type.String(),
  /** Digest of device and lists (`ShopSide.as`). */
  as: Type.String(),
  /** By box: entries before this place may have been sent otherwise, unless they are settled. */
  doubtful: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** Clock reading of an entry: those up to it may have been sent otherwise by another box, which had more of the journals than this one. */
  until: Type.Optional(Type.String()),
})
export type SentOtherwise = Pick<Static<typeof Kept>, 'as' | 'doubtful' | 'until'>

export class SentAs {
  readonly #db: Db
  readonly #target: string

  constructor(db: Db, target: string) {
    this.#db = db
    this.#target = target
  }

  /** Undefined before anything was sent. */
  get kept(): SentOtherwise | undefined {
    const kept = parsed(readValue(this.#db, NAME))
    return Value.Check(Kept, kept) && kept.target === this.#target ? kept : undefined
  }

  /** True for an entry that may have been sent as another device, or to another list. */
  isDoubtful({ box, place, hlc }: { box: string; place: number; hlc: string }): boolean {
    const { doubtful = {}, until = '' } = this.kept ?? {}
    return place < (doubtful[box] ?? 0) || hlc <= until
  }

  /** True where anything was ever sent as another device, or to other lists. */
  get hasChanged(): boolean {
    const { doubtful = {}, until } = this.kept ?? {}
    return until !== undefined || Object.keys(doubtful).length > 0
  }

  /** From now on it is sent as this. @param mayBeSent by box, the place up to which entries may have been sent */
  change(as: string, mayBeSent: Places): void {
    const { doubtful = {}, until } = this.kept ?? {}
    this.#write({ as, doubtful: merged(doubtful, mayBeSent), ...(until !== undefined && { until }) })
  }

  /**
   * After another box has spoken.
   * @param theirs of that box; nothing where it left nothing
   * @param now clock reading: it has sent nothing later
   */
  adopt(theirs: Partial<SentOtherwise>, own: string, now: string): void {
    const { doubtful = {}, until } = this.kept ?? {}
    // Nothing was sent later than now, whatever the other box says.
    const theirUntil = theirs.until !== undefined && theirs.until > now ? now : theirs.until
    const times = [until, theirUntil, theirs.as === own ? undefined : now].filter((one) => one !== undefined)
    const last = times.sort().at(-1)
    const both = merged(doubtful, theirs.doubtful ?? {})
    this.#write({ as: own, doubtful: both, ...(last !== undefined && { until: last }) })
  }

  #write(kept: SentOtherwise): void {
    writeValue(this.#db, NAME, Buffer.from(JSON.stringify({ target: this.#target, ...kept })))
  }
}

function merged(one: Places, other: Places): Places {
  const boxes = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...boxes].map((box) => [box, Math.max(one[box] ?? 0, other[box] ?? 0)]))
}

function parsed(value: Buffer | undefined): unknown {
  try {
    return value && JSON.parse(value.toString())
  } catch {
    return undefined
  }
}
