/** Stages a backup in a worker thread: copying a large ledger takes seconds, during which scans must not wait. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { GatehouseError } from '../errors.ts'
import type { BackupPlace, StagedBackup } from './backup.ts'

/**
 * @param signal aborts it; the next backup removes the files that were copied so far
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
    throw new GatehouseError('ledger_unavailable', message, { reason: 'no_backup', cause })
  } finally {
    await worker.terminate()
  }
}
