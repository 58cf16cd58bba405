/** The worker of `inspections.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSnapshot } from '../ledger/db.ts'
import { percentSteps } from '../percent-steps.ts'
import { yieldToScans } from '../thread-priority.ts'
import { provenAttendance } from './attendance.ts'
import type { Inspected, Inspection } from './inspections.ts'
import { verifyLedger } from './verify.ts'

function inspect(inspection: Inspection): Inspected {
  try {
    // A new snapshot for each task: an open one would keep the write-ahead log growing.
    using snapshot = openSnapshot(workerData as string)
    if (inspection.task === 'verify') return { answer: verifyLedger(snapshot, { onProgress: progressTeller() }) }
    return { answer: provenAttendance(snapshot, inspection.ref, inspection.seal) }
  } catch (error) {
    return { error: error as Error }
  }
}

function progressTeller(): (fraction: number) => void {
  const shouldTell = percentSteps()
  return (fraction) => {
    if (shouldTell(fraction)) tell({ fraction })
  }
}

function tell(inspected: Inspected): void {
  parentPort?.postMessage(inspected)
}

yieldToScans()
parentPort?.on('message', (inspection: Inspection) => tell(inspect(inspection)))
