/** The worker thread of `map-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { yieldToScans } from '../thread-priority.ts'
import { checkMap, importMap, type MapTask } from './map-work.ts'

yieldToScans()
const task = workerData as MapTask
parentPort?.postMessage('check' in task ? checkMap(task.check) : importMap(task.import))
