/** Sign-in, or the shell with one screen in it. */
import type { JSX } from 'preact'
import type { Model } from './model.ts'
import { SignIn } from './session/sign-in.tsx'
import { Shell } from './shell/shell.tsx'

export function App(model: Model): JSX.Element {
  const { token, pairing } = model.session
  return token.value === null || pairing.value !== null ? <SignIn session={model.session} /> : <Shell {...model} />
}
