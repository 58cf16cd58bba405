/**
 * For progress that is reported to another thread, which each message wakes: at most once for each per cent of a phase, and at its end.
 * @returns whether this fraction is to be told; notes that it was
 */
export function percentSteps(): (fraction: number, phase?: string) => boolean {
  const told = { fraction: 0, phase: '' }
  return (fraction, phase = '') => {
    if (phase === told.phase && (told.fraction === 1 || fraction < Math.min(1, told.fraction + 0.01))) return false
    Object.assign(told, { fraction, phase })
    return true
  }
}
