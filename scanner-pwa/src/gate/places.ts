/** What the checkpoints of the event are called: a manifest names the device's own, a redemption is told from any. */
import type { GatehouseClient } from '@gatehouse/proto/client.ts'

export interface Place {
  name: string
  gateName: string
}

/** From the venue plan; undefined when the box does not give it now. Throws when the box cannot be reached. */
export async function fetchPlaces(client: GatehouseClient): Promise<Record<string, Place> | undefined> {
  const { data } = await client.GET('/v1/venue')
  if (!data) return undefined
  const gates = new Map(data.gates.map(({ id, name }) => [id, name]))
  return Object.fromEntries(
    data.checkpoints.map(({ id, name, gate }) => [id, { name, gateName: gates.get(gate) ?? gate }]),
  )
}
