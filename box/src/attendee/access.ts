/** Access to a ticket: everybody who has its id, and once it is claimed, only requests that the claiming phone signed. */
import { createHash } from 'node:crypto'
import { requestedUrl } from '@gatehouse/proto/signature/base.ts'
import { replayCache } from '@gatehouse/proto/signature/replay.ts'
import { verifyRequest } from '@gatehouse/proto/signature/verify.ts'
import type { FastifyRequest } from 'fastify'
import { verifyEd25519 } from '../ed25519.ts'
import { GatehouseError } from '../errors.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import type { Ticket } from '../ledger/schema.ts'
import { networkOf } from '../network.ts'
import { noSuchTicket, type Tickets } from '../tickets/tickets.ts'

export interface AccessDeps {
  tickets: Tickets
  /** By address, for ids of no ticket: whoever guesses is slowed down, and others behind the same address are not. */
  missBuckets: TokenBuckets
  /** Unix ms. */
  now: () => number
}

type TicketRequest = FastifyRequest<{ Params: { id: string } }>

export class TicketAccess {
  readonly #deps: AccessDeps
  readonly #seen = replayCache()

  constructor(deps: AccessDeps) {
    this.#deps = deps
  }

  /** The ticket of the path, for a request that may see it. @throws GatehouseError `not_found`, `not_allowed`, `rate_limited` */
  async open(request: TicketRequest): Promise<Ticket> {
    const ticket = this.find(request)
    if (!ticket) throw noSuchTicket()
    if (ticket.claimedAt === null || (await this.#isSigned(request, ticket.publicKey))) return ticket
    throw new GatehouseError('not_allowed', 'This ticket was claimed on another phone: open it there.')
  }

  /**
   * The ticket of the path, if there is one. Only ids of no ticket count against the limit: any other limit would shut out
   * everybody who shares an address.
   * @throws GatehouseError `rate_limited`
   */
  find(request: TicketRequest): Ticket | undefined {
    const { tickets, missBuckets } = this.#deps
    const ticket = tickets.byTicketId(request.params.id)
    if (!ticket)
      missBuckets.require(networkOf(request.ip), 'Too many wrong links from here: wait a minute, then open yours.')
    return ticket
  }

  async #isSigned(request: FastifyRequest, publicKey: Buffer): Promise<boolean> {
    const url = requestedUrl(request.protocol, request.headers.host, request.url)
    if (url === undefined) return false
    const { ok } = await verifyRequest(
      { method: request.method, url, headers: request.headers },
      {
        now: this.#deps.now(),
        keyFor: (keyId) =>
          keyId === publicKey.toString('base64url')
            ? { alg: 'ed25519', verify: (base, signature) => verifyEd25519(publicKey, base, signature) }
            : undefined,
        seen: this.#seen,
        sha256: (bytes) => createHash('sha256').update(bytes).digest(),
      },
    )
    return ok
  }
}
