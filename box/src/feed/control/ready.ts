/** Whether changes are getting through: what `/healthz` does not say. */

import type { SourceState } from '../source.ts'
import type { EngineStats } from './control-plane.ts'

/** Every reason for which they are not, in words; none when they are. An ephemeral sink holds nobody up. */
export function reasonsNotReady(source: SourceState, { sinks }: EngineStats): string[] {
  const reasons: string[] = []
  if (source.state !== 'streaming') {
    reasons.push(`the source is ${source.state}${source.lastError === null ? '' : `: ${source.lastError}`}`)
  }
  for (const { id, durability, status, lastError } of sinks) {
    if (durability !== 'durable') continue
    const error = lastError === null ? '' : `: ${lastError}`
    if (status === 'paused') reasons.push(`the durable sink "${id}" is paused${error}`)
    else if (lastError !== null) reasons.push(`the durable sink "${id}" fails and is tried again${error}`)
  }
  return reasons
}
