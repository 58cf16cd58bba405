/** A scan that is over, looked at again: small, with its time and age, so that nobody takes it for the verdict of whoever stands there. */
import type { ReadonlySignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Scanner, ScanRecord } from '../../gate/model.ts'
import { screenWords } from '../../words/late.ts'
import { aged, certainty, verdictWords } from '../../words/verdict.ts'
import { speech, words } from '../../words/words.ts'
import { Chip } from '../chip.tsx'
import { Dialog } from '../dialog.tsx'
import { AnswerButton, GroupButton } from '../scan/details-actions.tsx'
import type { ScanFlow } from '../scan/flow.ts'
import { mayAdmit, mayUndo } from '../scan/may.ts'
import { ReasonDialog } from '../scan/reason.tsx'

const say = screenWords.recent

interface PastProps {
  scanId: string
  scanner: Scanner
  flow: ScanFlow
  now: ReadonlySignal<number>
}

export function PastScan({ scanId, scanner, flow, now }: PastProps): JSX.Element | null {
  const record = scanner.recent.value.find((one) => one.scanId === scanId)
  if (!record) return null
  const { verdict, at } = record
  const { word, fact, detail } = verdictWords(aged(record, now.value), scanner.pairing.value?.supervisor)
  const ticket = [verdict.tier_name, verdict.seat_label, verdict.holder, verdict.product]
  return (
    <Dialog title={say.past} closing={words.close} onClose={() => flow.ask(null)}>
      <p class="past-when">
        <time dateTime={new Date(at).toISOString()}>{speech.clock(at)}</time>{' '}
        <b>{say.ago(speech.short(now.value - at))}</b>
      </p>
      <div class="past">
        <Chip of={record.class} undone={record.undone} />
        <div>
          <b>{word}</b>
          {fact && <p>{fact}</p>}
          {detail && <p class="quiet">{detail}</p>}
          <p>{ticket.filter(Boolean).join(' · ')}</p>
          <p class="quiet">{[certainty(record), record.operator].filter(Boolean).join(' · ')}</p>
        </div>
      </div>
      <PastActions record={record} scanner={scanner} flow={flow} />
    </Dialog>
  )
}

function PastActions({ record, scanner, flow }: { record: ScanRecord; scanner: Scanner; flow: ScanFlow }): JSX.Element {
  const [asking, setAsking] = useState<'admit' | 'undo' | null>(null)
  return (
    <div class="past-actions">
      <AnswerButton record={record} scanner={scanner} flow={flow} />
      <GroupButton record={record} flow={flow} />
      {mayAdmit(record, scanner.pairing.value?.supervisor === true) && (
        <button type="button" onClick={() => setAsking('admit')}>
          {words.verdict.admit}
        </button>
      )}
      {mayUndo(record) && (
        <button type="button" onClick={() => setAsking('undo')}>
          {words.verdict.undo}
        </button>
      )}
      {asking && (
        <ReasonDialog
          what={asking}
          decide={async (reason) => void (await scanner[asking](record.scanId, reason))}
          close={() => setAsking(null)}
        />
      )}
    </div>
  )
}
