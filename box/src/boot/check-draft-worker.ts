/** The worker thread of `check-draft.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { type Event, parseEvent } from '../event/event.ts'
import type { Mistake } from '../event/mistakes.ts'
import { MappingError } from '../shop/mapping.ts'
import { mappingMistake } from '../shop/mapping-codes.ts'
import { MAPPING_FILE, readMapping } from '../shop/pretix/mapping.ts'
import { yieldToScans } from '../thread-priority.ts'
import type { DraftPlace } from './check-draft.ts'
import { type Findings, findingsBeside } from './check-folder.ts'

async function findingsOf({ folder, draft }: DraftPlace): Promise<Findings> {
  const parsed = parseEvent(draft)
  if ('mistakes' in parsed) return { mistakes: parsed.mistakes, warnings: [] }
  const { mistakes, warnings } = await findingsBeside(parsed.event, folder)
  return {
    mistakes: [...mistakes, ...mappingMistakes(folder, parsed.event)],
    warnings: [...parsed.event.warnings, ...warnings],
  }
}

function mappingMistakes(folder: string, event: Event): Mistake[] {
  try {
    readMapping(folder, event)
    return []
  } catch (error) {
    if (!(error instanceof MappingError)) throw error
    return [mappingMistake(error, MAPPING_FILE)]
  }
}

yieldToScans()
parentPort?.postMessage(await findingsOf(workerData as DraftPlace))
