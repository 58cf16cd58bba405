/** Others of an order, admitted by one press: each is listed, and taken back by itself. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Scanner, ScanRecord } from '../../gate/model.ts'
import { askWords } from '../../words/core.ts'
import { verdictWords } from '../../words/verdict.ts'
import { words } from '../../words/words.ts'
import { createAttempt } from '../attempt.ts'
import { Chip } from '../chip.tsx'
import { Dialog } from '../dialog.tsx'
import { Problem } from '../problem.tsx'
import type { ScanFlow } from '../scan/flow.ts'
import { ReasonDialog } from '../scan/reason.tsx'

const say = askWords.group

interface GroupProps {
  scanId: string
  more: number
  scanner: Scanner
  flow: ScanFlow
}

export function GroupDialog({ scanId, more, scanner, flow }: GroupProps): JSX.Element {
  const [attempt] = useState(createAttempt)
  const [admitted, setAdmitted] = useState<readonly ScanRecord[] | null>(null)
  const admit = () => attempt.run(async () => setAdmitted(await scanner.admitMore(scanId, more)))
  useEffect(() => void admit(), [])
  const close = () => {
    flow.ask(null)
    // The verdict's number of those inside is no longer true.
    if (admitted && flow.stage.peek().shown?.scanId === scanId) flow.clear()
  }
  const passed = admitted?.filter((record) => record.class === 'admit').length ?? 0
  return (
    <Dialog title={say.title} closing={say.done} onClose={close}>
      <div role="status">
        {attempt.busy.value && <p>{say.busy}</p>}
        {admitted && <p>{say.admitted(passed, more)}</p>}
      </div>
      <Problem text={attempt.problem.value} />
      {attempt.problem.value && (
        <button type="button" class="primary big" onClick={() => void admit()}>
          {say.again}
        </button>
      )}
      <ol class="plain-list">
        {admitted?.map((record, i) => (
          <Admitted key={record.scanId} record={record} number={i + 1} scanner={scanner} />
        ))}
      </ol>
    </Dialog>
  )
}

function Admitted({ record, number, scanner }: { record: ScanRecord; number: number; scanner: Scanner }): JSX.Element {
  const [isAsking, setAsking] = useState(false)
  const [now, setNow] = useState(record)
  const { verdict, undone } = now
  const { word, fact } = verdictWords(now, scanner.pairing.value?.supervisor)
  const { holder, product, tier_name: tier, seat_label: seat } = verdict
  return (
    <li class="ask-admitted">
      <Chip of={now.class} undone={undone} />
      <span class="ask-admitted-text">
        <b>{word}</b>
        {fact && <span>{fact}</span>}
        <span class="quiet">{[holder, product ?? tier, seat].filter(Boolean).join(' · ')}</span>
      </span>
      {now.class === 'admit' && !undone && (
        <button type="button" aria-label={say.takeBack(number)} onClick={() => setAsking(true)}>
          {words.verdict.undo}
        </button>
      )}
      {isAsking && (
        <ReasonDialog
          what="undo"
          decide={async (reason) => setNow(await scanner.undo(record.scanId, reason))}
          close={() => setAsking(false)}
        />
      )}
    </li>
  )
}
