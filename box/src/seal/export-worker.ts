/** The thread's side of `export-thread.ts`: makes the next chunk when it is asked to. */
import { parentPort, workerData } from 'node:worker_threads'
import { openDb } from '../db.ts'
import { exportChunks, reportUpTo } from './export.ts'
import type { ExportJob } from './export-thread.ts'

const { path, what, cover } = workerData as ExportJob

function* chunks(): Generator<Buffer> {
  // No snapshot: whoever downloads slowly would keep the write-ahead log growing for as long as that takes.
  const db = openDb(path)
  try {
    if (what === 'export') yield* exportChunks(db, cover)
    else yield Buffer.from(JSON.stringify(reportUpTo(db, cover)))
  } finally {
    db.close()
  }
}

const made = chunks()
parentPort?.on('message', () => parentPort?.postMessage(made.next().value ?? null))
