/** The sentences about another box whose journal cannot be followed. Pure. */
import type { Coded, CodeOf } from '@gatehouse/proto/said.ts'
import { ForeignTicketError } from './apply/tickets.ts'
import { EnvelopeError, type PeerPage } from './envelope.ts'
import { ForkError } from './peer-journal.ts'
import type { RefusalReason } from './signed-message.ts'

/** Why another box is not followed or believed: a clause without a full stop, and what it says as a code. */
export interface PeerProblem {
  text: string
  coded: Coded<CodeOf<'peer'>>
}

/**
 * The problem of a box that has not answered since this one started, where something else answers in its place. Anybody can send
 * such answers, so the box only counts as silent.
 */
export const NEVER_ANSWERED: Readonly<Partial<Record<RefusalReason, PeerProblem>>> = {
  unsigned: {
    text: 'its messages are not signed. If it has an older version, update it; otherwise another machine is using its name',
    coded: { code: 'not_signed' },
  },
  stranger: {
    text: 'a machine that is not on the list of boxes answers in its place: find out which',
    coded: { code: 'stranger' },
  },
  forged: { text: 'another machine answers in its place: find out which', coded: { code: 'forged' } },
}

/** The problem of a box whose answers are signed by it, but encrypted for another list of boxes. The two exchange their lists meanwhile. */
export const LOCKED: PeerProblem = {
  text: 'its messages are encrypted for another list of boxes. They can be read once both boxes have the same list',
  coded: { code: 'other_key' },
}

/** True if the sender is to blame for an error, and not this box. */
export function isTheirs(error: unknown): error is Error {
  return [EnvelopeError, ForkError, ForeignTicketError].some((kind) => error instanceof kind)
}

export function problemOf(error: unknown): PeerProblem {
  if (!isTheirs(error)) return { text: 'what it wrote cannot be applied here', coded: { code: 'not_applied' } }
  // Which field of which entry is wrong says something to a person who reads the log of the box, where the sentence is.
  return { text: error.message, coded: { code: error instanceof ForkError ? 'history_changed' : 'misshapen' } }
}

/** @throws EnvelopeError for a page of another range than the one that was asked for */
export function checkRange({ entries: [first] }: PeerPage, from: number): void {
  if (first && first.index !== from) throw new EnvelopeError('a page of another range than was asked for')
}
