/** Other ways in than name and PIN, below the form. Loaded after it: nobody who types a PIN waits for them, or for the provider. */
import type { ProviderAnswer, WaysIn } from '@gatehouse/proto/wire/sign-in.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useAttempt } from '../widgets/attempt.ts'
import { signInWords as say } from '../words/late.ts'
import { finishAtProvider, goToProvider, readWays, takeAnswer } from './provider.ts'
import type { Session } from './session.ts'

const passkey = () => import('./passkey.ts')

export function OtherWays(session: Session): JSX.Element {
  const ways = useSignal<WaysIn | null>(null)
  const [brought] = useState(() => takeAnswer(window))
  const { busy, problem, run } = useAttempt(async (way: ProviderAnswer | 'provider' | 'passkey') => {
    if (way === 'provider') await goToProvider(location.origin, (url) => location.assign(url))
    else if (way === 'passkey') session.enter(await (await passkey()).enterWithPasskey(location.origin))
    else session.enter(await finishAtProvider(location.origin, way))
  })
  useEffect(() => {
    if (brought) void run(brought)
    // Without an answer there is nothing to offer: name and PIN are there.
    void readWays(location.origin).then(
      (found) => {
        ways.value = found
        // Before the press: some browsers take a passkey only right after it.
        if (found.passkeys !== null) void passkey()
      },
      () => undefined,
    )
  }, [])
  const { provider = null, passkeys = null, address = '' } = ways.value ?? {}
  return (
    <div class="sign-in-ways">
      <div role="alert">{problem.value && <p class="sign-in-problem">{problem.value}</p>}</div>
      {passkeys !== null && <WithPasskey address={address} busy={busy.value} begin={() => void run('passkey')} />}
      {provider !== null && (
        <Provider host={provider} address={address} busy={busy.value} begin={() => void run('provider')} />
      )}
    </div>
  )
}

interface WayProps {
  /** Address at which the page has to be open for it. */
  address: string
  busy: boolean
  begin: () => void
}

function WithPasskey({ address, busy, begin }: WayProps): JSX.Element {
  // A passkey is for one name, and no browser gives it to a page with another.
  if (new URL(address).origin !== location.origin) return <a href={address}>{say.passkeyElsewhere}</a>
  return (
    <button type="button" aria-busy={busy} onClick={begin}>
      {say.passkey}
    </button>
  )
}

function Provider({ host, address, busy, begin }: WayProps & { host: string }): JSX.Element {
  // Under another name, this page would not find again what it has begun.
  if (new URL(address).origin !== location.origin) return <a href={address}>{say.elsewhere(host)}</a>
  return (
    <button type="button" aria-busy={busy} onClick={begin}>
      {busy ? say.going : say.with(host)}
    </button>
  )
}
