/** Claims: a phone makes a ticket its own with a key that only it has; the organiser can release the ticket again. */
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { claimBytes } from '@gatehouse/proto/claim.ts'
import { isStrictKey } from '@gatehouse/proto/ed25519-rule.ts'
import type { ClaimRequest } from '@gatehouse/proto/wire/attendee.ts'
import { type By, whoOf } from '../ca/actor.ts'
import { verifyEd25519 } from '../ed25519.ts'
import { GatehouseError } from '../errors.ts'
import type { Ticket } from '../ledger/schema.ts'
import { newKey } from './key.ts'
import { noSuchTicket, type TicketAction, type TicketDeps } from './tickets.ts'

/**
 * Replaces the ticket's key by the phone's. The box deletes its seed in the same transaction, so that a forwarded link makes no
 * valid code any more.
 * @param id the ticket id, which the proof names: a proof is valid for one ticket only
 * @returns when the ticket was claimed, unix ms; the same again for the same key
 * @throws GatehouseError `not_found`; `bad_request` for key or proof; `conflict` when another key was first
 */
export async function claimTicket(id: string, request: ClaimRequest, deps: TicketDeps): Promise<number> {
  const { ledger, tickets, codes, now } = deps
  const publicKey = bytesOf('public_key', request.public_key)
  const proof = bytesOf('proof', request.proof)
  if (!isStrictKey(publicKey))
    throw new GatehouseError(
      'bad_request',
      'The field "public_key" is not an Ed25519 key: make a new key on the phone, and claim the ticket with that.',
    )
  // Only once the ticket was found, so that a bad proof tells nobody who guesses ids whether one exists. And before the
  // transaction, which scans wait for.
  const found = tickets.byTicketId(id)
  if (!found) throw noSuchTicket()
  if (!verifyEd25519(publicKey, claimBytes(id), proof)) {
    throw new GatehouseError(
      'bad_request',
      'The proof is not by this key for this ticket: make a new key and try again.',
    )
  }
  // The same claim again changes nothing, and needs no transaction.
  const earlier = claimedBy(found, publicKey)
  if (earlier !== null) return earlier
  return ledger.commit(
    () => {
      const ticket = tickets.byTicketId(id)
      if (!ticket) throw noSuchTicket()
      const first = claimedBy(ticket, publicKey)
      if (first !== null) return first
      const claimedAt = now()
      const keyHash = codes.hash(publicKey)
      const { index } = ledger.append('claim', { code: keyHash.toString('hex'), ticket: ticket.ref })
      tickets.rekey(ticket, { seed: Buffer.alloc(0), publicKey: Buffer.from(publicKey), keyHash }, claimedAt, index)
      return claimedAt
    },
    { patient: true },
  )
}

/** @returns when this key claimed the ticket; null for one that nobody has claimed @throws GatehouseError `conflict` */
function claimedBy(ticket: Ticket, publicKey: Uint8Array): number | null {
  if (ticket.claimedAt === null || ticket.publicKey.equals(publicKey)) return ticket.claimedAt
  throw new GatehouseError(
    'conflict',
    'This ticket was claimed on another phone: show it there, or ask the organiser to release it.',
    { reason: 'claimed_elsewhere' },
  )
}

/**
 * Releases a claimed ticket: the phone's key opens nothing any more, and the link shows the ticket again, with a new seed.
 * @param id the ticket's ref, its printed code, or its ticket id
 * @returns the ticket's ref
 * @throws GatehouseError `not_found`; `conflict` when nobody has claimed it
 */
export async function releaseClaim(
  id: string,
  { reason, expect, ...who }: By & TicketAction,
  deps: TicketDeps,
): Promise<string> {
  const { ledger, tickets, codes } = deps
  const key = await newKey(codes)
  return ledger.commit(() => {
    const ticket = tickets.lookUp(id, codes)
    if (!ticket) throw noSuchTicket()
    expect?.(ticket)
    if (ticket.claimedAt === null)
      throw new GatehouseError('conflict', 'Nobody has claimed this ticket: its link works.', { reason: 'not_claimed' })
    const code = key.keyHash.toString('hex')
    const { index } = ledger.append('release', { ...whoOf(who), code, reason, ticket: ticket.ref })
    tickets.rekey(ticket, key, null, index)
    return ticket.ref
  })
}

function bytesOf(field: string, text: string): Uint8Array {
  const bytes = fromBase64(text)
  if (!bytes) throw new GatehouseError('bad_request', `The field "${field}" is not Base64: update the wallet.`)
  return bytes
}
