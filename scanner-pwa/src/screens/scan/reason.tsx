/** The choice of a reason, for a supervisor's decision and for an undo. One press where the reason is a usual one. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { createAttempt } from '../attempt.ts'
import { Dialog } from '../dialog.tsx'
import { Problem } from '../problem.tsx'

interface ReasonProps {
  what: 'admit' | 'undo'
  /** @throws ScannerError in words for the person */
  decide: (reason: string) => Promise<void>
  close: () => void
}

export function ReasonDialog({ what, decide, close }: ReasonProps): JSX.Element {
  const [attempt] = useState(createAttempt)
  const [own, setOwn] = useState('')
  const say = words.verdict
  const reasons = what === 'admit' ? say.admitReasons : say.undoReasons
  const submit = async (reason: string) => {
    if (reason.trim() !== '' && (await attempt.run(() => decide(reason.trim())))) close()
  }
  return (
    <Dialog title={what === 'admit' ? say.admitTitle : say.undoTitle} onClose={close}>
      <p>{what === 'admit' ? say.admitText : say.undoText}</p>
      <Problem text={attempt.problem.value} />
      <div class="reason-quick">
        {reasons.map((reason) => (
          <button type="button" key={reason} disabled={attempt.busy.value} onClick={() => void submit(reason)}>
            {reason}
          </button>
        ))}
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit(own)
        }}
      >
        <label>
          {say.reason}
          <input value={own} maxLength={200} onInput={(event) => setOwn(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={own.trim() === '' || attempt.busy.value}>
          {what === 'admit' ? say.admitSubmit : say.undoSubmit}
        </button>
      </form>
    </Dialog>
  )
}
