/** Changes a report that the control room has: adds a note, or withdraws it. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { IncidentState, Scanner } from '../gate/model.ts'
import { words } from '../words/words.ts'
import { createAttempt } from './attempt.ts'
import { Dialog } from './dialog.tsx'
import { Problem } from './problem.tsx'

const say = words.incidents

type Doing = 'note' | 'withdraw'

export function OwnReport({ of, scanner }: { of: IncidentState; scanner: Scanner }): JSX.Element | null {
  const [doing, setDoing] = useState<Doing | null>(null)
  const state = of.incident?.state
  if (state === undefined || state === 'resolved' || state === 'cancelled') return null
  return (
    <div class="own-report">
      <button type="button" onClick={() => setDoing('note')}>
        {say.addNote}
      </button>
      <button type="button" onClick={() => setDoing('withdraw')}>
        {say.withdraw}
      </button>
      {doing && <Change what={doing} of={of} scanner={scanner} close={() => setDoing(null)} />}
    </div>
  )
}

interface ChangeProps {
  what: Doing
  of: IncidentState
  scanner: Scanner
  close: () => void
}

function Change({ what, of, scanner, close }: ChangeProps): JSX.Element {
  const [attempt] = useState(createAttempt)
  const [note, setNote] = useState('')
  // The same for every try: what has arrived is not added twice.
  const [noteId] = useState(() => crypto.randomUUID())
  const isNote = what === 'note'
  const send = async () => {
    const sent = isNote ? () => scanner.addToReport(of.id, noteId, note.trim()) : () => scanner.withdrawReport(of.id)
    if (await attempt.run(sent)) close()
  }
  return (
    <Dialog title={isNote ? say.addNote : say.withdrawTitle(say.kinds[of.kind])} onClose={close}>
      {!isNote && <p>{say.withdrawText}</p>}
      <Problem text={attempt.problem.value} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        {isNote && (
          <label class="field">
            {say.noteLater}
            <span class="hint">{say.noNames}</span>
            <textarea rows={3} maxLength={2000} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
          </label>
        )}
        <button type="submit" class="primary" disabled={attempt.busy.value || (isNote && note.trim() === '')}>
          {isNote ? say.sendNote : say.withdraw}
        </button>
      </form>
    </Dialog>
  )
}
