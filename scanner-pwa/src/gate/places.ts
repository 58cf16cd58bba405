/** The names of the event's checkpoints: a manifest names only this device's own, and a redemption may come from any. */
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { type Database, type Kept, keep, write } from '../store/database.ts'
import type { Placement } from './placement.ts'

export interface Place {
  name: string
  gateName: string
}

export class Places {
  readonly #db: Database
  readonly #placement: Placement
  #kept: Kept['places'] | undefined

  constructor(db: Database, placement: Placement, kept: Kept['places'] | undefined) {
    this.#db = db
    this.#placement = placement
    this.#kept = kept
  }

  /** Undefined for a checkpoint that this device does not know. */
  of(checkpoint: string): Place | undefined {
    const own = this.#placement.pairing.peek().checkpoints.find(({ id }) => id === checkpoint)
    return own ? { name: own.name, gateName: own.gate_name } : this.#kept?.places[checkpoint]
  }

  /** Fetches the names again, unless they are those of the venue plan with this ETag. Never rejects. */
  async refresh(etag: string, client: GatehouseClient): Promise<void> {
    if (this.#kept?.etag === etag) return
    const places = await fetchPlaces(client).catch(() => undefined)
    if (!places) return
    this.#kept = { etag, places }
    await write(this.#db, [keep('places', this.#kept)]).catch(() => {})
  }
}

/** From the venue plan; undefined when the box refuses for now. Rejects when the box cannot be reached. */
async function fetchPlaces(client: GatehouseClient): Promise<Record<string, Place> | undefined> {
  const { data } = await client.GET('/v1/venue')
  if (!data) return undefined
  const gates = new Map(data.gates.map(({ id, name }) => [id, name]))
  return Object.fromEntries(
    data.checkpoints.map(({ id, name, gate }) => [id, { name, gateName: gates.get(gate) ?? gate }]),
  )
}
