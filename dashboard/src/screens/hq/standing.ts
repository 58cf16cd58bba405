/** How one direction to headquarters stands, in one word that a colour may go with. Pure. */
import type { components } from '@gatehouse/proto/client.ts'

export type UpLink = components['schemas']['UpLink']
export type DownLink = components['schemas']['DownLink']

export type Standing = 'off' | 'current' | 'behind' | 'away'

/** Behind by this much is said; less is what any delivery takes. */
const BEHIND_SECONDS = 10

export function standingOf({ configured, connected, lag_seconds, lag_events }: UpLink | DownLink): Standing {
  if (!configured) return 'off'
  if (!connected) return 'away'
  return (lag_seconds ?? 0) > BEHIND_SECONDS && lag_events !== 0 ? 'behind' : 'current'
}
