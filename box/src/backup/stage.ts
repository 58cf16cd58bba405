/** A backup's files, put together in a thread: copying a large ledger takes seconds, and no scan waits for it. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { GatehouseError } from '../errors.ts'
import type { BackupPlace, StagedBackup } from './backup.ts'

/**
 * @param signal ends it; what it has copied so far is removed with the next one
 * @throws GatehouseError `ledger_unavailable`
 */
export async function stageInThread(place: BackupPlace, signal?: AbortSignal): Promise<StagedBackup> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: place })
  const ended = once(worker, 'exit').then(() => Promise.reject(new Error('The thread ended before it was done.')))
  try {
    const [staged] = (await Promise.race([once(worker, 'message', signal && { signal }), ended])) as [StagedBackup]
    return staged
  } catch (cause) {
    const message = 'The backup could not be made: look at the free room on the disk, then try again.'
    throw new GatehouseError('ledger_unavailable', message, { cause })
  } finally {
    await worker.terminate()
  }
}
