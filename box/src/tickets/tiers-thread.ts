/** Looks for the ticket types of a file in a thread: the file is of a stranger, may be large, and scans must not wait. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ImportKinds, KeptMatch } from '@gatehouse/proto/wire/import-columns.ts'
import { GatehouseError } from '../errors.ts'

/** The largest file that is taken needs less on a small board. */
const MOST_MS = 120_000
/** MiB. A hostile file ends its thread, and not the box. */
const MOST_HEAP = 1024

export interface TiersTask {
  file: Uint8Array
  kept: readonly KeptMatch[]
}

export type TiersAnswer =
  | { found: ImportKinds }
  | { refused: Pick<GatehouseError, 'code' | 'message' | 'reason' | 'values'> }

/** @throws GatehouseError as `tiersOf`, and `bad_request` where it takes too long or too much memory */
export async function tiersBeside(task: TiersTask): Promise<ImportKinds> {
  const worker = new Worker(new URL('./tiers-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP },
  })
  // A thread that fails once its time is over has nobody else to tell.
  worker.on('error', () => {})
  const answer = await answerOf(worker)
  if ('found' in answer) return answer.found
  const { code, message, reason, values } = answer.refused
  throw new GatehouseError(code, message, { ...(reason && { reason }), ...(values && { values }) })
}

async function answerOf(worker: Worker): Promise<TiersAnswer> {
  try {
    const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(MOST_MS) })) as [TiersAnswer]
    return answer
  } catch (cause) {
    const message =
      'This file takes too long to look through here: begin without it, and import it once the event is made.'
    throw new GatehouseError('bad_request', message, { reason: 'tiers_timed_out', cause })
  } finally {
    await worker.terminate()
  }
}
