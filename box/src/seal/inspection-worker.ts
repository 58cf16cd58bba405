/** The thread's side of `inspections.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSnapshot } from '../db.ts'
import { provenAttendance } from './attendance.ts'
import type { Inspected, Inspection } from './inspections.ts'
import { verifyLedger } from './verify.ts'

function inspect(inspection: Inspection): Inspected {
  try {
    // For each question its own: one that stayed open would keep the write-ahead log growing.
    using snapshot = openSnapshot(workerData as string)
    if (inspection.task === 'verify') return { answer: verifyLedger(snapshot, { onProgress: tellNowAndThen() }) }
    return { answer: provenAttendance(snapshot, inspection.ref, inspection.seal) }
  } catch (error) {
    return { error: error as Error }
  }
}

/** How far it is, in steps of a hundredth: whoever waits sees a bar, and the box hardly notices. */
function tellNowAndThen(): (fraction: number) => void {
  let told = 0
  return (fraction) => {
    if (fraction < told + 0.01) return
    told = fraction
    const inspected: Inspected = { fraction }
    parentPort?.postMessage(inspected)
  }
}

parentPort?.on('message', (inspection: Inspection) => parentPort?.postMessage(inspect(inspection)))
