/** Names of gates, checkpoints and zones, from the live figures: an id stands for what the event no longer has. */
import type { Stats } from '@gatehouse/proto/wire/stats.ts'

/** "Gate North, North entry"; the gate alone where both are called alike. */
export function placeName(stats: Pick<Stats, 'gates'> | null, checkpoint: string): string {
  for (const gate of stats?.gates ?? []) {
    const found = gate.checkpoints.find(({ id }) => id === checkpoint)
    if (found) return found.name === gate.name ? gate.name : `${gate.name}, ${found.name}`
  }
  return checkpoint
}

/** "North entry". */
export function checkpointName(stats: Pick<Stats, 'gates'> | null, checkpoint: string): string {
  return nameIn(
    stats?.gates.flatMap(({ checkpoints }) => checkpoints),
    checkpoint,
  )
}

/** "Arena, Field". */
export function zoneNames(stats: Pick<Stats, 'zones'> | null, ids: readonly string[]): string {
  return ids.map((id) => nameIn(stats?.zones, id)).join(', ')
}

function nameIn(places: readonly { id: string; name: string }[] = [], id: string): string {
  return places.find((place) => place.id === id)?.name ?? id
}
