/** This browser and this box. */
import type { components } from '@gatehouse/proto/client.ts'
import type { Theme } from '@gatehouse/proto/ui/theme.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { answered, sentenceOf } from '../../session/answered.ts'
import { actor, changeActor, client, signOut } from '../../session/session.ts'
import { theme } from '../../shell/here.ts'
import { words } from '../../words/en-actions.ts'
import { Choices, Copy, Page, Panel, Said } from '../parts/parts.tsx'

const say = words.settings
const THEMES: readonly Theme[] = ['auto', 'light', 'dark']

export function Screen(): JSX.Element {
  return (
    <Page title={say.title}>
      <Panel title={say.theme}>
        <Choices
          label={say.themeLabel}
          value={theme.value}
          set={(value) => (theme.value = value)}
          options={THEMES.map((value) => ({ value, label: say.themes[value] }))}
        />
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
      <About />
    </Page>
  )
}

function About(): JSX.Element {
  const meta = useSignal<components['schemas']['Meta'] | null>(null)
  const problem = useSignal<string | null>(null)
  const read = async () => {
    problem.value = null
    try {
      meta.value = await answered(client.GET('/v1/meta'))
    } catch (error) {
      problem.value = sentenceOf(error)
    }
  }
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
      {value && (
        <>
          <dl class="part-facts">
            <dt>{say.event}</dt>
            <dd>{`${value.event_name} (${value.event_id})`}</dd>
            <dt>{say.box}</dt>
            <dd>{value.box_id}</dd>
            <dt>{say.software}</dt>
            <dd>{value.software}</dd>
            <dt>{say.mode}</dt>
            <dd>{value.mode}</dd>
            <dt>{say.time}</dt>
            <dd class={value.time_quality === 'synced' ? undefined : 'warn'}>{say.times[value.time_quality]}</dd>
            <dt>{say.address}</dt>
            <dd>{`${location.origin}/dashboard/`}</dd>
            <dt>{say.scanner}</dt>
            <dd>
              <a href="/scanner/">{`${location.origin}/scanner/`}</a>
            </dd>
            <dt>{say.wallet}</dt>
            <dd>
              <a href="/wallet/">{`${location.origin}/wallet/`}</a>
            </dd>
          </dl>
          <h3>{say.fingerprint}</h3>
          <p class="quiet">{say.fingerprintHow}</p>
          <code class="part-code">{value.ca_fingerprint}</code>
          <h3>{say.key}</h3>
          <p class="quiet">{words.record.keyHow}</p>
          <code class="part-code">{value.verifier_key}</code>
          <div class="part-row">
            <Copy text={value.ca_fingerprint} label={say.copyFingerprint} />
            <Copy text={value.verifier_key} label={words.record.copyKey} />
            <a class="button" href="/ca.crt" download="gatehouse-ca.crt">
              {say.certificate}
            </a>
          </div>
          <p class="quiet">{say.certificateHow}</p>
        </>
      )}
    </Panel>
  )
}
