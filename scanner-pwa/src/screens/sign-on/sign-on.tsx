/** Signing on at this phone, where the event wants it: a name that has been here is one touch away, then the PIN. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Scanner } from '../../gate/model.ts'
import { hashOf } from '../../route.ts'
import { screenWords } from '../../words/late.ts'
import { words } from '../../words/words.ts'
import { Page } from '../page.tsx'
import { Problem } from '../problem.tsx'

const say = screenWords.signOn

export function SignOnScreen({ scanner }: { scanner: Scanner }): JSX.Element {
  const { operator } = scanner.shift.value
  const isLocked = scanner.locked.value
  const isAlone = scanner.link.value.state === 'offline'
  const people = scanner.people.value
  const [name, setName] = useState<string | null>(people.length === 0 ? '' : null)
  return (
    <Page title={say.title} {...(!isLocked && { back: 'scan' as const })}>
      <div role="status">
        {isAlone && <p class="warn">{isLocked || operator === null ? say.aloneLocked : say.aloneAs(operator)}</p>}
      </div>
      {!isLocked && operator !== null && <SignedOn name={operator} isAlone={isAlone} scanner={scanner} />}
      {name === null ? (
        <div class="stack">
          {people.map((one) => (
            <button key={one} type="button" class="big" disabled={isAlone} onClick={() => setName(one)}>
              {one}
            </button>
          ))}
          <button type="button" disabled={isAlone} onClick={() => setName('')}>
            {say.somebodyElse}
          </button>
        </div>
      ) : (
        <PinForm
          key={name}
          name={name}
          scanner={scanner}
          isAlone={isAlone}
          {...(people.length > 0 && { back: () => setName(null) })}
        />
      )}
      {isLocked && (
        <a class="button" href={hashOf('incidents')}>
          {words.scan.reportLong}
        </a>
      )}
    </Page>
  )
}

function SignedOn(props: { name: string; isAlone: boolean; scanner: Scanner }): JSX.Element {
  const { name, isAlone, scanner } = props
  return (
    <p>
      {say.now} <b>{name}</b>{' '}
      <button type="button" disabled={isAlone} onClick={() => void scanner.signOff()}>
        {screenWords.shift.signOff}
      </button>
    </p>
  )
}

interface PinFormProps {
  /** Empty for one that is typed. */
  name: string
  scanner: Scanner
  isAlone: boolean
  back?: () => void
}

function PinForm({ name, scanner, isAlone, back }: PinFormProps): JSX.Element {
  const [typed, setTyped] = useState(name)
  const [secret, setSecret] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const pin = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (name !== '') pin.current?.focus()
  }, [name])
  const submit = async () => {
    setBusy(true)
    setProblem(null)
    const outcome = await scanner.signOnAs(typed.trim(), secret)
    setBusy(false)
    setSecret('')
    if (outcome === 'on') location.hash = hashOf('scan')
    else if (outcome === 'unreachable') setProblem(say.unreachable)
    else setProblem(problemOf(outcome))
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && typed.trim() !== '' && secret !== '') void submit()
      }}
    >
      {name === '' ? (
        <label class="field">
          {say.name}
          <input
            value={typed}
            maxLength={80}
            autocomplete="off"
            autocapitalize="words"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      ) : (
        <h2>{name}</h2>
      )}
      <label class="field">
        {say.secret}
        <input
          type="password"
          value={secret}
          maxLength={128}
          autocomplete="off"
          ref={pin}
          onInput={(event) => setSecret(event.currentTarget.value)}
        />
      </label>
      <Problem text={problem} />
      <div class="stack">
        <button type="submit" class="primary big" aria-busy={busy} disabled={isAlone}>
          {screenWords.shift.signOn}
        </button>
        {back && (
          <button type="button" onClick={back}>
            {say.somebodyElse}
          </button>
        )}
      </div>
    </form>
  )
}

/** The box speaks English: what happens often has words of this app's. */
function problemOf({ code, message }: { code: string; message: string }): string {
  if (code === 'not_allowed') return say.wrong
  return code === 'rate_limited' ? say.wait : message
}
