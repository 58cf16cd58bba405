import './sign-in.css'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { words } from '../words/en.ts'
import { sentenceOf } from './answered.ts'
import { signedOutBecause, signIn } from './session.ts'

const say = words.session

export function SignIn(): JSX.Element {
  const typed = useSignal('')
  const problem = useSignal<string | null>(signedOutBecause.value)
  const busy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (busy.value) return
    busy.value = true
    problem.value = null
    try {
      await signIn(typed.value)
    } catch (error) {
      problem.value = sentenceOf(error)
      busy.value = false
    }
  }
  return (
    <main class="sign-in">
      <form onSubmit={submit} autocomplete="off">
        <h1>{say.heading}</h1>
        <p id="sign-in-intro">{say.intro}</p>
        <label for="sign-in-token">{say.label}</label>
        <input
          id="sign-in-token"
          // A password field: a wall screen shows it to everybody, and a browser must not put it into its history.
          type="password"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          required
          aria-describedby="sign-in-where"
          aria-invalid={problem.value !== null}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value
          }}
        />
        <p id="sign-in-where" class="quiet">
          {say.where}
        </p>
        <div role="alert">{problem.value && <p class="sign-in-problem">{problem.value}</p>}</div>
        <button type="submit" class="primary" aria-busy={busy.value}>
          {busy.value ? say.checking : say.submit}
        </button>
      </form>
    </main>
  )
}
