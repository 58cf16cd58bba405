/**
 * Invites that pair a tablet or a phone with a person of the staff: a code of 128 random bits, good once, for ten minutes. In memory
 * alone: whoever restarts the box makes another one.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type By, whoOf } from '../ca/actor.ts'
import { iso } from '../clock/iso.ts'
import { GatehouseError } from '../errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { People } from './people.ts'

const GOOD_FOR_MS = 10 * 60_000
/** Of those that nobody has used; used and expired ones are remembered as long as there is room, so that their links can say so. */
const MOST_OPEN = 50
const DAY_MS = 86_400_000

export interface TabletInvite {
  /** Id of the tablet, and of the session that it will have. */
  readonly tablet: string
  /** Name of the tablet. */
  readonly name: string
  /** Id of the person. */
  readonly person: string
  /** Unix ms. */
  readonly expiresAt: number
  /** Unix ms: a day after the event, as for scanners. */
  readonly sessionUntil: number
}

interface Kept extends TabletInvite {
  state: 'open' | 'used' | 'withdrawn'
}

export class TabletInvites {
  readonly #ledger: Ledger
  readonly #people: People
  readonly #now: () => number
  readonly #sessionUntil: number
  /** By the hash of the code, oldest first. */
  readonly #byHash = new Map<string, Kept>()

  /** @param deps `endsAt` of the event, unix ms */
  constructor(deps: { ledger: Ledger; people: People; now: () => number; endsAt: number }) {
    this.#ledger = deps.ledger
    this.#people = deps.people
    this.#now = deps.now
    this.#sessionUntil = deps.endsAt + DAY_MS
    // As their sessions end, so does what would open another one.
    deps.people.onChanged(({ id }) => {
      for (const invite of this.#byHash.values())
        if (invite.person === id && this.#isOpen(invite)) invite.state = 'withdrawn'
    })
  }

  /** @throws GatehouseError `not_found` for nobody on the list; `conflict` for somebody without a PIN, after the event, and for too many open ones */
  async make(person: string, name: string, by: By): Promise<{ invite: TabletInvite; code: string }> {
    const found = this.#people.find(person)
    if (!found)
      throw new GatehouseError('not_found', 'Nobody on the list of staff has this id: look at the list again.', {
        reason: 'person_unknown',
      })
    if (found.secret === null)
      throw new GatehouseError('conflict', 'A tablet is unlocked with a PIN: give this person one first.', {
        reason: 'tablet_needs_pin',
      })
    const at = this.#now()
    if (at >= this.#sessionUntil) {
      const date = iso(this.#sessionUntil - DAY_MS).slice(0, 10)
      throw new GatehouseError(
        'conflict',
        'This event is over: correct ends_at in event.json or the clock of the box.',
        {
          reason: 'event_over',
          values: { date },
        },
      )
    }
    this.#makeRoom()
    const code = randomBytes(16).toString('base64url')
    const tablet = `tab-${randomBytes(6).toString('hex')}`
    const times = { expiresAt: at + GOOD_FOR_MS, sessionUntil: this.#sessionUntil }
    const invite: Kept = { tablet, name, person, ...times, state: 'open' }
    await this.#ledger.commit(() => {
      const said = { action: 'invited', session: tablet, of: person, device: tablet } as const
      this.#ledger.append('session', { ...whoOf(by), ...said })
    })
    this.#byHash.set(hashOf(code), invite)
    return { invite, code }
  }

  /**
   * Takes an invite: of two tablets with one link the first gets it. What fails after this gives it back.
   * @param wrong called for a code that this box has not made
   * @throws GatehouseError `not_found`, `invite_used`, `invite_expired`: the message says what to do
   */
  take(code: string, wrong: () => void): { invite: TabletInvite; giveBack: () => void } {
    const invite = this.#byHash.get(hashOf(code))
    if (!invite) {
      wrong()
      throw new GatehouseError('not_found', 'This box does not know this link: ask an admin for a new one.', {
        reason: 'tablet_link_unknown',
      })
    }
    if (invite.state === 'used')
      throw new GatehouseError('invite_used', 'This link has been used: ask an admin for a new one.', {
        reason: 'tablet_link_used',
      })
    if (!this.#isOpen(invite))
      throw new GatehouseError('invite_expired', 'This link has expired: ask an admin for a new one.', {
        reason: 'tablet_link_expired',
      })
    invite.state = 'used'
    const giveBack = () => {
      invite.state = 'open'
    }
    return { invite, giveBack }
  }

  #isOpen({ state, expiresAt }: Kept): boolean {
    return state === 'open' && this.#now() < expiresAt
  }

  #makeRoom(): void {
    if (this.#byHash.size < MOST_OPEN) return
    for (const [hash, invite] of this.#byHash) {
      if (this.#isOpen(invite)) continue
      this.#byHash.delete(hash)
      return
    }
    throw new GatehouseError(
      'conflict',
      `${MOST_OPEN} links wait to be used: wait ten minutes, then make another one.`,
      { reason: 'tablet_links_many', values: { most: MOST_OPEN } },
    )
  }
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
