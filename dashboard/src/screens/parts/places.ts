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

export function checkpointNames(stats: Pick<Stats, 'gates'> | null, ids: readonly string[]): string[] {
  const names = new Map(stats?.gates.flatMap(({ checkpoints }) => checkpoints.map(({ id, name }) => [id, name])))
  return ids.map((id) => names.get(id) ?? id)
}

export function zoneNames(stats: Pick<Stats, 'zones'> | null, ids: readonly string[]): string {
  const names = new Map(stats?.zones.map(({ id, name }) => [id, name]))
  return ids.map((id) => names.get(id) ?? id).join(', ')
}
