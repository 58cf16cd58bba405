/** The worker of `thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSnapshot } from '../ledger/db.ts'
import { yieldToScans } from '../thread-priority.ts'
import { drawEvacuation } from './evacuation-page.ts'
import { gateList, ticketsOf } from './gate-list.ts'
import { drawGateList } from './gate-page.ts'
import { peopleInside } from './inside.ts'
import type { PaperAnswer, PaperJob } from './thread.ts'

function answer({ path, event, key, task }: PaperJob): PaperAnswer {
  using snapshot = openSnapshot(path)
  switch (task.task) {
    case 'evacuation': {
      const people = [...peopleInside(snapshot)].flat()
      return { page: drawEvacuation(task.figures, event, people), rows: people.length, refs: [] }
    }
    case 'list': {
      const list = gateList(task, { snapshot, event, key })
      return { page: drawGateList(list, { ...task, event }), rows: list.rows.length, refs: [] }
    }
    case 'resolve':
      return { page: '', rows: 0, refs: ticketsOf(task.codes, { snapshot, key }) }
  }
}

yieldToScans()
parentPort?.postMessage(answer(workerData as PaperJob))
