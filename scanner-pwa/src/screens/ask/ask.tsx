/** Dialog about a ticket: its questions, the others of its order, or a scan that is over. Over every screen, as the verdict is. */
import type { ReadonlySignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Scanner } from '../../gate/model.ts'
import type { ScanFlow } from '../scan/flow.ts'
import { AnswerDialog } from './answer.tsx'
import { GroupDialog } from './group.tsx'
import { PastScan } from './past.tsx'
import './ask.css'

interface AskProps {
  scanner: Scanner
  flow: ScanFlow
  now: ReadonlySignal<number>
}

export function AskLayer({ scanner, flow, now }: AskProps): JSX.Element | null {
  const asked = flow.asked.value
  if (asked === null || scanner.pairing.value === null) return null
  if (asked.what === 'group') return <GroupDialog key={asked.scanId} {...asked} scanner={scanner} flow={flow} />
  if (asked.what === 'past') return <PastScan key={asked.scanId} {...asked} scanner={scanner} flow={flow} now={now} />
  const item = scanner.open(asked.scanId)
  if (!item || item.questions.length === 0) return null
  return <AnswerDialog key={asked.scanId} item={item} scanner={scanner} flow={flow} />
}
