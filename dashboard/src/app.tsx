/** Sign-in, or the shell with one screen in it. */
import type { JSX } from 'preact'
import { token } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'
import { Shell } from './shell/shell.tsx'

export function App(): JSX.Element {
  return token.value === null ? <SignIn /> : <Shell />
}
