/** The lines of the preflight that the core knows nothing of, each from one thing that was measured. Pure. */
import type { CameraState } from '@gatehouse/proto/ui/camera/camera.ts'
import { mayHealItself } from '@gatehouse/proto/ui/camera/trouble.ts'
import type { PreflightItem } from '../../gate/model.ts'
import { preflightWords } from '../../words/late.ts'
import { words } from '../../words/words.ts'

const say = preflightWords
const ORDER: readonly PreflightItem['id'][] = [
  'camera',
  'sound',
  'link',
  'boxes',
  'manifest',
  'clock',
  'storage',
  'offline',
  'wake-lock',
  'certificate',
]
export function cameraLine(state: CameraState): PreflightItem {
  if (state.kind === 'open') return ok('camera', say.camera.ok(state.label, state.width, state.height))
  if (state.kind !== 'trouble') return { id: 'camera', state: 'checking', detail: words.camera.opening, remedy: null }
  const { what, remedy } = words.camera.trouble[state.trouble]
  return { id: 'camera', state: mayHealItself(state.trouble) ? 'warn' : 'fail', detail: what, remedy }
}

/** @param missing this browser has no sound */
export function soundLine(sound: { heard: boolean; volume: number; missing: boolean }): PreflightItem {
  const { heard, volume, missing } = sound
  if (missing) return { id: 'sound', state: 'warn', detail: say.sound.none, remedy: say.sound.noneRemedy }
  if (volume === 0) return { id: 'sound', state: 'warn', detail: say.sound.muted, remedy: say.sound.mutedRemedy }
  return heard
    ? ok('sound', say.sound.ok)
    : { id: 'sound', state: 'warn', detail: say.sound.notPlayed, remedy: say.sound.remedy }
}

export function wakeLockLine(state: 'off' | 'held' | 'refused'): PreflightItem {
  if (state === 'held') return ok('wake-lock', say.wakeLock.ok)
  return state === 'off'
    ? checking('wake-lock')
    : { id: 'wake-lock', state: 'warn', detail: say.wakeLock.fail, remedy: say.wakeLock.remedy }
}

/** @param waitedMs since the page was opened: keeping 1 MB takes a moment */
export function offlineLine(ready: boolean, waitedMs: number): PreflightItem {
  if (ready) return ok('offline', say.offline.ok)
  return waitedMs < 10_000
    ? { id: 'offline', state: 'checking', detail: say.offline.checking, remedy: null }
    : { id: 'offline', state: 'fail', detail: say.offline.fail, remedy: say.offline.remedy }
}

/** Everything, in the order in which a person can do something about it. */
export function inOrder(items: readonly PreflightItem[]): PreflightItem[] {
  return [...items].sort((a, b) => ORDER.indexOf(a.id) - ORDER.indexOf(b.id))
}

/** The names of what is not ready, in the order of the screen. */
export function missing(items: readonly PreflightItem[]): string[] {
  return items.filter(({ state }) => state !== 'ok').map(({ id }) => say.names[id])
}

function ok(id: PreflightItem['id'], detail: string): PreflightItem {
  return { id, state: 'ok', detail, remedy: null }
}

function checking(id: PreflightItem['id']): PreflightItem {
  return { id, state: 'checking', detail: say.checking, remedy: null }
}
