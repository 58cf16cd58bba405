/** The thread's side of `inspections.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSnapshot } from '../db.ts'
import { provenAttendance } from './attendance.ts'
import type { InspectionJob } from './inspections.ts'
import { verifyLedger } from './verify.ts'

const { path, inspection } = workerData as InspectionJob
using snapshot = openSnapshot(path)
parentPort?.postMessage(
  inspection.task === 'verify' ? verifyLedger(snapshot) : provenAttendance(snapshot, inspection.ref, inspection.seal),
)
