/** Asks the box for its time: a sample for the clock, and the smallest request that shows whether the box answers. */
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import type { DeviceClock, KeptOffset } from './clock.ts'

/** Rejects when the box does not answer. @returns what to store, where the clock has taken the sample */
export async function measureTime(
  client: GatehouseClient,
  clock: DeviceClock,
  signal?: AbortSignal,
): Promise<KeptOffset | undefined> {
  // A request of its own, before the sample: whether the box's clock is synchronised does not change in between.
  const meta = await client.GET('/v1/meta', signal && { signal })
  const takeSample = clock.startSample()
  const { data } = await client.GET('/v1/time', signal && { signal })
  if (!data) return undefined
  return takeSample(data, meta.data && meta.data.time_quality === 'synced')
}
