/** Says why a box is in its mode: sentences for the control room, also as codes, and a clause for a gate. Pure. */
import type { Coded, CodeOf } from '@gatehouse/proto/said.ts'
import { speechOf } from '@gatehouse/proto/speech.ts'
import type { UnreachablePeer } from '../../rights/mode.ts'
import type { PeerProblem } from '../replication/follower-problems.ts'
import type { Obstacle } from './mode.ts'

const { duration } = speechOf('en-GB')

/** Another box that answers, but whose journal cannot be used. */
export interface RefusedPeer {
  name: string
  problem: PeerProblem
}

/** The same twice: for whoever reads English, and for apps, where each code is a sentence. */
export interface ModeReason {
  text: string
  coded: readonly Coded<CodeOf<'mode' | 'peer'>>[]
}

/** "Gate South unheard for 3 minutes": the longest silence, and how many more there are. */
export function unreachableClause(unreachable: readonly UnreachablePeer[]): string | undefined {
  const [longest, ...others] = longestFirst(unreachable)
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
): ModeReason {
  const clause = unreachableClause(unreachable)
  const tail = clause ? ` (${clause})` : ''
  const silent = silentCoded(unreachable)
  switch (obstacle) {
    case null:
      return { text: `The boxes hear each other${tail}.`, coded: [{ code: 'in_contact' }, ...silent] }
    case 'forced':
      return { text: 'Somebody in the control room has said so.', coded: [{ code: 'forced' }] }
    case 'unreachable':
      return {
        text: `Most of the boxes that vote do not answer${tail}.`,
        coded: [{ code: 'votes_unreachable' }, ...silent],
      }
    case 'epoch':
      return {
        text: `It is not certain that no other box has become the authority meanwhile${tail}.`,
        coded: [{ code: 'authority_unknown' }, ...silent],
      }
    case 'unsynced':
      return {
        text: 'The boxes that vote do not say that they write to disk before they answer.',
        coded: [{ code: 'voters_unsynced' }],
      }
    case 'backfill':
      return {
        text: 'The record of who is inside is being told to the boxes that vote.',
        coded: [{ code: 'backfilling' }],
      }
    case 'unconfirmed':
      return {
        text: `${unconfirmed} ${unconfirmed === 1 ? 'admission is' : 'admissions are'} being confirmed with the other boxes.`,
        coded: [{ code: 'confirming', values: { n: unconfirmed } }],
      }
    case 'behind':
      // A journal that is refused does not arrive by waiting: somebody has to act.
      return (
        refusedReason(refused) ?? {
          text: 'What happened at other boxes is still arriving.',
          coded: [{ code: 'arriving' }],
        }
      )
    case 'settling':
      return {
        text: 'The boxes hear each other again, and this one waits ten seconds to be sure.',
        coded: [{ code: 'settling' }],
      }
  }
}

/** As `unreachableClause`. */
function silentCoded(unreachable: readonly UnreachablePeer[]): Coded<CodeOf<'mode'>>[] {
  const [longest, ...others] = longestFirst(unreachable)
  if (!longest) return []
  const { name, ms } = longest
  return [
    ms === null
      ? { code: 'silent_since_start', values: { name } }
      : { code: 'silent', values: { name, for_ms: Math.round(ms) } },
    ...(others.length > 0 ? [{ code: 'silent_more' as const, values: { n: others.length } }] : []),
  ]
}

function refusedReason([first, ...others]: readonly RefusedPeer[]): ModeReason | undefined {
  if (!first) return undefined
  const { name, problem } = first
  const more = others.length === 0 ? '' : ` Nor from ${others.length} more.`
  return {
    text: `Nothing can be taken from ${name}: ${problem.text}.${more}`,
    coded: [
      { code: 'refused', values: { name } },
      problem.coded,
      ...(others.length > 0 ? [{ code: 'refused_more' as const, values: { n: others.length } }] : []),
    ],
  }
}

function longestFirst(unreachable: readonly UnreachablePeer[]): UnreachablePeer[] {
  return [...unreachable].sort((a, b) => (b.ms ?? Infinity) - (a.ms ?? Infinity))
}
