/** The worker of `inspections.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSnapshot } from '../ledger/db.ts'
import { yieldToScans } from '../thread-priority.ts'
import { provenAttendance } from './attendance.ts'
import type { Inspected, Inspection } from './inspections.ts'
import { verifyLedger } from './verify.ts'

function inspect(inspection: Inspection): Inspected {
  try {
    // A new snapshot for each task: an open one would keep the write-ahead log growing.
    using snapshot = openSnapshot(workerData as string)
    if (inspection.task === 'verify') return { answer: verifyLedger(snapshot, { onProgress: tellNowAndThen() }) }
    return { answer: provenAttendance(snapshot, inspection.ref, inspection.seal) }
  } catch (error) {
    return { error: error as Error }
  }
}

/** Reports progress in steps of one per cent: enough for a progress bar, and little work. */
function tellNowAndThen(): (fraction: number) => void {
  let told = 0
  return (fraction) => {
    if (fraction < told + 0.01) return
    told = fraction
    const inspected: Inspected = { fraction }
    parentPort?.postMessage(inspected)
  }
}

yieldToScans()
parentPort?.on('message', (inspection: Inspection) => parentPort?.postMessage(inspect(inspection)))
