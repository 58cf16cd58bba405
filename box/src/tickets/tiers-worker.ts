/** The worker thread of `tiers-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { GatehouseError } from '../errors.ts'
import { yieldToScans } from '../thread-priority.ts'
import { tiersOf } from './import/tiers.ts'
import type { TiersAnswer, TiersTask } from './tiers-thread.ts'

yieldToScans()
const { file, kept } = workerData as TiersTask
parentPort?.postMessage(await answer())

async function answer(): Promise<TiersAnswer> {
  try {
    return { found: await tiersOf(file, kept) }
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error
    const { code, message, reason, values } = error
    return { refused: { code, message, ...(reason && { reason }), ...(values && { values }) } }
  }
}
