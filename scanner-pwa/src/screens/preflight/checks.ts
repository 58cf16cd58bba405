/** The lines of the preflight, each from one thing that was measured. Pure; `preflight.tsx` measures. */
import type { CameraState } from '../../camera/camera.ts'
import { mayHealItself } from '../../camera/trouble.ts'
import type { Link, MirrorState, PreflightItem } from '../../model.ts'
import { words } from '../../words/en.ts'

const say = words.preflight
const DAY_MS = 86_400_000

/** What a scanner allows for without a word, and what no box takes any more (the hybrid clock merges nothing that is 60 s ahead). */
const SKEW_FINE_MS = 2000
const SKEW_MOST_MS = 60_000
/** A list this old is still right for nearly everybody, and worth a look before doors. */
const LIST_FRESH_MS = 5 * 60_000

export function cameraLine(state: CameraState): PreflightItem {
  if (state.kind === 'open') return ok('camera', say.camera.ok(state.label, state.width, state.height))
  if (state.kind !== 'trouble') return { id: 'camera', state: 'checking', detail: words.camera.opening, remedy: null }
  const { what, remedy } = words.camera.trouble[state.trouble]
  return { id: 'camera', state: mayHealItself(state.trouble) ? 'warn' : 'fail', detail: what, remedy }
}

/** @param persisted undefined: not asked yet; null: this browser cannot say */
export function storageLine(persisted: boolean | null | undefined): PreflightItem {
  if (persisted === undefined) return checking('storage')
  if (persisted) return ok('storage', say.storage.ok)
  const detail = persisted === null ? say.storage.unknown : say.storage.fail
  return { id: 'storage', state: 'warn', detail, remedy: say.storage.remedy }
}

/** @param offsetMs the box's clock minus this phone's */
export function clockLine(offsetMs: number | null): PreflightItem {
  if (offsetMs === null) {
    return { id: 'clock', state: 'warn', detail: say.clock.unknown, remedy: say.clock.unknownRemedy }
  }
  const size = Math.abs(offsetMs)
  if (size <= SKEW_FINE_MS) return ok('clock', say.clock.ok(offsetMs))
  return size <= SKEW_MOST_MS
    ? { id: 'clock', state: 'warn', detail: say.clock.warn(offsetMs), remedy: say.clock.remedy }
    : { id: 'clock', state: 'fail', detail: say.clock.fail(offsetMs), remedy: say.clock.remedy }
}

/** @param now by the box's clock, ms */
export function manifestLine(mirror: MirrorState | null, now: number): PreflightItem {
  const { remedy } = say.manifest
  if (!mirror) return { id: 'manifest', state: 'fail', detail: say.manifest.none, remedy }
  const age = Math.max(0, now - mirror.asOf)
  const detail = say.manifest.ok(mirror.tickets, mirror.version, age)
  if (mirror.stale) return { id: 'manifest', state: 'fail', detail, remedy }
  return age <= LIST_FRESH_MS ? ok('manifest', detail) : { id: 'manifest', state: 'warn', detail, remedy }
}

export function certificateLine(expiresAt: number, now: number): PreflightItem {
  const left = expiresAt - now
  const { remedy } = say.certificate
  if (left <= 0) return { id: 'certificate', state: 'fail', detail: say.certificate.fail, remedy }
  if (left < DAY_MS) {
    return { id: 'certificate', state: 'warn', detail: say.certificate.warn(Math.floor(left / 3_600_000)), remedy }
  }
  return ok('certificate', say.certificate.ok(Math.floor(left / DAY_MS)))
}

export function soundLine({ heard, volume }: { heard: boolean; volume: number }): PreflightItem {
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

export function linkLine({ state, heardAt }: Link, now: number): PreflightItem {
  if (state === 'reachable') return ok('link', say.link.ok)
  return {
    id: 'link',
    state: 'fail',
    detail: say.link.alone(heardAt === null ? null : Math.max(0, now - heardAt)),
    remedy: say.link.remedy,
  }
}

/** @param waitedMs since the page was opened: keeping 1 MB takes a moment */
export function offlineLine(ready: boolean, waitedMs: number): PreflightItem {
  if (ready) return ok('offline', say.offline.ok)
  return waitedMs < 10_000
    ? { id: 'offline', state: 'checking', detail: say.offline.checking, remedy: null }
    : { id: 'offline', state: 'fail', detail: say.offline.fail, remedy: say.offline.remedy }
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
