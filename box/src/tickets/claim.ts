/** Claims: a phone takes a ticket for its own; the organiser lets it go again. */
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { claimBytes, isUsableKey } from '@gatehouse/proto/claim.ts'
import type { ClaimRequest } from '@gatehouse/proto/wire/attendee.ts'
import { GatehouseError } from '../errors.ts'
import type { By } from '../http/actor.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type CodeReader, verifyEd25519 } from './codes.ts'
import { newKey } from './key.ts'
import { noSuchTicket, type Tickets } from './tickets.ts'

export interface ClaimDeps {
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  /** Unix ms. */
  now: () => number
}

/**
 * Replaces the ticket's key by the phone's own. The seed dies in the same transaction, and with it every code that a
 * forwarded link could still make.
 * @param id the ticket id, which the proof names: one proof is good for one ticket
 * @returns when the ticket was claimed, unix ms; the same again for the same key
 * @throws GatehouseError `not_found`; `bad_request` for key or proof; `conflict` when another key was first
 */
export async function claimTicket(id: string, request: ClaimRequest, deps: ClaimDeps): Promise<number> {
  const { ledger, tickets, codes, now } = deps
  const publicKey = bytesOf('public_key', request.public_key)
  const proof = bytesOf('proof', request.proof)
  return ledger.commit(() => {
    const ticket = tickets.byRef(tickets.refOf(id))
    if (!ticket) throw noSuchTicket()
    // After the ticket was found: whoever guesses ids learns nothing from how a bad proof is answered.
    if (!isUsableKey(publicKey) || !verifyEd25519(publicKey, claimBytes(id), proof)) {
      throw new GatehouseError(
        'bad_request',
        'The proof is not by this key for this ticket: make a new key and try again.',
      )
    }
    if (ticket.claimedAt !== null) {
      if (ticket.publicKey.equals(publicKey)) return ticket.claimedAt
      throw new GatehouseError(
        'conflict',
        'This ticket was claimed on another phone: show it there, or ask the organiser to release it.',
      )
    }
    const claimedAt = now()
    const keyHash = codes.hash(publicKey)
    const { index } = ledger.append('claim', { code: keyHash.toString('hex'), ticket: ticket.ref })
    tickets.rekey(ticket, { seed: Buffer.alloc(0), publicKey: Buffer.from(publicKey), keyHash }, claimedAt, index)
    return claimedAt
  })
}

/**
 * Takes a claim back: the phone's key opens nothing any more, and the link shows the ticket again, with a new seed.
 * @param id the ticket's ref, its printed code, or its ticket id
 * @returns the ticket's ref
 * @throws GatehouseError `not_found`; `conflict` when nobody has claimed it
 */
export async function releaseClaim(
  id: string,
  { actor, address, reason }: By & { reason: string },
  deps: ClaimDeps,
): Promise<string> {
  const { ledger, tickets, codes } = deps
  const key = await newKey(codes)
  return ledger.commit(() => {
    const ticket = tickets.named(id, codes)
    if (!ticket) throw noSuchTicket()
    if (ticket.claimedAt === null)
      throw new GatehouseError('conflict', 'Nobody has claimed this ticket: its link works.')
    const code = key.keyHash.toString('hex')
    const { index } = ledger.append('release', { actor, address, code, reason, ticket: ticket.ref })
    tickets.rekey(ticket, key, null, index)
    return ticket.ref
  })
}

function bytesOf(field: string, text: string): Uint8Array {
  const bytes = fromBase64(text)
  if (!bytes) throw new GatehouseError('bad_request', `The field "${field}" is not Base64: update the wallet.`)
  return bytes
}
