/** The worker thread of `stage.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { yieldToScans } from '../thread-priority.ts'
import { type BackupPlace, stageBackup } from './backup.ts'

// It reads the ledger from a snapshot, and holds no lock of it.
yieldToScans()
parentPort?.postMessage(await stageBackup(workerData as BackupPlace))
