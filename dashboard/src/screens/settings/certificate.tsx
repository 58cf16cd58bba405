/** The certificate for the public name: until when it holds, what comes after, and what to do. */
import type { PublicCertificate } from '@gatehouse/proto/wire/certificate.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { answered } from '../../session/answered.ts'
import type { Session } from '../../session/session.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { actionWords } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'
import { Facts, Note, Panel, Run, Said } from '../parts/parts.tsx'

const say = actionWords.settings.publicName
/** An attempt takes minutes. */
const EVERY_MS = 5_000

export function CertificatePanel({ session: { client, may } }: { session: Session }): JSX.Element {
  const found = useSignal<PublicCertificate | null>(null)
  const reading = useAttempt(async () => {
    found.value = await answered(client.GET('/v1/admin/certificate'))
  })
  const obtaining = useAttempt(async () => {
    found.value = await answered(client.POST('/v1/admin/certificate/obtain'))
  })
  useEffect(() => {
    void reading.run()
    const timer = setInterval(() => void reading.run(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const { value } = found
  // One that is obtained here, and not imported, has a date of renewal, or an attempt behind it or before it.
  const isOurs = value !== null && value.state !== 'off' && may('obtainCertificate')
  return (
    <Panel title={say.title}>
      <Said bad={obtaining.problem.value ?? reading.problem.value} />
      {value && <Standing certificate={value} />}
      {isOurs && (
        <div class="part-row">
          <Run work={obtaining} disabled={value.stage !== 'idle'}>
            {value.stage === 'idle' ? say.obtain : say.trying}
          </Run>
        </div>
      )}
    </Panel>
  )
}

function Standing({ certificate }: { certificate: PublicCertificate }): JSX.Element {
  const { state, name, not_after, renewed_from, issuer, failures, problem, problem_coded, next_attempt_at, damaged } =
    certificate
  const { record_name, record_value } = certificate
  if (state === 'off')
    return (
      <>
        <p>{say.off}</p>
        <p class="quiet">{say.offHow}</p>
        <code class="part-code">{'[certificate]\nname = "gate.example.org"\ndns = "acme-dns"'}</code>
      </>
    )
  const day = (time: string) => new Date(time).toLocaleString()
  return (
    <>
      <Note tone={state === 'held' && !damaged ? 'good' : 'bad'}>{say.states[state](name ?? '')}</Note>
      {damaged && <p class="bad">{say.damaged}</p>}
      <Facts
        rows={[
          [say.until, not_after === null ? say.never : day(not_after)],
          [say.issuer, issuer ?? say.never],
          ...(not_after === null
            ? []
            : [[say.renewed, renewed_from === null ? say.byHand : day(renewed_from)] as const]),
          ...(next_attempt_at === null ? [] : [[say.next, day(next_attempt_at)] as const]),
        ]}
      />
      {state !== 'expired' && <p class="quiet">{say.after}</p>}
      {problem !== null && (
        <>
          <p class="bad">
            {say.failed(failures)} {saidBy('certificate', problem_coded, problem)}
          </p>
          <p>{say.todo}</p>
        </>
      )}
      {record_name !== null && record_value !== null && (
        <>
          <p>{say.record}</p>
          <code class="part-code">{`${record_name} TXT "${record_value}"`}</code>
        </>
      )}
    </>
  )
}
