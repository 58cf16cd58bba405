/** The worker of `thread.ts`: makes the next chunk on request. */
import { parentPort, workerData } from 'node:worker_threads'
import { openDb } from '../../ledger/db.ts'
import { yieldToScans } from '../../thread-priority.ts'
import { exportChunks, reportUpTo } from './export.ts'
import type { ExportJob } from './thread.ts'

const { path, what, cover } = workerData as ExportJob

function* chunks(): Generator<Buffer> {
  // No snapshot: during a slow download the write-ahead log would grow all the time.
  const db = openDb(path)
  try {
    if (what === 'export') yield* exportChunks(db, cover)
    else yield Buffer.from(JSON.stringify(reportUpTo(db, cover)))
  } finally {
    db.close()
  }
}

yieldToScans()
const made = chunks()
parentPort?.on('message', () => parentPort?.postMessage(made.next().value ?? null))
