/** Why a box is in its mode, in a sentence for the control room and in a clause for a gate. Pure. */
import { duration } from '@gatehouse/proto/verdict-words.ts'
import type { Obstacle } from './mode.ts'

/** Another box that is not heard now. */
export interface Unheard {
  name: string
  /** Null when it was not heard since this box started. */
  ms: number | null
}

/** Another box that answers, and of whose journal nothing can be taken. */
export interface Refused {
  name: string
  /** Why: for a person, and no sentence. */
  problem: string
}

/** "Gate South unheard for 3 minutes"; the longest silence, and how many more there are. */
export function unheardClause(unheard: readonly Unheard[]): string | undefined {
  const [longest, ...others] = [...unheard].sort((a, b) => (b.ms ?? Infinity) - (a.ms ?? Infinity))
  if (!longest) return undefined
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return longest.ms === null
    ? `${longest.name} not heard since this box started${more}`
    : `${longest.name} unheard for ${duration(longest.ms)}${more}`
}

/** What a steward reads beside a provisional admission. */
export function gateClause(
  obstacle: Obstacle | null,
  { unheard, refused: [first] }: { unheard: readonly Unheard[]; refused: readonly Refused[] },
): string {
  const who = unheardClause(unheard)
  switch (obstacle) {
    case 'behind':
      return first ? `nothing can be taken from ${first.name}` : (who ?? 'the boxes are still comparing notes')
    case 'forced':
      return who ?? 'the control room has said that a gate may not be heard'
    case 'unheard':
      return who ?? 'the other boxes do not answer'
    default:
      return who ?? 'the boxes are still comparing notes'
  }
}

/** Why, for the control room. @param owed admissions that are not claimed yet */
export function modeReason(
  obstacle: Obstacle | null,
  { owed, unheard, refused }: { owed: number; unheard: readonly Unheard[]; refused: readonly Refused[] },
): string {
  const who = unheardClause(unheard)
  const tail = who ? ` (${who})` : ''
  switch (obstacle) {
    case null:
      return `The boxes hear each other${tail}.`
    case 'forced':
      return 'Somebody in the control room has said so.'
    case 'unheard':
      return `Most of the boxes that vote do not answer${tail}.`
    case 'epoch':
      return `It is not certain that no other box has become the authority meanwhile${tail}.`
    case 'unsynced':
      return 'The boxes that vote do not say that they write to disk before they answer.'
    case 'unfilled':
      return 'The record of who is inside is being told to the boxes that vote.'
    case 'owing':
      return `${owed} ${owed === 1 ? 'admission is' : 'admissions are'} being confirmed with the other boxes.`
    case 'behind':
      // Nobody needs to wait for it: somebody has to do something.
      return refusedSentences(refused) ?? 'What happened at other boxes is still arriving.'
    case 'settling':
      return 'The boxes hear each other again, and this one waits ten seconds to be sure.'
  }
}

function refusedSentences([first, ...others]: readonly Refused[]): string | undefined {
  if (!first) return undefined
  const more = others.length === 0 ? '' : ` Nor from ${others.length} more.`
  return `Nothing can be taken from ${first.name}: ${first.problem}.${more}`
}
