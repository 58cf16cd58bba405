/** The screen that a hash names, so that the phone's back button does what a person expects. */

export const SCREENS = [
  'pair',
  'sign-on',
  'checkpoint',
  'preflight',
  'scan',
  'incidents',
  'look-up',
  'recent',
  'doubles',
  'shift',
  'settings',
] as const
export type ScreenName = (typeof SCREENS)[number]

export interface Standing {
  paired: boolean
  /** A checkpoint was chosen. */
  placed: boolean
  supervisor: boolean
  /** Nobody is signed on at this event where somebody has to be. */
  locked: boolean
}

/**
 * An unpaired phone can only be paired, one that stands nowhere or that nobody holds can scan nothing, and only a supervisor's looks
 * tickets up: the hash cannot say otherwise. Help can be called for without a name.
 */
export function screenFor(hash: string, { paired, placed, supervisor, locked }: Standing): ScreenName {
  if (!paired || inviteIn(hash) !== null) return 'pair'
  const named = SCREENS.find((name) => hash === hashOf(name))
  if (named === 'settings' || named === 'pair') return named
  if (!placed) return 'checkpoint'
  if (locked && named !== 'incidents' && named !== 'preflight') return 'sign-on'
  if (named === 'look-up' && !supervisor) return 'scan'
  return named ?? 'scan'
}

export function hashOf(screen: ScreenName): `#/${ScreenName}` {
  return `#/${screen}`
}

/** The invite in the fragment of a pairing link, whole or not; null where there is none. */
export function inviteIn(hash: string): string | null {
  return /^#(i=.*?)=*$/.exec(hash)?.[1] ?? null
}
