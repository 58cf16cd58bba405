/** Checks a draft of an event in a thread of its own: a large map or ticket file takes seconds to read, and scans must not wait. */

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { coded } from '@gatehouse/proto/said.ts'
import type { Findings } from './check-folder.ts'

export interface DraftPlace {
  /** The folder that the draft is for; its map, tickets and mapping are checked with it. */
  folder: string
  /** The content of event.json. */
  draft: unknown
}

/** A map of a whole city takes this long on a small board. */
const MOST_MS = 60_000
/** MiB. A hostile draft ends its thread, and not the box. */
const MOST_HEAP = 512

/** @returns every mistake that would keep a box from opening with this draft, as `gatehouse check-event` lists them; and what to know */
export async function checkDraft(place: DraftPlace): Promise<Findings> {
  const worker = new Worker(new URL('./check-draft-worker.ts', import.meta.url), {
    workerData: place,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP },
  })
  try {
    const [findings] = (await once(worker, 'message', { signal: AbortSignal.timeout(MOST_MS) })) as [Findings]
    return findings
  } catch {
    const message = 'took too long to check: look at it with "gatehouse check-event"'
    return { mistakes: [{ path: '', message, coded: [coded('check_timed_out')] }], warnings: [] }
  } finally {
    await worker.terminate()
  }
}
