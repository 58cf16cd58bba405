/**
 * For progress that another thread is told of: in steps of one per cent, and when it is done. Each message wakes the other thread.
 * @returns says whether this fraction, of this step of the work, is to be told
 */
export function percentSteps(): (fraction: number, step?: string) => boolean {
  const told = { fraction: 0, step: '' }
  return (fraction, step = '') => {
    if (step === told.step && fraction < Math.min(1, told.fraction + 0.01)) return false
    Object.assign(told, { fraction, step })
    return true
  }
}
