/** The state of each direction of a connected pretix, in a word that a colour goes with. Pure. */
import type { ShopPretix } from '@gatehouse/proto/wire/shop.ts'
import type { LinkState } from '../hq/link-state.ts'

export interface Shown<Word extends string> {
  word: Word
  tone: Exclude<LinkState, 'off'>
}

/** Behind by this much is said; less is what any delivery takes. */
const BEHIND_SECONDS = 10

export function downStateOf({
  connected,
  compared_at,
}: Pick<ShopPretix['down'], 'connected' | 'compared_at'>): Shown<'current' | 'first' | 'away'> {
  if (!connected) return { word: 'away', tone: 'away' }
  return compared_at === null ? { word: 'first', tone: 'behind' } : { word: 'current', tone: 'current' }
}

type UpWord = Exclude<ShopPretix['up']['state'], 'sending'> | 'current' | 'behind' | 'asleep'

export function upStateOf({
  state,
  lag_seconds,
  asleep,
}: Pick<ShopPretix['up'], 'state' | 'lag_seconds' | 'asleep'>): Shown<UpWord> {
  switch (state) {
    case 'sending': {
      if (asleep > 0) return { word: 'asleep', tone: 'behind' }
      const word = (lag_seconds ?? 0) > BEHIND_SECONDS ? 'behind' : 'current'
      return { word, tone: word }
    }
    case 'other_box':
      return { word: state, tone: 'current' }
    case 'paused':
      return { word: state, tone: 'away' }
    default:
      return { word: state, tone: 'behind' }
  }
}

/** Clocks that differ by less are no reason to do anything. */
const CLOCK_SECONDS = 5

export function clockProblem({ clock_difference_seconds: by }: Pick<ShopPretix['down'], 'clock_difference_seconds'>) {
  return by !== null && Math.abs(by) > CLOCK_SECONDS ? by : null
}
