/** The sentences about another box whose journal cannot be followed. Pure. */
import { ForeignTicketError } from './apply/tickets.ts'
import { EnvelopeError, type PeerPage } from './envelope.ts'
import { ForkError } from './peer-journal.ts'
import type { RefusalReason } from './signed-message.ts'

/**
 * The problem of a box that has not answered since this one started, where something else answers in its place. Anybody can send
 * such answers, so the box only counts as silent.
 */
export const NEVER_ANSWERED: Readonly<Partial<Record<RefusalReason, string>>> = {
  unsigned:
    'its messages are not signed. If it has an older version, update it; otherwise another machine is using its name',
  stranger: 'a machine that is not on the list of boxes answers in its place: find out which',
  forged: 'another machine answers in its place: find out which',
}

/** The problem of a box whose answers are signed by it, but encrypted for another list of boxes. The two exchange their lists meanwhile. */
export const LOCKED =
  'its messages are encrypted for another list of boxes. They can be read once both boxes have the same list'

/** True if the sender is to blame for an error, and not this box. */
export function isTheirs(error: unknown): error is Error {
  return [EnvelopeError, ForkError, ForeignTicketError].some((kind) => error instanceof kind)
}

export function reasonOf(error: unknown): string {
  return isTheirs(error) ? error.message : 'what it wrote cannot be applied here'
}

/** @throws EnvelopeError for a page of another range than the one that was asked for */
export function checkRange({ entries: [first] }: PeerPage, from: number): void {
  if (first && first.index !== from) throw new EnvelopeError('a page of another range than was asked for')
}
