/** Other ways in than name and PIN, below the form. Loaded after it: nobody who types a PIN waits for them, or for the provider. */
import type { ProviderAnswer, WaysIn } from '@gatehouse/proto/wire/sign-in.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useAttempt } from '../widgets/attempt.ts'
import { signInWords as say } from '../words/late.ts'
import { finishAtProvider, goToProvider, readWays, takeAnswer } from './provider.ts'
import type { Session } from './session.ts'

export function OtherWays(session: Session): JSX.Element {
  const ways = useSignal<WaysIn | null>(null)
  const [brought] = useState(() => takeAnswer(window))
  const { busy, problem, run } = useAttempt(async (answer?: ProviderAnswer) => {
    if (answer) session.enter(await finishAtProvider(location.origin, answer))
    else await goToProvider(location.origin, (url) => location.assign(url))
  })
  useEffect(() => {
    if (brought) void run(brought)
    // Without an answer there is nothing to offer: name and PIN are there.
    void readWays(location.origin).then(
      (found) => {
        ways.value = found
      },
      () => undefined,
    )
  }, [])
  const { provider = null, address = '' } = ways.value ?? {}
  return (
    <div class="sign-in-ways">
      <div role="alert">{problem.value && <p class="sign-in-problem">{problem.value}</p>}</div>
      {provider !== null && <Provider host={provider} address={address} busy={busy.value} begin={() => void run()} />}
    </div>
  )
}

interface ProviderProps {
  host: string
  /** Where the provider sends people back to. */
  address: string
  busy: boolean
  begin: () => void
}

function Provider({ host, address, busy, begin }: ProviderProps): JSX.Element {
  // Under another name, this page would not find again what it has begun.
  if (new URL(address).origin !== location.origin) return <a href={address}>{say.elsewhere(host)}</a>
  return (
    <button type="button" aria-busy={busy} onClick={begin}>
      {busy ? say.going : say.with(host)}
    </button>
  )
}
