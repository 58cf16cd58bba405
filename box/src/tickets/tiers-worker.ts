/** The worker thread of `kinds-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { GatehouseError } from '../errors.ts'
import { yieldToScans } from '../thread-priority.ts'
import { kindsOf } from './import/kinds.ts'
import type { KindsAnswer, KindsTask } from './kinds-thread.ts'

yieldToScans()
const { file, kept } = workerData as KindsTask
parentPort?.postMessage(await answer())

async function answer(): Promise<KindsAnswer> {
  try {
    return { found: await kindsOf(file, kept) }
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error
    const { code, message, reason, values } = error
    return { refused: { code, message, ...(reason && { reason }), ...(values && { values }) } }
  }
}
