/** Sign-in, or the shell with one screen in it. */
import type { JSX } from 'preact'
import type { Model } from './model.ts'
import { Lazy } from './shell/lazy.tsx'
import { Shell } from './shell/shell.tsx'

export function App(model: Model): JSX.Element {
  const { token, pairing } = model.session
  return token.value === null || pairing.value !== null ? (
    <Lazy early load={loadSignIn} given={{ session: model.session }} />
  ) : (
    <Shell {...model} />
  )
}

async function loadSignIn() {
  return (await import('./session/sign-in.tsx')).SignIn
}
