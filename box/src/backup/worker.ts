/** Stages a backup in a thread of its own: copying a large ledger takes seconds, and no scan waits for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { type BackupPlace, stageBackup } from './backup.ts'

parentPort?.postMessage(await stageBackup(workerData as BackupPlace))
