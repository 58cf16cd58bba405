/** Checkpoints in the form that devices get. */
import type { Checkpoint as WireCheckpoint } from '@gatehouse/proto/wire/terms.ts'
import type { Checkpoint, Event } from './event.ts'

export function checkpointsOf(event: Event, checkpoints: readonly Checkpoint[]): WireCheckpoint[] {
  return checkpoints.map((checkpoint) => ({
    ...checkpoint,
    tiers: [...checkpoint.tiers],
    gate_name: event.gateById.get(checkpoint.gate)?.name ?? checkpoint.gate,
  }))
}
