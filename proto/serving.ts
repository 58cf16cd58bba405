/** Where a tier is let in, for somebody who stands at the wrong place: at the box, and on a scanner that is alone. */

/** A checkpoint, as far as it matters here; zones, null for outside. Times: ISO 8601 with offset. */
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
 * Open ones; closed ones only where all are; never one of a gate on hold. First those that lead on from where the person
 * stands, then into the same zone, at the same gate, and as they are listed.
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
  // Behind the gates on hold there may be one that lets people in: nobody gets there from here.
  const leadsOn = (c: C) => c.from === from.from
  if (all.some(leadsOn) && !serving.some(leadsOn)) return []
  const isOpen = ({ opens_at = '', closes_at = '' }: C) =>
    !(at < Date.parse(opens_at)) && !(at >= Date.parse(closes_at))
  const open = serving.filter(isOpen)
  const distance = (c: C) =>
    (c.from === from.from ? 0 : 4) + (c.to === from.to ? 0 : 2) + (c.gate === from.gate ? 0 : 1)
  return (open.length > 0 ? open : serving).sort((a, b) => distance(a) - distance(b))
}

/** Whether any of them lets this tier in, on hold or not. */
export function isServed(checkpoints: readonly ServingCheckpoint[], tier: string): boolean {
  return checkpoints.some((checkpoint) => serves(checkpoint, tier))
}

function serves({ direction, tiers }: ServingCheckpoint, tier: string): boolean {
  return direction === 'in' && tiers.includes(tier)
}
