/** Says why a box is in its mode: a sentence for the control room, and a clause for a gate. Pure. */
import { speechOf } from '@gatehouse/proto/speech.ts'
import type { UnreachablePeer } from '../../rights/mode.ts'
import type { Obstacle } from './mode.ts'

const { duration } = speechOf('en-GB')

/** Another box that answers, but whose journal cannot be used. */
export interface RefusedPeer {
  name: string
  /** The reason, for a person: a clause without a full stop. */
  problem: string
}

/** "Gate South unheard for 3 minutes": the longest silence, and how many more there are. */
export function unreachableClause(unreachable: readonly UnreachablePeer[]): string | undefined {
  const [longest, ...others] = [...unreachable].sort((a, b) => (b.ms ?? Infinity) - (a.ms ?? Infinity))
  if (!longest) return undefined
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return longest.ms === null
    ? `${longest.name} not heard since this box started${more}`
    : `${longest.name} unheard for ${duration(longest.ms)}${more}`
}

/** The text that a steward reads beside a provisional admission. */
export function gateClause(
  obstacle: Obstacle | null,
  { unreachable, refused: [first] }: { unreachable: readonly UnreachablePeer[]; refused: readonly RefusedPeer[] },
): string {
  const clause = unreachableClause(unreachable)
  switch (obstacle) {
    case 'behind':
      return first ? `nothing can be taken from ${first.name}` : (clause ?? 'the boxes are still comparing notes')
    case 'forced':
      return clause ?? 'the control room has said that a gate may not be heard'
    case 'unreachable':
      return clause ?? 'the other boxes do not answer'
    default:
      return clause ?? 'the boxes are still comparing notes'
  }
}

/**
 * The text that the control room shows beside the mode.
 * @param unconfirmed admissions of this box that are not in the reservation stream yet
 */
export function modeReason(
  obstacle: Obstacle | null,
  {
    unconfirmed,
    unreachable,
    refused,
  }: { unconfirmed: number; unreachable: readonly UnreachablePeer[]; refused: readonly RefusedPeer[] },
): string {
  const clause = unreachableClause(unreachable)
  const tail = clause ? ` (${clause})` : ''
  switch (obstacle) {
    case null:
      return `The boxes hear each other${tail}.`
    case 'forced':
      return 'Somebody in the control room has said so.'
    case 'unreachable':
      return `Most of the boxes that vote do not answer${tail}.`
    case 'epoch':
      return `It is not certain that no other box has become the authority meanwhile${tail}.`
    case 'unsynced':
      return 'The boxes that vote do not say that they write to disk before they answer.'
    case 'backfill':
      return 'The record of who is inside is being told to the boxes that vote.'
    case 'unconfirmed':
      return `${unconfirmed} ${unconfirmed === 1 ? 'admission is' : 'admissions are'} being confirmed with the other boxes.`
    case 'behind':
      // A journal that is refused does not arrive by waiting: somebody has to act.
      return refusedSentences(refused) ?? 'What happened at other boxes is still arriving.'
    case 'settling':
      return 'The boxes hear each other again, and this one waits ten seconds to be sure.'
  }
}

function refusedSentences([first, ...others]: readonly RefusedPeer[]): string | undefined {
  if (!first) return undefined
  const more = others.length === 0 ? '' : ` Nor from ${others.length} more.`
  return `Nothing can be taken from ${first.name}: ${first.problem}.${more}`
}
