/** The worker thread of `stage.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { type BackupPlace, stageBackup } from './backup.ts'

parentPort?.postMessage(await stageBackup(workerData as BackupPlace))
