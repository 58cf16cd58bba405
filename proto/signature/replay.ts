/**
 * Remembers accepted signatures until they would be stale. Returns false for one that was accepted before. Times are unix
 * milliseconds.
 */
export type ReplayCache = (keyId: string, id: string, until: number, now: number) => boolean

/**
 * A replay memory with a limit for each key: a device that signs thousands of requests a minute makes the box forget
 * only that device's own requests, which it could sign again anyway. Empty after a restart, which is safe because what the
 * box does for a signed request is idempotent.
 */
export function replayCache({ perKey = 8192 } = {}): ReplayCache {
  const byKey = new Map<string, Map<string, number>>()
  let sweepAt = 0
  return (keyId, id, until, now) => {
    if (now >= sweepAt) {
      for (const [key, own] of byKey) if (forgetExpired(own, now) === 0) byKey.delete(key)
      sweepAt = now + 60_000
    }
    const own = byKey.get(keyId) ?? new Map<string, number>()
    if (own.has(id)) return false
    if (forgetExpired(own, now) >= perKey) own.delete(own.keys().next().value ?? '')
    byKey.set(keyId, own.set(id, until))
    return true
  }
}

/** Entries are nearly in the order in which they expire: stopping at the first live one keeps each call short. */
function forgetExpired(own: Map<string, number>, now: number): number {
  for (const [id, until] of own) {
    if (until >= now) break
    own.delete(id)
  }
  return own.size
}
