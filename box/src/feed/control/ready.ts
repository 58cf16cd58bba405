/** `/readyz`: whether changes are delivered. `/healthz` says only that the process runs. */

import type { SourceState } from '../source.ts'
import type { EngineStats } from './delivery.ts'

/** Every reason why they are not, in words; empty when they are. An ephemeral sink delays no delivery. */
export function reasonsNotReady(source: SourceState, { sinks }: EngineStats): string[] {
  const reasons: string[] = []
  if (source.state === 'snapshot') {
    reasons.push('the source is still reading the rows that exist already; changes follow')
  } else if (source.state !== 'streaming') {
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
