/** The sign-in of a device that is paired, or is just being paired: loaded for these alone. */
import type { NewSession } from '@gatehouse/proto/wire/staff.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { useAttempt } from '../../widgets/attempt.ts'
import { staffWords } from '../../words/late.ts'
import { words } from '../../words/words.ts'
import { sentenceOf } from '../answered.ts'
import { Entry, Form } from '../form.tsx'
import type { Session } from '../session.ts'
import { goOn, pairDevice, pairedPerson, unpair } from './pairing.ts'

const say = staffWords.tablet

export interface DoorProps {
  session: Session
  /** Shows the usual ways in. */
  other: () => void
}

export function Door({ session, other }: DoorProps): JSX.Element {
  const code = session.pairing.value
  return code === null ? <GoOn session={session} other={other} /> : <Pair session={session} code={code} other={other} />
}

/** It is pressed, and does not happen by itself: what only looks at a link would use it up, and nobody is signed in by opening one. */
function Pair({ session, code, other }: DoorProps & { code: string }): JSX.Element {
  const { busy, problem, run } = useAttempt(async () => {
    session.signOut()
    await pairDevice(session, code)
  })
  const usual = () => {
    session.pairing.value = null
    other()
  }
  return (
    <>
      <Form intro={say.pairText} submit={say.pair} busy={busy.value} problem={problem.value} run={run} />
      <Others act={usual} text={words.session.person.withName} />
    </>
  )
}

function GoOn({ session, other }: DoorProps): JSX.Element | null {
  const person = useSignal<NewSession['person'] | null>(null)
  const secret = useSignal('')
  const { busy, problem, run } = useAttempt(
    // A viewer's screen may hang on a wall, and does not lock.
    () => goOn(session, person.value?.role === 'viewer' ? undefined : secret.value),
    { first: session.signedOutBecause.value },
  )
  const look = async () => {
    try {
      person.value = (await pairedPerson()) ?? null
      if (person.value === null) other()
    } catch (error) {
      problem.value = sentenceOf(error)
    }
  }
  useEffect(() => void look(), [])
  const { value } = person
  return (
    <>
      <Form
        intro={value ? say.goOnText(value.name) : words.session.checking}
        submit={value ? say.goOn : words.shell.again}
        busy={busy.value}
        problem={problem.value}
        run={value ? run : look}
      >
        {value && value.role !== 'viewer' && (
          <>
            <label for="sign-in-secret">{words.session.person.secret}</label>
            <Entry id="sign-in-secret" type="password" value={secret} wrong={problem.value !== null} />
          </>
        )}
      </Form>
      <Others act={other} text={words.session.person.withName} />
      <Others act={() => void unpair().then(other)} text={say.unpair} />
    </>
  )
}

function Others({ act, text }: { act: () => void; text: string }): JSX.Element {
  return (
    <button type="button" class="sign-in-other" onClick={act}>
      {text}
    </button>
  )
}
