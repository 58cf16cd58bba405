/** The button that makes this phone no scanner any more, and the question that it asks first. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Scanner } from '../gate/model.ts'
import { hashOf } from '../route.ts'
import { screenWords } from '../words/late.ts'
import { createAttempt } from './attempt.ts'
import { Dialog } from './dialog.tsx'
import { Problem } from './problem.tsx'

const say = screenWords.settings

interface UnpairProps {
  scanner: Scanner
  class: string
  label: string
}

export function Unpair({ scanner, class: name, label }: UnpairProps): JSX.Element {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <button type="button" class={name} onClick={() => setAsking(true)}>
        {label}
      </button>
      {asking && <UnpairDialog scanner={scanner} close={() => setAsking(false)} />}
    </>
  )
}

function UnpairDialog({ scanner, close }: { scanner: Scanner; close: () => void }): JSX.Element {
  const [attempt] = useState(createAttempt)
  // Entries that the box has refused are also on this phone alone.
  const lost = scanner.unsent.value + scanner.aside.value.length
  const unpair = async () => {
    if (!(await attempt.run(() => scanner.unpair({ force: lost > 0 })))) return
    close()
    location.hash = hashOf('pair')
  }
  return (
    <Dialog title={say.unpairTitle} onClose={close}>
      <p>{say.unpairText}</p>
      {lost > 0 && <p class="bad settings-lost">{say.unpairUnsent(lost)}</p>}
      <Problem text={attempt.problem.value} />
      <button type="button" class="danger big" disabled={attempt.busy.value} onClick={() => void unpair()}>
        {lost > 0 ? say.unpairForce(lost) : say.unpairConfirm}
      </button>
    </Dialog>
  )
}
