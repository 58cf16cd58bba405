/** This browser and this box. */
import type { components } from '@gatehouse/proto/client.ts'
import { LanguageChoice } from '@gatehouse/proto/ui/language-choice.tsx'
import { THEMES } from '@gatehouse/proto/ui/theme.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import type { Session } from '../../session/session.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import type { Toasts } from '../../widgets/toasts.ts'
import { actionWords as words } from '../../words/late.ts'
import { Choices, Copy, Facts, Page, Panel, Said } from '../parts/parts.tsx'
import { CertificatePanel } from './certificate.tsx'
import { OwnPasskeys } from './own-passkeys.tsx'
import { OwnPin } from './own-pin.tsx'

const say = words.settings

export function Screen(model: Model): JSX.Element {
  const { session, theme, toasts } = model
  const { actor, role, changeActor, signOut } = session
  return (
    <Page title={say.title}>
      <Panel title={say.theme}>
        <Choices
          label={say.themeLabel}
          value={theme.value}
          set={(value) => (theme.value = value)}
          options={THEMES.map((value) => ({ value, label: say.themes[value] }))}
        />
        <LanguageChoice class="part-field" legend={say.appLanguage} auto={say.themes.auto} />
      </Panel>
      <Panel title={say.you}>
        <p>{actor.value === null ? say.noActor : say.actor(actor.value)}</p>
        <div class="part-row">
          <button type="button" onClick={() => void changeActor().catch(() => undefined)}>
            {say.changeActor}
          </button>
          <button type="button" class="danger" onClick={() => signOut()}>
            {say.signOut}
          </button>
          <p class="quiet">{say.signOutHow}</p>
        </div>
      </Panel>
      {role.value !== null && <OwnPin {...model} />}
      {role.value !== null && <OwnPasskeys {...model} />}
      <CertificatePanel session={session} />
      <About session={session} toasts={toasts} />
    </Page>
  )
}

type Meta = components['schemas']['Meta']

interface AboutProps {
  session: Session
  toasts: Toasts
}

function About({ session, toasts }: AboutProps): JSX.Element {
  const meta = useSignal<Meta | null>(null)
  const { problem, run: read } = useAttempt(async () => {
    meta.value = await answered(session.client.GET('/v1/meta'))
  })
  useEffect(() => void read(), [])
  const { value } = meta
  return (
    <Panel title={say.about}>
      <Said bad={problem.value} />
      {problem.value !== null && (
        <div class="part-row">
          <button type="button" onClick={() => void read()}>
            {words.list.again}
          </button>
        </div>
      )}
      {!value && problem.value === null && <p class="quiet">{say.unknown}</p>}
      {value && <Identity meta={value} toasts={toasts} />}
    </Panel>
  )
}

/** Identity of this box, and how somebody makes sure of it. */
function Identity({ meta, toasts }: { meta: Meta; toasts: Toasts }): JSX.Element {
  return (
    <>
      <Facts rows={factsOf(meta)} />
      <h3>{say.fingerprint}</h3>
      <p class="quiet">{say.fingerprintHow}</p>
      <code class="part-code">{meta.ca_fingerprint}</code>
      <h3>{say.key}</h3>
      <p class="quiet">{words.record.keyHow}</p>
      <code class="part-code">{meta.verifier_key}</code>
      <div class="part-row">
        <Copy text={meta.ca_fingerprint} label={say.copyFingerprint} toasts={toasts} />
        <Copy text={meta.verifier_key} label={words.record.copyKey} toasts={toasts} />
        <a class="button" href="/ca.crt" download="gatehouse-ca.crt">
          {say.certificate}
        </a>
      </div>
      <p class="quiet">{say.certificateHow}</p>
    </>
  )
}

function factsOf(meta: Meta): Parameters<typeof Facts>[0]['rows'] {
  const { origin } = location
  return [
    [say.event, `${meta.event_name} (${meta.event_id})`],
    [say.box, meta.box_id],
    [say.software, meta.software],
    [say.mode, meta.mode],
    [say.time, say.times[meta.time_quality], meta.time_quality === 'synced' ? undefined : 'warn'],
    [say.address, `${origin}/dashboard/`],
    [say.scanner, <a key="scanner" href="/scanner/">{`${origin}/scanner/`}</a>],
    [say.wallet, <a key="wallet" href="/wallet/">{`${origin}/wallet/`}</a>],
    [
      say.licences,
      <a key="licences" href="licences.txt" target="_blank" rel="noopener license">
        {`${origin}/dashboard/licences.txt`}
      </a>,
    ],
  ]
}
