/** Finds the checkpoints that admit a tier, for a person at the wrong one. The box and an offline scanner both use it. */

/** A checkpoint, as far as it matters here; `from` and `to` are zones, null for outside. Times: ISO 8601 with offset. */
export interface ServingCheckpoint {
  readonly gate: string
  readonly direction: 'in' | 'out'
  readonly from: string | null
  readonly to: string | null
  readonly tiers: readonly string[]
  readonly opens_at?: string | undefined
  readonly closes_at?: string | undefined
}

/**
 * The open checkpoints that admit the tier, or the closed ones where all are closed; never one of a gate on hold. Those that
 * lead on from where the person is come first, then those into the same zone, those at the same gate, and the rest as listed.
 * @param at unix ms
 * @param isHeld whether a gate is on hold
 */
export function servingCheckpoints<C extends ServingCheckpoint>(
  checkpoints: readonly C[],
  tier: string,
  from: ServingCheckpoint,
  { at, isHeld }: { at: number; isHeld: (gate: string) => boolean },
): C[] {
  const all = checkpoints.filter((c) => serves(c, tier))
  const serving = all.filter((c) => !isHeld(c.gate))
  // All ways on from here are on hold: a checkpoint further in would be out of reach.
  const leadsOn = (c: C) => c.from === from.from
  if (all.some(leadsOn) && !serving.some(leadsOn)) return []
  const isOpen = ({ opens_at = '', closes_at = '' }: C) =>
    !(at < Date.parse(opens_at)) && !(at >= Date.parse(closes_at))
  const open = serving.filter(isOpen)
  const distance = (c: C) =>
    (c.from === from.from ? 0 : 4) + (c.to === from.to ? 0 : 2) + (c.gate === from.gate ? 0 : 1)
  return (open.length > 0 ? open : serving).sort((a, b) => distance(a) - distance(b))
}

/** True if any of them lets this tier in, on hold or not. */
export function isServed(checkpoints: readonly ServingCheckpoint[], tier: string): boolean {
  return checkpoints.some((checkpoint) => serves(checkpoint, tier))
}

function serves({ direction, tiers }: ServingCheckpoint, tier: string): boolean {
  return direction === 'in' && tiers.includes(tier)
}
