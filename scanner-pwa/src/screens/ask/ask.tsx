/** Dialog about a ticket: its questions, or the others of its order. Over every screen, as the verdict is. */
import type { JSX } from 'preact'
import type { Scanner } from '../../gate/model.ts'
import type { ScanFlow } from '../scan/flow.ts'
import { AnswerDialog } from './answer.tsx'
import { GroupDialog } from './group.tsx'
import './ask.css'

export function AskLayer({ scanner, flow }: { scanner: Scanner; flow: ScanFlow }): JSX.Element | null {
  const asked = flow.asked.value
  if (asked === null || scanner.pairing.value === null) return null
  if (asked.what === 'group') return <GroupDialog key={asked.scanId} {...asked} scanner={scanner} flow={flow} />
  const item = scanner.open(asked.scanId)
  if (!item || item.questions.length === 0) return null
  return <AnswerDialog key={asked.scanId} item={item} scanner={scanner} flow={flow} />
}
