/** The form of every way in: what to do, its fields, and what went wrong. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { words } from '../words/words.ts'

interface FormProps {
  intro: string
  submit: string
  busy: boolean
  problem: string | null
  run: () => unknown
  children?: ComponentChildren
}

export function Form({ intro, submit, busy, problem, run, children }: FormProps): JSX.Element {
  const send = (event: Event) => {
    event.preventDefault()
    void run()
  }
  return (
    <form onSubmit={send} autocomplete="off">
      <h1>{words.session.heading}</h1>
      <p id="sign-in-intro">{intro}</p>
      {children}
      <div role="alert">{problem && <p class="sign-in-problem">{problem}</p>}</div>
      <button type="submit" class="primary" aria-busy={busy}>
        {busy ? words.session.checking : submit}
      </button>
    </form>
  )
}

interface EntryProps {
  id: string
  // Secrets have a password field: a wall screen shows it to everybody, and a browser must not put it into its history.
  type: 'text' | 'password'
  value: Signal<string>
  wrong: boolean
  by?: string
}

export function Entry({ id, type, value, wrong, by }: EntryProps): JSX.Element {
  const shared = {
    id,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: false,
    required: true,
    ...(by !== undefined && { 'aria-describedby': by }),
    'aria-invalid': wrong,
    value: value.value,
    onInput: (event: Event) => {
      value.value = (event.currentTarget as HTMLInputElement).value
    },
  } as const
  return type === 'password' ? <input {...shared} type="password" /> : <input {...shared} type="text" />
}
