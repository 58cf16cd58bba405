/** The state of one direction to headquarters, in one word that a colour may go with. Pure. */
import type { components } from '@gatehouse/proto/client.ts'

export type UpLink = components['schemas']['UpLink']
export type DownLink = components['schemas']['DownLink']

export type LinkState = 'off' | 'current' | 'behind' | 'away'

/** Behind by this much is said; less is what any delivery takes. */
const BEHIND_SECONDS = 10

export function linkStateOf({ configured, connected, lag_seconds, lag_events }: UpLink | DownLink): LinkState {
  if (!configured) return 'off'
  if (!connected) return 'away'
  return (lag_seconds ?? 0) > BEHIND_SECONDS && lag_events !== 0 ? 'behind' : 'current'
}
