/**
 * Searching at a pretixSCAN. An exact code finds its ticket, because the desktop app sends every code with other signs than letters and
 * digits here. A name, an order or a seat is looked up as at a supervisor's scanner: with its rate, its limits and its entry.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { By } from '../ca/actor.ts'
import type { Device } from '../ca/roster.ts'
import { lookUp } from '../desk/look-up.ts'
import type { PageDeps } from '../desk/page.ts'
import type { LookUps } from '../desk/routes.ts'
import { questionOf } from '../desk/spelling.ts'
import { GatehouseError } from '../errors.ts'
import type { Checkpoint } from '../event/event.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import type { Ticket } from '../ledger/schema.ts'
import { admissions } from '../rights/right-to-enter.ts'
import type { CodeReader } from '../tickets/codes.ts'
import { holderOf } from '../tickets/current.ts'
import type { StillPaired } from './bearer.ts'
import type { Handles } from './handles.ts'

/** The Android app asks at each key: only the last of them is looked up. */
const SETTLED_MS = 400
const TOO_OFTEN = 'Look-ups are slowed down, so that nobody copies the list of names: wait a moment, then try again.'
const NO_NAMES = 'No such code. This scanner looks nobody up by name: send to the ticket desk.'

export interface SearchDeps extends PageDeps {
  codes: CodeReader
  handles: Handles
  lookUps: LookUps
  /** By device: as for supervisors' scanners. */
  lookUpBuckets: Pick<TokenBuckets, 'take'>
  stillPaired: StillPaired
}

/** A ticket that was found, before it has an app's form. */
export interface Found {
  secret: string
  ticket: Ticket
  /** Its kind, or what was bought. */
  name: string
  holder: string | null
  isRedeemed: boolean
  needsAttention: boolean
}

export class Searches {
  readonly #deps: SearchDeps
  /** The last question of each device, which ends the wait of the one before. */
  readonly #last = new Map<string, symbol>()

  constructor(deps: SearchDeps) {
    this.#deps = deps
  }

  /**
   * @returns nothing for fewer than three letters, and for a question that was overtaken by the next
   * @throws GatehouseError `bad_request` for a device that may not look people up, or does so too often; `ledger_unavailable`
   * @throws Unauthorized for a device that was revoked while it typed
   */
  async find(query: string, device: Device, list: Checkpoint, by: Pick<By, 'address'>): Promise<Found[]> {
    const { tickets, codes } = this.#deps
    const exact = query === '' || query.length > 1024 ? undefined : tickets.openedBy(codes.read(query))
    if (exact) {
      this.#last.delete(device.id)
      return [this.#found(query, exact, list)]
    }
    if (!questionOf(query)) return []
    if (!(await this.#settles(device.id))) return []
    this.#deps.stillPaired(device.id)
    return this.#byName(query, device, list, by)
  }

  async #byName(text: string, device: Device, list: Checkpoint, by: Pick<By, 'address'>): Promise<Found[]> {
    const { event, lookUps, lookUpBuckets, tickets, handles } = this.#deps
    if (!device.supervisor || lookUps !== 'supervisors' || event.scanners_see === 'none') {
      throw new GatehouseError('bad_request', NO_NAMES)
    }
    // As 400, the one refusal whose sentence an app shows.
    if (lookUpBuckets.take(device.id) > 0) throw new GatehouseError('bad_request', TOO_OFTEN)
    const answer = await lookUp({ text }, { ...by, actor: device.name, device: device.id }, this.#deps)
    return answer.tickets.flatMap(({ ticket: ref }) => {
      const ticket = tickets.byRef(ref)
      return ticket ? [this.#found(handles.add(device.id, ref), ticket, list)] : []
    })
  }

  async #settles(device: string): Promise<boolean> {
    const own = Symbol('search')
    this.#last.set(device, own)
    await sleep(SETTLED_MS)
    if (this.#last.get(device) !== own) return false
    this.#last.delete(device)
    return true
  }

  #found(secret: string, ticket: Ticket, list: Checkpoint): Found {
    const { event, tickets, details } = this.#deps
    const { product, attention } = details.detailsOf(ticket)
    const movements = tickets.movementsOf(ticket.id).filter(({ to }) => to === list.to)
    return {
      secret,
      ticket,
      name: product?.name ?? event.tierById.get(ticket.tier)?.name ?? ticket.tier,
      holder: event.scanners_see === 'none' ? null : holderOf(ticket),
      isRedeemed: admissions(movements) > 0,
      needsAttention: attention,
    }
  }
}

export type ShopStatus = 'PAID' | 'PENDING' | 'CANCELED'

export function statusOf({ status, revokedAt }: Pick<Ticket, 'status' | 'revokedAt'>): ShopStatus {
  if (status === 'revoked' || revokedAt !== null) return 'CANCELED'
  return status === 'pending' ? 'PENDING' : 'PAID'
}

/** As the proxy has it; flags in both spellings, because the apps' libraries differ. */
export function proxyResult({ secret, ticket, name, holder, isRedeemed, needsAttention }: Found): object {
  return {
    secret,
    ticket: name,
    variation: null,
    attendee_name: holder,
    seat: ticket.seat,
    orderCode: ticket.orderCode,
    positionId: ticket.position,
    addonText: null,
    status: statusOf(ticket),
    ...{ isRedeemed, redeemed: isRedeemed, isRequireAttention: needsAttention, requireAttention: needsAttention },
    position: null,
  }
}
