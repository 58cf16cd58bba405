/** Imports and checks maps in a thread: the files are of strangers, a city takes seconds, and scans must not wait. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { MapImport, MapImported } from '@gatehouse/proto/wire/guide-map.ts'
import { GatehouseError } from '../errors.ts'
import type { CheckedMap, MapPlace, MapTask } from './map-work.ts'

/** A map of a whole city takes this long on a small board. */
const MOST_MS = 60_000
/** MiB. A hostile file ends its thread, and not the box. */
const MOST_HEAP = 512

/** @throws GatehouseError `bad_request` where it takes too long, or too much memory */
export const checkMapBeside = (place: MapPlace): Promise<CheckedMap> => answered<CheckedMap>({ check: place })

/** @throws GatehouseError as `checkMapBeside` */
export const importMapBeside = (files: MapImport): Promise<MapImported> => answered<MapImported>({ import: files })

async function answered<T>(task: MapTask): Promise<T> {
  const worker = new Worker(new URL('./map-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP },
  })
  try {
    const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(MOST_MS) })) as [T]
    return answer
  } catch (cause) {
    const message = 'This map takes too long to read here: use "gatehouse venue import" and "gatehouse venue compile".'
    throw new GatehouseError('bad_request', message, { reason: 'map_timed_out', cause })
  } finally {
    await worker.terminate()
  }
}
