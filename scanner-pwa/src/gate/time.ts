/** Asks the box for the time: a sample for the clock, and the smallest sign of life. */
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import type { DeviceClock, KeptOffset } from './clock.ts'

export interface TimeDeps {
  clock: DeviceClock
  /** Unix ms of the device. */
  now: () => number
  monotonic: () => number
}

/** Rejects when the box does not answer. @returns what to keep, where the sample was taken */
export async function measureTime(
  client: GatehouseClient,
  { clock, now, monotonic }: TimeDeps,
  signal?: AbortSignal,
): Promise<KeptOffset | undefined> {
  // Asked first and apart: whether the box knows the time does not change while the sample is on its way.
  const meta = await client.GET('/v1/meta', signal && { signal })
  const sentAt = now()
  const start = monotonic()
  const { data } = await client.GET('/v1/time', signal && { signal })
  const tookMs = monotonic() - start
  if (!data) return undefined
  clock.hlc.hear(data.hlc)
  return clock.hear({
    sentAt,
    tookMs,
    boxNow: Date.parse(data.now),
    synced: meta.data && meta.data.time_quality === 'synced',
  })
}
