import './sign-in.css'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Lazy } from '../shell/lazy.tsx'
import { useAttempt } from '../widgets/attempt.ts'
import { words } from '../words/words.ts'
import { Entry, Form } from './form.tsx'
import { forgetNames, knownNames } from './known-names.ts'
import type { Session } from './session.ts'
import { isMarked } from './tablet/mark.ts'

const say = words.session

const later = () => import('./later.ts')
const door = async () => (await later()).Door
const otherWays = async () => (await later()).OtherWays

/** With the admin token; with name and PIN where that was the way in this browser before. */
export function SignIn({ session }: { session: Session }): JSX.Element {
  const byName = useSignal(wasByName())
  const swap = () => {
    byName.value = !byName.value
  }
  const isUsual = useSignal(!isMarked())
  const other = () => {
    isUsual.value = true
  }
  if (!isUsual.value || session.pairing.value !== null)
    return (
      <main class="sign-in">
        <Lazy key="door" load={door} given={{ session, other }} />
      </main>
    )
  return (
    <main class="sign-in">
      {byName.value ? <ByName session={session} /> : <ByToken session={session} />}
      <button type="button" class="sign-in-other" onClick={swap}>
        {byName.value ? say.person.withToken : say.person.withName}
      </button>
      <Lazy key="ways" load={otherWays} given={session} quiet />
    </main>
  )
}

function ByName({ session: { signedOutBecause, signInAs } }: { session: Session }): JSX.Element {
  const [name, secret] = [useSignal(''), useSignal('')]
  const known = useSignal(knownNames())
  const { busy, problem, run } = useAttempt(
    async () => {
      await signInAs(name.value, secret.value)
      rememberByName()
    },
    { first: signedOutBecause.value },
  )
  return (
    <Form intro={say.person.intro} submit={say.person.submit} busy={busy.value} problem={problem.value} run={run}>
      <label for="sign-in-name">{say.person.name}</label>
      <Entry id="sign-in-name" type="text" value={name} wrong={problem.value !== null} />
      {known.value.length > 0 && <Known names={known} name={name} />}
      <label for="sign-in-secret">{say.person.secret}</label>
      <Entry id="sign-in-secret" type="password" value={secret} wrong={problem.value !== null} />
    </Form>
  )
}

/** On a shared tablet: a press on the name, and the PIN. */
function Known({ names, name }: { names: Signal<string[]>; name: Signal<string> }): JSX.Element {
  const take = (known: string) => {
    name.value = known
    document.getElementById('sign-in-secret')?.focus()
  }
  const forget = () => {
    forgetNames()
    names.value = []
  }
  return (
    <fieldset class="sign-in-known">
      <legend class="visually-hidden">{say.person.known}</legend>
      {names.value.map((known) => (
        <button key={known} type="button" aria-pressed={known === name.value} onClick={() => take(known)}>
          {known}
        </button>
      ))}
      <button type="button" class="sign-in-forget" onClick={forget}>
        {say.person.forget}
      </button>
    </fieldset>
  )
}

function ByToken({ session: { signedOutBecause, signIn } }: { session: Session }): JSX.Element {
  const typed = useSignal('')
  const { busy, problem, run } = useAttempt(() => signIn(typed.value), { first: signedOutBecause.value })
  return (
    <Form intro={say.intro} submit={say.submit} busy={busy.value} problem={problem.value} run={run}>
      <label for="sign-in-token">{say.label}</label>
      <Entry id="sign-in-token" type="password" value={typed} wrong={problem.value !== null} by="sign-in-where" />
      <p id="sign-in-where" class="quiet">
        {say.where}
      </p>
    </Form>
  )
}

const BY_NAME = 'gatehouse-sign-in-by-name'

function wasByName(): boolean {
  try {
    return localStorage.getItem(BY_NAME) !== null
  } catch {
    return false
  }
}

function rememberByName(): void {
  try {
    localStorage.setItem(BY_NAME, '1')
  } catch {
    // A browser without storage shows the other way first.
  }
}
