/** Buttons of a verdict: answer its questions, admit the others of its order. */
import type { JSX } from 'preact'
import type { Scanner, ScanRecord } from '../../gate/model.ts'
import { askWords as say } from '../../words/core.ts'
import type { ScanFlow } from './flow.ts'

interface OfferProps {
  record: ScanRecord
  scanner: Scanner
  flow: ScanFlow
}

export function AnswerButton({ record, scanner, flow }: OfferProps): JSX.Element | null {
  const { scanId } = record
  const questions = scanner.open(scanId)?.questions.length ?? 0
  if (questions === 0) return null
  const open = () => {
    flow.pin()
    flow.ask({ what: 'answers', scanId })
  }
  return (
    <button type="button" onClick={open}>
      {say.answer}
    </button>
  )
}

/** One press admits them. */
export function GroupButton({ record, flow, class: name }: Omit<OfferProps, 'scanner'> & { class?: string }) {
  const { scanId, undone, verdict, class: is } = record
  const { more } = verdict.order ?? {}
  if (more === undefined || undone || is !== 'admit') return null
  const admit = () => {
    flow.pin()
    flow.ask({ what: 'group', scanId, more })
  }
  return (
    <button type="button" class={name} onClick={admit}>
      {say.group.admit(more)}
    </button>
  )
}
